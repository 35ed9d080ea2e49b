import FetcherModel

/// What the requests for some images can ask for, and what views can show then: rather too much than too little.
struct PossiblePictures: Sendable {
  /// The paths of requests; nil for any.
  let paths: Set<UTF8Key>?
  /// What a view can show; nil for anything.
  let shown: Set<String>?

  /// - Parameters:
  ///   - ids: the images that are asked for.
  ///   - images: those of the file; nil if they cannot be read.
  ///   - origin: what the file says of it; nil if that cannot be read.
  init(
    of ids: Set<String>, _ actions: [Scenario.Action], _ images: [Scenario.Image]?, _ origin: Scenario.Origin?
  ) {
    let changes = actions.compactMap { if case .origin(let route) = $0 { route } else { nil } }
    let answers = origin.map { ($0.routes + changes).flatMap(\.responses) + [$0.fallback].compactMap(\.self) }
    // A redirect may lead to any other path.
    guard let images, let answers, answers.allSatisfy({ $0.redirect == nil }) else {
      (paths, shown) = (nil, nil)
      return
    }
    let paths = Set(images.filter { ids.contains($0.id) }.map(\.path))
    self.paths = paths
    var shown = ids.union(["placeholder", "nothing"])
    shown.formUnion(images.filter { paths.contains($0.path) }.map(\.id))
    var hasFiles = false
    for answer in answers {
      switch answer.body {
      case .image(let id): shown.insert(id)
      case .file: hasFiles = true
      case .ofPath, .bytes, .json: break
      }
    }
    // A file may have the bytes of any picture.
    self.shown = hasFiles ? nil : shown
  }
}
