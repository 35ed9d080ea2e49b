/// Loads many pictures, at most three at a time.
struct ListLoader: Sendable {
  let fetch: @Sendable (String) async throws -> String

  func load(_ pictures: [String]) async -> [String?] {
    await withTaskGroup(of: (Int, String?).self) { group in
      var images = [String?](repeating: nil, count: pictures.count)
      // Three at a time, one batch after another.
      for start in stride(from: 0, to: pictures.count, by: 3) {
        for index in pictures.indices[start...].prefix(3) {
          group.addTask { (index, try? await fetch(pictures[index])) }
        }
        for await (index, image) in group { images[index] = image }
      }
      return images
    }
  }
}
