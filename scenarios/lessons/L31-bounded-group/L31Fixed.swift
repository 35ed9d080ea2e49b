/// Loads many pictures, at most three at a time.
struct ListLoader: Sendable {
  let fetch: @Sendable (String) async throws -> String

  func load(_ pictures: [String]) async -> [String?] {
    await withTaskGroup(of: (Int, String?).self) { group in
      var images = [String?](repeating: nil, count: pictures.count)
      var waiting = pictures.indices.makeIterator()
      func addNext() {
        guard let index = waiting.next() else { return }
        group.addTask { (index, try? await fetch(pictures[index])) }
      }
      for _ in 1...3 { addNext() }
      for await (index, image) in group {
        images[index] = image
        addNext()
      }
      return images
    }
  }
}
