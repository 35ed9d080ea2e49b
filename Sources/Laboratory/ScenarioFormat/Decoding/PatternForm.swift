import PlainText

/// The field table of an event pattern, which is either a separate object or part of an expectation.
enum PatternForm {
  /// A pattern that at least one event of the run can match.
  static var pattern: ValueKind<EventPattern> { anchor.reachable { $0 } }

  /// A pattern for the start of a step. It is not validated against the possible events, which are unknown until all
  /// steps are decoded.
  static var anchor: ValueKind<EventPattern> {
    ValueKind.object(tag: tag).example { node, reading in example(node.word, reading) }.named("pattern")
  }

  /// Returns a pattern for an event, an image, or both, that were written without an object, or any pattern.
  private static func example(_ text: String?, _ reading: Reading) -> String {
    let words = (text ?? "").split(separator: " ").map(String.init)
    let image = words.last.flatMap { reading.declared.images?.contains($0) == true ? quoted($0) : nil }
    if let event = words.first, let kind = TraceKind(rawValue: event) {
      let key = [TraceAttribute.shown, .image].first { kind.row.attributes.contains($0) }
      let rest = key.flatMap { key in image.map { ", \"\(key.rawValue)\": \($0)" } } ?? ""
      return "{\"event\": \(quoted(event))\(rest)}"
    }
    return image.map { "{\"event\": \"ui.update\", \"shown\": \($0)}" } ?? "{\"event\": \"fetch.failed\"}"
  }

  /// Returns the value kind for a pattern with additional fields.
  static func pattern<More>(with more: Fields<More>) -> ValueKind<(pattern: EventPattern, more: More)> {
    .object(more, tag: tag) { (pattern: $1, more: $0) }
  }

  private static let tag: Tag<EventPattern> = {
    let rows = TraceKind.allCases.map { kind in
      Tag.Row(
        kind.rawValue, kind.row.help, values(kind.row.attributes + [.lane]).map { EventPattern(kind: kind, values: $0) }
      )
    }
    return Tag("event", what: "event", rows, meant: commonWords, advice: replacements)
  }()

  /// Maps common words for events to the words of the format.
  private static let commonWords = [
    "fetch.end": "fetch.done", "fetch.success": "fetch.done", "fetch.loaded": "fetch.done",
    "fetch.completed": "fetch.done", "fetch.finished": "fetch.done", "fetch.begin": "fetch.start",
    "origin.request": "request.begin", "origin.response": "request.end",
    "fetch.error": "fetch.failed", "fetch.timeout": "fetch.failed", "fetch.cancel": "fetch.cancelled",
    "cancel": "fetch.cancelled", "cancelled": "fetch.cancelled", "done": "fetch.done", "failed": "fetch.failed",
    "request.start": "request.begin", "request.done": "request.end", "view.update": "ui.update",
    "view.draw": "ui.update",
  ]

  private static let commonErrors: [String: Scenario.ErrorCategory] = Dictionary(
    uniqueKeysWithValues: (300...599).map { ("\($0)", .badStatus) } + [("timeout", .timedOut)])

  private static let replacements: [String: String] = {
    let retries = ["fetch.retry", "fetch.attempt", "request.retry", "retry"].map {
      ($0, "a retry is another \"request.begin\" of the same fetch; count those, or compare their times with \"apart\"")
    }
    let topics = ModelTopic.allCases.map(\.rawValue).map {
      ($0, #"it is a topic; write "event": "bus.post", "topic": \#(quoted($0))"#)
    }
    return Dictionary(uniqueKeysWithValues: retries + topics)
  }()

  /// Returns fields for the values of these attributes. All of them are optional.
  static func values(_ attributes: [TraceAttribute]) -> Fields<TraceValues> { Fields([:], attributes.map(field)) }

  private static func field(_ attribute: TraceAttribute) -> Setting<TraceValues> {
    func field(_ kind: ValueKind<String>, _ help: String) -> Setting<TraceValues> {
      Setting(attribute.rawValue, kind, \.[attribute], help)
    }
    return switch attribute {
    case .image: field(.image, "the id of an image")
    case .view: field(.name, "the name of a view")
    case .lane: field(ValueKind.lane().map(\.rawValue), "the lane of the event")
    case .strategy: field(.strategy, "the strategy of the fetch")
    case .shown: field(.shown, "the content of the view: the id of an image, placeholder, loading, or nothing")
    case .status: field(ValueKind.integer(100...599).map(String.init), "the HTTP status")
    case .header: field(.headerLine, "a header field of the request or the response, as `name: value`")
    case .error:
      field(
        ValueKind<Scenario.ErrorCategory>.word("error", meant: commonErrors).map(\.rawValue),
        "the category of the error")
    case .path: field(.path, "the path of the request")
    case .topic: field(.name, "the topic of the event, or the name of a model event")
    case .subscriber:
      field(.name, "the name of a subscriber, from a step or a view; `none` for a post without subscribers")
    case .text:
      field(.text, "the text of the note, the name of the control, the content of the page, or the header fields")
    }
  }
}

extension ValueKind {
  /// Returns a kind that also reports a pattern that no step of the file can match.
  func reachable(_ pattern: @escaping @Sendable (Value) -> EventPattern) -> ValueKind {
    validated { value, node, reading in
      if let line = pattern(value).values[.header], !reading.headerLines.contains(line), let location = node["header"] {
        let known = Names(reading.headerLines.sorted())
        return Diagnostic(
          .pointlessExpectation,
          "a pattern that can never match: no response and no step sends the header field \(quoted(line))",
          at: location.range,
          known.advice(for: line, orElse: "add it to a response, or to a \"send\" step", only: "the only one is"))
      }
      guard let obstacle = reading.reach?.obstacle(to: pattern(value)) else { return nil }
      let location = (obstacle.attribute.flatMap { node[$0.rawValue] } ?? node["event"] ?? node).range
      return Diagnostic(.pointlessExpectation, obstacle.message, at: location, obstacle.advice)
    }
  }
}

extension ValueKind where Value == TraceLane {
  /// Returns the value kind for one of these lanes.
  static func lane(_ lanes: [TraceLane] = TraceLane.allCases) -> ValueKind {
    .word(
      "lane", lanes, meant: ["UI": .main, "ui": .main, "background": .workers, "worker": .workers, "global": .workers])
  }
}

extension ValueKind where Value == String {
  /// A header field in a pattern. Names are case-insensitive.
  static var headerLine: ValueKind {
    text(like: "\(HeaderForm.token): [^\\u0000-\\u001F\\u007F]*", "header field", example: "etag: 1").map {
      line in
      let name = line.prefix { $0 != ":" }
      return name.lowercased() + line.dropFirst(name.count)
    }
  }

  /// The possible content of a view.
  static var shown: ValueKind {
    let fixed = Scenario.shownWords
    return text.validated { word, node, reading in
      guard let images = reading.declared.images, !fixed.contains(word), !images.contains(word) else { return nil }
      return Diagnostic(
        .undeclaredImage, "the image \(quoted(word)) is not declared", at: node.range,
        images.advice(for: word, beside: fixed))
    }
  }
}
