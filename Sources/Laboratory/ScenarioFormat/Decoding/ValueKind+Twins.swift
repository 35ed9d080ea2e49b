extension ValueKind {
  /// The same list, where each text is there once.
  ///
  /// It looks at the texts alone, so that duplicates are reported whatever else is wrong with the list.
  ///
  /// - Parameters:
  ///   - key: where the text of an element stands; nil if the element is the text.
  ///   - identity: what two texts must not have in common.
  ///   - taken: texts that are there already.
  ///   - message: what is wrong, about the text in its quotes.
  func eachOnce<Element>(
    _ key: String? = nil, by identity: @escaping @Sendable (String) -> AnyHashable = { $0 },
    beside taken: Set<String> = [], advice: String = "keep one of them",
    _ message: @escaping @Sendable (String) -> String
  ) -> ValueKind where Value == [Element] {
    ValueKind(schema) { node, reading in
      let before = reading.diagnostics.errorCount
      var known = Set(taken.map(identity))
      for element in node.elements {
        guard let text = key.map({ element[$0] }) ?? element, let word = text.word,
          !known.insert(identity(word)).inserted
        else {
          continue
        }
        reading.report(.duplicate, message(quoted(word)), at: text.range, advice)
      }
      let hasTwins = reading.diagnostics.errorCount > before
      let value = read(node, &reading)
      return hasTwins ? nil : value
    }
  }

  /// A list of words, each there once.
  func distinct(_ count: ClosedRange<Int> = 0...Int.max) -> ValueKind<[Value]> {
    list(count).noted(["uniqueItems": true]).eachOnce { "\($0) is there already" }
  }
}
