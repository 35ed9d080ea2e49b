import EventBus
import FetcherModel

/// The program that a scenario acts on: views, images, subscribers. Every member is for main only.
final class ScenarioStage: Sendable {
  private struct Subscriber {
    let topic: String
    let subscription: Subscription
  }

  private struct WeakImage {
    weak var image: IFImage?
  }

  private struct State {
    var images: [String: IFImage] = [:]
    var views: [String: ImageViewController] = [:]
    var subscribers: [String: Subscriber] = [:]
    var watching: [Subscription] = []
    /// How many events of steps a worker has still to post.
    var unposted = 0
    /// Every image there ever was.
    var made: [WeakImage] = []
  }

  private let scenario: Scenario
  private let environment: FetchEnvironment
  private let recorder: TraceRecorder
  private let network: any ScenarioNetwork
  private let owners: RequestOwners
  private let state: Confined<State>

  init(
    _ scenario: Scenario, in environment: FetchEnvironment, _ recorder: TraceRecorder, _ network: any ScenarioNetwork,
    _ owners: RequestOwners
  ) {
    self.scenario = scenario
    self.environment = environment
    self.recorder = recorder
    self.network = network
    self.owners = owners
    state = Confined(environment.runtime.main, State())
  }

  /// Makes the views and begins to watch the images.
  func open() {
    let views = scenario.views.map { name in
      let view = ImageViewController(in: environment) { [recorder, network] screen in
        var values: [TraceAttribute: String] = [.view: name]
        values[.image] = screen.title
        // By its bytes, not by its title: a page could show the wrong picture under the right name.
        values[.shown] =
          screen.picture.map { picture in
            picture.isPlaceholder
              ? "placeholder" : network.id(ofPicture: picture.bytes, of: screen.title) ?? "unknown"
          } ?? "nothing"
        recorder.record(.uiUpdate, values)
      }
      return (name, view)
    }
    let watching = watch()
    state.withValue { state in
      state.views = Dictionary(uniqueKeysWithValues: views)
      state.watching = watching
    }
  }

  /// Whether no image is being fetched, and no event waits to be posted.
  var isIdle: Bool {
    state.withValue { state in state.unposted == 0 && !state.images.values.contains { $0.isFetching } }
  }

  /// Calls `action` on main once every event that was posted has reached its subscribers.
  func settle(_ action: @escaping @Sendable () -> Void) {
    let (bus, runtime) = (environment.bus, environment.runtime)
    _ = runtime.task {
      await bus.drain()
      runtime.main.schedule(action)
    }
  }

  /// Does what a step says.
  func perform(_ action: Scenario.Action) {
    switch action {
    case .appear(let view):
      recorder.record(.viewAppear, [.view: view], lane: .user)
      guard let page = self.view(view) else { return }
      if let image = page.image { owners.willRead(image) }
      page.viewWillAppear()
    case .disappear(let view):
      recorder.record(.viewDisappear, [.view: view], lane: .user)
      self.view(view)?.viewWillDisappear()
    case .select(let image, let view): select(image, view)
    case .deselect(let view):
      recorder.record(.viewDeselect, [.view: view], lane: .user)
      self.view(view)?.show(nil)
    case .switchStrategy(let name):
      recorder.record(.strategySwitch, [.strategy: name], lane: .user)
      if let strategy = environment.registry[name] { environment.strategy = strategy }
    case .cancel(let image): state.withValue { $0.images[image] }?.cancel()
    case .dropModel(let image):
      for id in image.map({ [$0] }) ?? scenario.images.map(\.id) { drop(id) }
    case .publish(let topic, let lane): publish(topic, lane)
    case .subscribe(let name, let topic, let delivery): subscribe(name, topic, delivery)
    case .unsubscribe(let name): unsubscribe(name)
    case .memoryWarning:
      recorder.record(.memoryWarning, lane: .user)
      environment.cache?.removeAll()
    case .origin(let route):
      recorder.record(.originChange, [.path: route.path.text], lane: .user)
      network.change(route)
    case .waitIdle: break
    case .note(let text): recorder.record(.note, [.text: text], lane: .user)
    }
  }

  /// How things stand.
  var finalState: RunRecord.Final {
    state.withValue { state in
      RunRecord.Final(
        visible: state.views.mapValues(\.isVisible),
        images: Dictionary(
          uniqueKeysWithValues: scenario.images.map { image in
            (image.id, state.images[image.id].map { Scenario.ImageStateName($0.state) } ?? .idle)
          }))
    }
  }

