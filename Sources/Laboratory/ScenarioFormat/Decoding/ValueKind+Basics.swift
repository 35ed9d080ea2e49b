import PlainText

extension ValueKind where Value == String {
  /// Any string.
  static var text: ValueKind {
    ValueKind(.text) { node, reading in
      guard case .string(let text) = node.content else {
        reading.wrongKind(node, expected: "a string")
        return nil
      }
      return text
    }
  }

  /// A name, which must not be empty.
  static var name: ValueKind {
    text.validated(["minLength": 1]) { name, node, reading in
      if !name.isEmpty { return nil }
      return Diagnostic(
        .wrongValue, "expected a name, found an empty string", at: node.range, "write at least one character")
    }
  }

  /// The topic in a step. The names of the model's events are reserved.
  static var topic: ValueKind {
    name.validated { topic, node, reading in
      guard ModelTopic(rawValue: topic) != nil else { return nil }
      return Diagnostic(
        .wrongValue, "\(quoted(topic)) is a model event, which steps cannot post or subscribe to", at: node.range,
        "choose another topic")
    }
  }

  /// The name of the subscriber in a step.
  static var subscriber: ValueKind {
    name.validated { name, node, reading in
      guard name == Scenario.noSubscriber else { return nil }
      return Diagnostic(
        .wrongValue, "\(quoted(name)) means that there is no subscriber", at: node.range, "choose another name")
    }
  }

  /// Returns the value kind for strings that match a pattern.
  ///
  /// - Parameters:
  ///   - pattern: a regular expression for the entire string, in the syntax that Swift and JSON Schema share.
  ///   - example: a string that matches.
  ///   - corrected: a closure that corrects an invalid string, if it can.
  static func text(
    like pattern: String, _ what: String, example: String,
    corrected: @escaping @Sendable (String, Reading) -> String? = { _, _ in nil }
  ) -> ValueKind {
    let longest = 1024
    return text.validated(["pattern": .string("^\(pattern)$"), "maxLength": .integer(longest)]) { text, node, reading in
      if text.unicodeScalars.count <= longest, reading.isWhole(text, like: pattern) { return nil }
      return Diagnostic(
        .wrongValue, "\(quoted(text)) is not a valid \(what)", at: node.range,
        "write it as \(quoted(corrected(text, reading) ?? example))")
    }
  }

  /// Returns the value kind for strings that must be one of several words.
  ///
  /// - Parameters:
  ///   - meant: known words, keyed by their common synonyms.
  ///   - advice: the advice for words that have no synonym, but a replacement.
  static func word(
    _ what: String, _ words: [String], meant: [String: String] = [:], advice: [String: String] = [:]
  ) -> ValueKind {
    ValueKind(.words(words)) { node, reading in
      guard let word = node.word else {
        reading.wrongKind(node, expected: "a string", "choose from \(listed(words))")
        return nil
      }
      return word
    }
    .validated { word, node, _ in .unknown(what, word, among: words, meant: meant, advice: advice, at: node.range) }
  }

  /// The id of a declared image.
  static var image: ValueKind {
    text.validated { id, node, reading in
      guard let images = reading.declared.images, !images.contains(id) else { return nil }
      if let round = node.round {
        return Diagnostic(
          .undeclaredImage, "the image \(quoted(id)) of round \(round) is not declared", at: node.range,
          images.list.isEmpty
            ? "declare it in \"images\"" : "declare it, or repeat fewer times; the images are \(listed(images.list))")
      }
      return Diagnostic(
        .undeclaredImage, "the image \(quoted(id)) is not declared", at: node.range,
        images.advice(for: id, orElse: "declare it in \"images\"", only: "the only image is"))
    }
  }

  /// The name of a strategy in the ``Vocabulary``.
  static var strategy: ValueKind {
    text.named("strategy-name").validated { name, node, reading in
      .unknown(
        "strategy", name, among: reading.vocabulary.strategies,
        meant: ["urlsession": "dataTask", "URLSession": "dataTask"],
        at: node.range)
    }
  }

  /// The name of a program in the ``Vocabulary``.
  static var program: ValueKind {
    text.validated { name, node, reading in
      .unknown("program", name, among: reading.vocabulary.programs.map(\.name), at: node.range)
    }
  }

  /// A variant of the scenario's program.
  static var variant: ValueKind {
    text.validated { name, node, reading in
      reading.vocabulary.program(reading.declared.program).flatMap {
        .unknown("variant", name, among: $0.variants, at: node.range)
      }
    }
  }

  /// A control of the scenario's program. It consists of the control's name and, after a space, its argument.
  static var control: ValueKind {
    text.validated { control, node, reading in
      let known = reading.vocabulary.program(reading.declared.program)?.controls ?? []
      guard !known.isEmpty else {
        return Diagnostic(
          .wrongValue, "the program \(quoted(reading.declared.program)) has no controls", at: node.range,
          "remove the step, or choose another \"program\"")
      }
      return .unknown("control", String(control.prefix { $0 != " " }), among: known, at: node.range)
    }
  }
}

extension ValueKind where Value: RawRepresentable<String> {
  /// Returns the value kind for words that must be one of several values of an enumeration.
  static func word(_ what: String, _ values: [Value], meant: [String: Value] = [:]) -> ValueKind {
    ValueKind<String>.word(what, values.map(\.rawValue), meant: meant.mapValues(\.rawValue)).map { word in
      values.first { $0.rawValue == word }!
    }
  }
}

extension ValueKind where Value: CaseIterable & RawRepresentable<String> {
  /// Returns the value kind for words that must be a value of an enumeration.
  ///
  /// - Parameter meant: values, keyed by their common synonyms.
  static func word(_ what: String, meant: [String: Value] = [:]) -> ValueKind {
    word(what, Array(Value.allCases), meant: meant)
  }
}

extension ValueKind where Value == Bool {
  /// `true` or `false`.
  static var flag: ValueKind {
    ValueKind(.flag) { node, reading in
      guard case .bool(let value) = node.content else {
        let unquoted = node.word.flatMap { Bool($0) }.map { "remove the quotes: \($0)" }
        reading.wrongKind(node, expected: "true or false", unquoted)
        return nil
      }
      return value
    }
  }
}

extension ValueKind where Value == Int {
  /// Returns the value kind for integers in a range.
  ///
  /// - Parameter advice: the advice for any other value.
  static func integer(_ range: ClosedRange<Int>, _ advice: String? = nil) -> ValueKind {
    ValueKind(.integer(range)) { node, reading in
      if case .number(let number) = node.content, let integer = number.integer, range.contains(integer) {
        return integer
      }
      let unquoted = node.word.flatMap(Int.init).flatMap { range.contains($0) ? "remove the quotes: \($0)" : nil }
      let expected =
        range.count == 1 ? "\(range.lowerBound)" : "a whole number from \(range.lowerBound) to \(range.upperBound)"
      reading.wrongKind(node, expected: expected, unquoted ?? advice)
      return nil
    }
  }
}

extension ValueKind where Value == Double {
  /// Returns the value kind for numbers in the given range.
  static func number(_ range: ClosedRange<Double>) -> ValueKind {
    ValueKind(.number(range)) { node, reading in
      if case .number(let number) = node.content, range.contains(number.value) { return number.value }
      reading.wrongKind(node, expected: "a number from \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
  }
}

extension ValueKind where Value == JSONValue {
  /// Any value.
  static var anything: ValueKind { ValueKind(.anything) { node, _ in JSONValue(node) } }
}
