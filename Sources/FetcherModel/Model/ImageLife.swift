/// The life of one image, as a pure value without locks, clocks or threads.
///
/// Each transition returns an action, which the caller performs outside any lock. Each fetch has a generation number; a
/// result from an outdated generation is dropped.
package struct ImageLife: Equatable, Sendable {
  /// The number of fetches started so far.
  package private(set) var generation = 0
  package private(set) var state = ImageState.idle

  package init() {}

  /// The action to take after a read.
  package enum ReadAction: Equatable, Sendable {
    case show(Picture)
    case showPlaceholder
    /// Shows the placeholder and starts the fetch for this generation.
    case startFetch(generation: Int)
  }

  /// Records a read of the image.
  package mutating func read() -> ReadAction {
    switch state {
    case .loaded(let picture):
      return .show(picture)
    case .fetching(let previous):
      return previous.map(ReadAction.show) ?? .showPlaceholder
    case .idle, .failed:
      generation += 1
      state = .fetching(previous: nil)
      return .startFetch(generation: generation)
    }
  }

  /// Records a reload. Returns the generation of the fetch to start, or nil if a fetch is in flight.
  package mutating func reload() -> Int? {
    guard !state.isFetching else { return nil }
    generation += 1
    state = .fetching(previous: state.picture)
    return generation
  }

  /// Returns to the picture that was not replaced, or to another state if there is none.
  private mutating func restore(or other: ImageState) { state = state.picture.map(ImageState.loaded) ?? other }

  /// The action to take after a fetch ends.
  package enum FinishAction: Equatable, Sendable {
    case announceFetched(Picture)
    case announceFailed(FetchError)
    case announceCancelled
    /// The result is late: a cancellation or a newer fetch came first.
    case drop
  }

  /// Records the result of a fetch. The state is final when this call returns.
  package mutating func finish(_ generation: Int, with result: Result<Picture, FetchError>) -> FinishAction {
    guard isAwaiting(generation) else { return .drop }
    switch result {
    case .success(let picture):
      state = .loaded(picture)
      return .announceFetched(picture)
    case .failure(.cancelled):
      restore(or: .idle)
      return .announceCancelled
    case .failure(let error):
      restore(or: .failed(error))
      return .announceFailed(error)
    }
  }

  /// Records a cancellation. A loaded picture is kept. Returns whether the caller must leave the shared request.
  package mutating func cancel() -> Bool {
    guard state.isFetching else { return false }
    restore(or: .idle)
    return true
  }

  /// Records that the picture is released. Returns whether the caller must leave the shared request.
  package mutating func unload() -> Bool {
    defer { state = .idle }
    return state.isFetching
  }

  /// Accepts a picture without fetching it, unless one is loaded. Returns the picture to show, or nil while a fetch is in
  /// flight.
  package mutating func accept(_ picture: Picture) -> Picture? {
    switch state {
    case .fetching: return nil
    case .loaded(let loaded): return loaded
    case .idle, .failed:
      state = .loaded(picture)
      return picture
    }
  }

  /// Whether results and progress from `generation` are still current.
  package func isAwaiting(_ generation: Int) -> Bool { state.isFetching && generation == self.generation }
}
