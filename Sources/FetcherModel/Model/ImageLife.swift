/// What an ``IFImage`` has, at one moment.
public enum ImageState: Equatable, Sendable {
  /// Never read, or cancelled.
  case idle
  /// A fetch is under way.
  case fetching
  /// The picture is here, and stays.
  case loaded(Picture)
  /// The last fetch failed. The next read of ``IFImage/image`` tries again.
  case failed(FetchError)
}

/// The life of one image as a pure value: no lock, no clock, no thread.
///
/// Each transition returns what the caller has to do, outside any lock. Every fetch has a generation; a result of a
/// generation that is no longer awaited is dropped.
package struct ImageLife: Equatable, Sendable {
  /// The number of fetches begun.
  package private(set) var generation = 0
  /// What the image has.
  package private(set) var state = ImageState.idle

  package init() {}

  /// What a read has to do.
  package enum ReadAction: Equatable, Sendable {
    case show(Picture)
    case showPlaceholder
    /// Show the placeholder and begin the fetch of this generation.
    case startFetch(generation: Int)
  }

  /// The image was read.
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

  /// What the end of a fetch has to do.
  package enum FinishAction: Equatable, Sendable {
    case announceFetched(Picture)
    case announceFailed(FetchError)
    case announceCancelled
    /// The result is late: a cancel or a newer fetch came first.
    case drop
  }

  /// The fetch of `generation` has come to `result`. The state is final when this returns.
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

  /// Nobody wants the picture any more. A picture that is here stays. Returns whether there is a fetch to withdraw from.
  package mutating func cancel() -> Bool {
    guard state == .fetching else { return false }
    state = .idle
    return true
  }

  /// A picture was at hand without a fetch. Ignored while one is under way.
  package mutating func accept(_ picture: Picture) -> Bool {
    guard state != .fetching else { return false }
    state = .loaded(picture)
    return true
  }

  /// Whether a result or a progress of `generation` still counts.
  package func isAwaiting(_ generation: Int) -> Bool { state == .fetching && generation == self.generation }
}
