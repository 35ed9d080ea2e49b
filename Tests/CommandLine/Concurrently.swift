extension Array where Element: Sendable {
  /// Returns the results of `body` for all elements, in their order. Six elements are processed at a time: enough to
  /// overlap the waits, and few enough not to slow each other down.
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
