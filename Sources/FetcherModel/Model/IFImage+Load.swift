import EventBus

extension IFImage {
  /// Reads the picture and hands it over, or why there is none: once, on main, never inside this call.
  ///
  /// Joins a fetch under way, and keeps the image until its end. A picture that is at hand needs no fetch.
  public func load(_ completion: @escaping @Sendable (Result<Picture, FetchError>) -> Void) {
    environment.runtime.main.schedule { [self] in
      let waiting = ImageWait(environment.runtime, completion)
      let bus = environment.bus
      waiting.hold([
        bus.subscribe(to: ImageFetched.self, key: id, on: .main) { [self] _ in
          if case .loaded(let picture) = state { waiting.end(.success(picture)) }
        },
        bus.subscribe(to: ImageFetchFailed.self, key: id, on: .main) { waiting.end(.failure($0.error)) },
        bus.subscribe(to: ImageFetchCancelled.self, key: id, on: .main) { _ in waiting.end(.failure(.cancelled)) },
      ])
      // From the cache there is no event: the picture is simply there.
      let picture = image
      if case .loaded = state { waiting.end(.success(picture)) }
    }
  }

  /// The picture, fetched if need be.
  ///
  /// Cancelling the calling task changes nothing, as others may wait for the same image; ``cancel()`` ends it.
  ///
  /// - Throws: why there is no picture.
  public func load() async throws(FetchError) -> Picture {
    let result = await withCheckedContinuation { continuation in load { continuation.resume(returning: $0) } }
    return try result.get()
  }
}

/// Somebody who waits for the end of a fetch. It lives on main.
private final class ImageWait: Sendable {
  private struct State {
    var completion: (@Sendable (Result<Picture, FetchError>) -> Void)?
    var subscriptions: [Subscription] = []
  }

  private let state: Confined<State>

  init(_ runtime: any Runtime, _ completion: @escaping @Sendable (Result<Picture, FetchError>) -> Void) {
    state = Confined(runtime.main, State(completion: completion))
  }

  func hold(_ subscriptions: [Subscription]) { state.withValue { $0.subscriptions = subscriptions } }

  func end(_ result: Result<Picture, FetchError>) {
    let old = state.withValue { state in
      defer { state = State() }
      return state
    }
    for subscription in old.subscriptions { subscription.cancel() }
    old.completion?(result)
  }
}
