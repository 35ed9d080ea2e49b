import EventBus
import FetcherModel
import ScenarioFormat

extension TraceRecorder {
  /// Records how the fetches of the model begin, proceed and end, as long as the subscriptions live.
  func recordFetches(on bus: EventBus) -> [Subscription] {
    [
      bus.subscribe(to: ImageFetchStarted.self) { event in
        self.record(.fetchStart, [.image: event.name, .strategy: event.strategy])
      },
      bus.subscribe(to: ImageFetchProgress.self) { event in
        self.record(.fetchProgress, [.image: event.name])
      },
      bus.subscribe(to: ImageFetched.self) { event in
        self.record(.fetchDone, [.image: event.name, .strategy: event.strategy])
      },
      bus.subscribe(to: ImageFetchFailed.self) { event in
        self.record(
          .fetchFailed, [.image: event.name, .strategy: event.strategy, .error: event.error.category.rawValue])
      },
      bus.subscribe(to: ImageFetchCancelled.self) { event in
        self.record(.fetchCancelled, [.image: event.name, .strategy: event.strategy])
      },
    ]
  }
}

extension Scenario.ImageStateName {
  /// The name of a state.
  init(_ state: ImageState) {
    self =
      switch state {
      case .idle: .idle
      case .fetching: .fetching
      case .loaded: .loaded
      case .failed: .failed
      }
  }
}
