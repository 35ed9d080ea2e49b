extension Array where Element: Sendable {
  /// The results of `body` for all elements, in their order. It works on so many at once that none waits for another that
  /// only waits, and that none is slowed down by many that work.
  func concurrently<Result: Sendable>(
    _ body: @escaping @Sendable (Element) async throws -> Result
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      var results: [Int: Result] = [:]
      for (index, element) in enumerated() {
        if index >= 6, let (index, result) = try await group.next() { results[index] = result }
        group.addTask { (index, try await body(element)) }
      }
      for try await (index, result) in group { results[index] = result }
      return indices.compactMap { results[$0] }
    }
  }
}
