/// The life of one image, as a pure value without locks, clocks or threads.
///
/// Each transition returns what the caller does outside any lock. Each fetch has a generation number; a result from an
/// outdated generation is dropped.
package struct ImageLife: Equatable, Sendable {
  /// The number of fetches started so far.
  package private(set) var generation = 0
  package private(set) var state = ImageState.idle

  package init() {}

  /// Records a read of the image. Returns the generation of the fetch to start, or nil if the picture is loaded or a
  /// fetch is in flight.
  package mutating func read() -> Int? {
    mustFetch ? reload() : nil
  }

  /// Records a reload. Returns the generation of the fetch to start, or nil if a fetch is in flight.
  package mutating func reload() -> Int? {
    guard !state.isFetching else { return nil }
    generation += 1
    state = .fetching(previous: state.picture)
    return generation
  }

  /// Whether a read starts a fetch, because there is no picture and no fetch is in flight.
  package var mustFetch: Bool { !state.isFetching && state.picture == nil }

  /// Returns to the picture that was not replaced, or to the first state if there is none.
  private mutating func restore() { state = state.picture.map(ImageState.loaded) ?? .idle }

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
      restore()
      return .announceCancelled
    case .failure(let error):
      state = .failed(error, previous: state.picture)
      return .announceFailed(error)
    }
  }

  /// Records a cancellation. A loaded picture is kept. Returns whether the caller must leave the shared request.
  package mutating func cancel() -> Bool {
    guard state.isFetching else { return false }
    restore()
    return true
  }

  /// Records that the picture is released. Returns whether the caller must leave the shared request.
  package mutating func unload() -> Bool {
    defer { state = .idle }
    return state.isFetching
  }

  /// Accepts a picture without fetching it, unless there is one or a fetch is in flight.
  package mutating func accept(_ picture: Picture) { if mustFetch { state = .loaded(picture) } }

  /// Whether results and progress from `generation` are still current.
  package func isAwaiting(_ generation: Int) -> Bool { state.isFetching && generation == self.generation }
}
