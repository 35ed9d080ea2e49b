import EventBus
import FetcherModel

/// One fetch from its start to its end, for who has no view.
struct ImageFetch: Sendable {
  let environment: FetchEnvironment

  /// Reads the image and returns when its fetch has ended.
  func result(of image: IFImage) async -> Result<Picture, FetchError> {
    await withCheckedContinuation { continuation in
      environment.runtime.main.schedule {
        let ending = Ending(environment.runtime) { continuation.resume(returning: $0) }
        let bus = environment.bus
        ending.listen([
          bus.subscribe(to: ImageFetched.self, key: image.id, on: .main) { _ in ending.settle(image) },
          bus.subscribe(to: ImageFetchFailed.self, key: image.id, on: .main) { _ in ending.settle(image) },
          bus.subscribe(to: ImageFetchCancelled.self, key: image.id, on: .main) { _ in ending.settle(image) },
        ])
        _ = image.image
        // From the cache there is no event: the picture is simply there.
        if case .loaded = image.state { ending.settle(image) }
      }
    }
  }
}

/// The end of a fetch, told once. It lives on main.
private final class Ending: Sendable {
  private struct State {
    var tell: (@Sendable (Result<Picture, FetchError>) -> Void)?
    var subscriptions: [Subscription] = []
  }

  private let state: Confined<State>

  init(_ runtime: any Runtime, _ tell: @escaping @Sendable (Result<Picture, FetchError>) -> Void) {
    state = Confined(runtime.main, State(tell: tell))
  }

  func listen(_ subscriptions: [Subscription]) {
    state.withValue { $0.subscriptions = subscriptions }
  }

  func settle(_ image: IFImage) {
    let result: Result<Picture, FetchError> =
      switch image.state {
      case .loaded(let picture): .success(picture)
      case .failed(let error): .failure(error)
      default: .failure(.cancelled)
      }
    let old = state.withValue { state in
      defer { state = State() }
      return state
    }
    for subscription in old.subscriptions { subscription.cancel() }
    old.tell?(result)
  }
}