  /// Lets go of everything.
  func close() {
    let old = state.withValue { state in
      defer {
        state.images = [:]
        state.views = [:]
        state.subscribers = [:]
        state.watching = []
      }
      return state
    }
    for view in old.views.values { view.viewWillDisappear() }
    for subscriber in old.subscribers.values { subscriber.subscription.cancel() }
    for subscription in old.watching { subscription.cancel() }
    environment.finishAndSweep()
  }

  /// What is still alive although it should not be.
  var leaks: Scenario.Leaks {
    let bus = environment.bus
    let subscriptions =
      bus.subscriberCount(for: ImageFetchStarted.self) + bus.subscriberCount(for: ImageFetchProgress.self)
      + bus.subscriberCount(for: ImageFetched.self) + bus.subscriberCount(for: ImageFetchFailed.self)
      + bus.subscriberCount(for: ImageFetchCancelled.self) + bus.subscriberCount(for: ScenarioEvent.self)
    return Scenario.Leaks(
      models: state.withValue { state in state.made.count { $0.image != nil } }, subscriptions: subscriptions)
  }

  private func view(_ name: String) -> ImageViewController? { state.withValue { $0.views[name] } }

  private func select(_ id: String, _ view: String) {
    guard let page = self.view(view), let image = image(id) else { return }
    recorder.record(.viewSelect, [.view: view, .image: id], lane: .user)
    let wasLoaded = Scenario.ImageStateName(image.state) == .loaded
    owners.willRead(image)
    page.show(image)
    // A picture that is here without a fetch comes from the cache.
    if !wasLoaded, Scenario.ImageStateName(image.state) == .loaded { recorder.record(.cacheHit, [.image: id]) }
  }

  private func image(_ id: String) -> IFImage? {
    if let image = state.withValue({ $0.images[id] }) { return image }
    guard let description = scenario.images.first(where: { $0.id == id }) else { return nil }
    let image = IFImage(id, network.address(of: description), in: environment)
    state.withValue { state in
      state.images[id] = image
      state.made.append(WeakImage(image: image))
    }
    return image
  }

  private func drop(_ id: String) {
    guard let image = state.withValue({ $0.images.removeValue(forKey: id) }) else { return }
    recorder.record(.modelDrop, [.image: id], lane: .user)
    for name in scenario.views {
      guard let view = view(name), view.image === image else { continue }
      view.show(nil)
    }
  }

  private func publish(_ topic: String, _ lane: TraceLane) {
    let post = { @Sendable [recorder, bus = environment.bus] in
      recorder.record(.busPost, [.topic: topic])
      bus.post(ScenarioEvent(topic: topic))
    }
    guard lane == .workers else { return post() }
    state.withValue { $0.unposted += 1 }
    let runtime = environment.runtime
    runtime.workers.schedule { [self] in
      post()
      runtime.main.schedule { [self] in
        state.withValue { $0.unposted -= 1 }
        recorder.remind()
      }
    }
  }

  private func subscribe(_ name: String, _ topic: String, _ delivery: Scenario.SubscriberLane) {
    unsubscribe(name)
    recorder.record(.busSubscribe, [.topic: topic, .subscriber: name], lane: .user)
    let place: Delivery =
      switch delivery {
      case .posting: .posting
      case .main: .main
      case .workers: .scheduler(environment.runtime.workers)
      }
    let subscription = environment.bus.subscribe(to: ScenarioEvent.self, key: topic, on: place) { [recorder] event in
      recorder.record(.busDeliver, [.topic: event.topic, .subscriber: name])
    }
    state.withValue { $0.subscribers[name] = Subscriber(topic: topic, subscription: subscription) }
  }

  private func unsubscribe(_ name: String) {
    guard let subscriber = state.withValue({ $0.subscribers.removeValue(forKey: name) }) else { return }
    subscriber.subscription.cancel()
    recorder.record(.busUnsubscribe, [.topic: subscriber.topic, .subscriber: name], lane: .user)
  }

  private func watch() -> [Subscription] {
    let bus = environment.bus
    let recorder = recorder
    return [
      bus.subscribe(to: ImageFetchStarted.self) { event in
        recorder.record(.fetchStart, [.image: event.name, .strategy: event.strategy])
      },
      bus.subscribe(to: ImageFetchProgress.self) { event in
        recorder.record(.fetchProgress, [.image: event.name])
      },
      bus.subscribe(to: ImageFetched.self) { event in
        recorder.record(.fetchDone, [.image: event.name, .strategy: event.strategy])
      },
      bus.subscribe(to: ImageFetchFailed.self) { event in
        let error = Scenario.ErrorCategory(event.error).rawValue
        recorder.record(.fetchFailed, [.image: event.name, .strategy: event.strategy, .error: error])
      },
      bus.subscribe(to: ImageFetchCancelled.self) { event in
        recorder.record(.fetchCancelled, [.image: event.name, .strategy: event.strategy])
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
