/// The table of fields of an event pattern, which stands alone or among the fields of an expectation.
enum PatternForm {
  /// A pattern alone, which some step can lead to.
  static var pattern: ValueKind<EventPattern> {
    form(EventPattern(), pattern: \.self).kind.named("pattern").reachable { $0 }
  }

  /// A pattern for the start of a step: what can happen is not known before all steps are.
  static var anchor: ValueKind<EventPattern> { form(EventPattern(), pattern: \.self).kind.named("pattern") }

  /// A pattern with further fields beside its own.
  static func form<Owner>(
    _ empty: Owner, pattern path: any WritableKeyPath<Owner, EventPattern> & Sendable, common: [Field<Owner>] = []
  ) -> TaggedForm<Owner> {
    let cases = TraceKind.allCases.map { kind in
      TaggedForm<Owner>.Case(
        word: kind.rawValue, help: kind.help,
        fields: (kind.attributes + [.lane]).map { field($0).within(path) },
        choose: { $0[keyPath: path].kind = kind })
    }
    return TaggedForm(tag: "event", what: "event", empty: empty, common: common, cases: cases)
  }

  /// One attribute of an event.
  static func field(_ attribute: TraceAttribute) -> Field<EventPattern> {
    Field(attribute.rawValue, kind(of: attribute), \.values[attribute], help(for: attribute))
  }

  private static func kind(of attribute: TraceAttribute) -> ValueKind<String> {
    switch attribute {
    case .image: .image
    case .lane: ValueKind<TraceLane>.word("lane").map(\.rawValue)
    case .strategy: .strategy
    case .shown: .shown
    case .status: ValueKind.integer(100...599).map(String.init)
    case .error: ValueKind<Scenario.ErrorCategory>.word("error").map(\.rawValue)
    case .path: .path
    case .header: .headerLine
    case .view, .topic, .subscriber: .name
    case .text: .text
    }
  }

  private static func help(for attribute: TraceAttribute) -> String {
    switch attribute {
    case .image: "the id of an image"
    case .view: "the name of a view"
    case .lane: "where it happens"
    case .strategy: "the strategy of the fetch"
    case .shown: "what the view shows: the id of an image, placeholder, loading, or nothing"
    case .status: "the HTTP status"
    case .header: "a header field that was sent with it, as `name: value`"
    case .error: "the category of the error"
    case .path: "the path of the request"
    case .topic: "the topic of the event"
    case .subscriber: "the subscriber's name"
    case .text: "the text of the note, the name of the control, what the page shows, or the header fields"
    }
  }
}

extension ValueKind {
  /// The same, and complains where no step of the file can lead to what the pattern matches.
  func reachable(_ pattern: @escaping @Sendable (Value) -> EventPattern) -> ValueKind {
    checked { value, node, reading in
      if let line = pattern(value).values[.header], !reading.headerLines.contains(line), let place = node["header"] {
        let known = Names(reading.headerLines.sorted())
        reading.report(
          .pointlessExpectation,
          "a pattern that can never match: no answer and no step has the header field \(quoted(line))",
          at: place.range, known.advice(for: line, orElse: "give it to an answer, or to a step \"send\""))
        return false
      }
      guard let obstacle = reading.reach?.obstacle(to: pattern(value)) else { return true }
      let place = (obstacle.attribute.flatMap { node[$0.rawValue] } ?? node["event"] ?? node).range
      reading.report(.pointlessExpectation, obstacle.message, at: place, obstacle.advice)
      return false
    }
  }
}

extension ValueKind where Value == String {
  /// The name of a strategy, of which ``Vocabulary`` has the list.
  static var strategy: ValueKind {
    text.named("strategy-name").checked { name, node, reading in
      if reading.vocabulary.strategies.contains(name) { return true }
      reading.wrongWord(name, "strategy", among: reading.vocabulary.strategies, at: node.range)
      return false
    }
  }

  /// The name of a program, of which ``Vocabulary`` has the list.
  static var program: ValueKind {
    text.checked { name, node, reading in
      let known = reading.vocabulary.programs.map(\.name)
      reading.program = name
      if known.contains(name) { return true }
      reading.wrongWord(name, "program", among: known, at: node.range)
      return false
    }
  }

  /// A control of the program of the scenario: its name and, after a space, what it is for.
  static var control: ValueKind {
    text.checked { control, node, reading in
      let known = reading.vocabulary.program(reading.program)?.controls ?? []
      let name = String(control.prefix { $0 != " " })
      if known.contains(name) { return true }
      guard !known.isEmpty else {
        let program = quoted(reading.program)
        reading.report(
          .wrongValue, "the program \(program) has no controls", at: node.range, "name another \"program\"")
        return false
      }
      reading.wrongWord(name, "control", among: known, at: node.range)
      return false
    }
  }

  /// A header field as a pattern spells it. Names do not distinguish case.
  static var headerLine: ValueKind {
    text(like: "[!#$%&'*+.^_`|~0-9A-Za-z-]+: [^\\u0000-\\u001F\\u007F]*", "header field", example: "etag: 1").map {
      line in
      let name = line.prefix { $0 != ":" }
      return name.lowercased() + line.dropFirst(name.count)
    }
  }

  /// What a view can show.
  static var shown: ValueKind {
    let fixed = Scenario.shownWords
    return text.checked { word, node, reading in
      guard let images = reading.imageIDs, !fixed.contains(word), !images.contains(word) else { return true }
      reading.report(
        .undeclaredImage, "the image \(quoted(word)) is not declared", at: node.range,
        images.advice(for: word, beside: fixed))
      return false
    }
  }
}
