/// The state of an ``IFImage``.
public enum ImageState: Equatable, Sendable {
  /// Never read, or cancelled.
  case idle
  /// A fetch is in flight.
  case fetching
  /// The picture has arrived, and stays.
  case loaded(Picture)
  /// The last fetch failed. The next read of ``IFImage/image`` starts another.
  case failed(FetchError)
}

/// The life of one image as a pure value: no lock, no clock, no thread.
///
/// Each transition returns the action that the caller performs outside any lock. Every fetch has a generation. A
/// result of an outdated
/// generation is dropped.
package struct ImageLife: Equatable, Sendable {
  /// The number of started fetches.
  package private(set) var generation = 0
  package private(set) var state = ImageState.idle

  package init() {}

  /// The action after a read.
  package enum ReadAction: Equatable, Sendable {
    case show(Picture)
    case showPlaceholder
    /// Show the placeholder and start the fetch of this generation.
    case startFetch(generation: Int)
  }

  /// Records a read of the image.
  package mutating func read() -> ReadAction {
    switch state {
    case .loaded(let picture):
      return .show(picture)
    case .fetching:
      return .showPlaceholder
    case .idle, .failed:
      generation += 1
      state = .fetching
      return .startFetch(generation: generation)
    }
  }

  /// The action after the end of a fetch.
  package enum FinishAction: Equatable, Sendable {
    case announceFetched(Picture)
    case announceFailed(FetchError)
    case announceCancelled
    /// The result is late: a cancel or a newer fetch came first.
    case drop
  }

  /// Records the result of a fetch. The state is final when this returns.
  package mutating func finish(_ generation: Int, with result: Result<Picture, FetchError>) -> FinishAction {
    guard isAwaiting(generation) else { return .drop }
    switch result {
    case .success(let picture):
      state = .loaded(picture)
      return .announceFetched(picture)
    case .failure(.cancelled):
      state = .idle
      return .announceCancelled
    case .failure(let error):
      state = .failed(error)
      return .announceFailed(error)
    }
  }

  /// Records a cancel. A loaded picture stays. Returns whether the caller must leave a request.
  package mutating func cancel() -> Bool {
    guard state == .fetching else { return false }
    state = .idle
    return true
  }

  /// Accepts a picture without a fetch. Has no effect while a fetch is in flight.
  package mutating func accept(_ picture: Picture) -> Bool {
    guard state != .fetching else { return false }
    state = .loaded(picture)
    return true
  }

  /// Whether a result or progress of `generation` still counts.
  package func isAwaiting(_ generation: Int) -> Bool { state == .fetching && generation == self.generation }
}
