import EventBus
import FetcherModel
import FetcherViews
import ScenarioFormat

/// The default program. It has one picture page for each view of the scenario, and the images that these pages show.
final class ListAndPicture: Program {
  private struct WeakImage {
    weak var image: IFImage?
  }

  private let context: ProgramContext
  private let environment: FetchEnvironment
  private var images: [String: IFImage] = [:]
  private var views: [String: ImageViewController] = [:]
  private var selections = Selections()
  /// All images that were created during the run.
  private var made: [WeakImage] = []
  /// Whether the program has a bug: a view keeps the subscriptions of earlier selections, and draws any picture that
  /// arrives. The last response wins instead of the last selection.
  private let isBroken: Bool
  /// The subscriptions of the broken variant, and what they have drawn.
  private var kept: [Subscription] = []
  private var drawn: [String: Picture] = [:]
  private var scenario: Scenario { context.scenario }
  private var recorder: TraceRecorder { context.recorder }

  init(_ context: ProgramContext, isBroken: Bool = false) {
    (self.context, self.isBroken) = (context, isBroken)
    let scenario = context.scenario
    environment = context.environment(limits: FetchLimits(scenario.limits), cache: ImageCache(scenario.cache))
    for name in scenario.views {
      views[name] = ImageViewController(in: environment, name: name) { [context, weak self] screen in
        self?.drawn[name] = nil
        var values: TraceValues = [.view: name]
        values[.image] = screen.title
        // Identify the picture by its bytes, not its title, because a page could show the wrong picture under the right
        // name.
        values[.shown] =
          screen.picture.map { picture in
            picture.isPlaceholder ? "placeholder" : context.owner(picture.bytes, screen.title) ?? "unknown"
          } ?? "nothing"
        context.recorder.record(.uiUpdate, values)
      }
    }
  }

  var isIdle: Bool { !images.values.contains { $0.isFetching } }

  func perform(_ action: Scenario.Action) {
    switch action {
    case .appear(let view):
      guard let page = views[view] else { return }
      guard let image = page.image else { return page.viewWillAppear() }
      read(image) { page.viewWillAppear() }
    case .disappear(let view): disappear(view)
    case .select(let image, let view): select(image, view)
    case .deselect(let view):
      selections[view] = nil
      views[view]?.show(nil)
    case .switchStrategy(let name):
      try? environment.select(StrategyName(name))
    case .cancel(let image): images[image]?.cancel()
    case .dropModel(let image):
      for id in image.map({ [$0] }) ?? livingImages { drop(id) }
    case .memoryWarning: environment.cache?.removeAll()
    case .send(let headers): environment.updateHeaders { $0 = HTTPHeaders(headers.map { ($0.name, $0.value) }) }
    case .publish, .subscribe, .unsubscribe, .origin, .originOfAll, .network, .busy, .waitIdle, .note, .tap:
      break
    }
  }

  var visible: [String: Bool] { views.mapValues(\.isVisible) }

  var screens: [ProgramScreen] {
    var list = ProgramScreen("list", isVisible: true)
    list.title = "Pictures"
    list.rows = scenario.images.map { image in
      ProgramScreen.Row(image.id, images[image.id], isSelected: views.values.contains { $0.image?.name == image.id })
    }
    return [list]
      + scenario.views.compactMap { name in
        views[name].map { page in
          var screen = ProgramScreen(name, page)
          screen.picture = drawn[name] ?? screen.picture
          return screen
        }
      }
  }

  var finalState: RunRecord.Final {
    RunRecord.Final(
      visible: visible,
      images: Dictionary(
        uniqueKeysWithValues: scenario.images.map { image in
          (image.id, images[image.id].map { Scenario.ImageStateName($0.state) } ?? .idle)
        }))
  }

  func close() {
    for view in views.values { view.viewWillDisappear() }
    environment.shutDown()
    for subscription in kept { subscription.cancel() }
    (images, views, kept) = ([:], [:], [])
  }

  var livingModels: Int { made.count { $0.image != nil } }

  private func disappear(_ name: String) {
    guard let page = views[name] else { return }
    page.viewWillDisappear()
    guard scenario.onDisappear == .cancel, let image = page.image else { return }
    let isAwaited = views.values.contains { $0.isVisible && $0.image === image }
    if !isAwaited { image.cancel() }
  }

  private func select(_ id: String, _ view: String) {
    guard let page = views[view], let image = image(id) else { return }
    selections[view] = id
    read(image) { page.show(image) }
    if isBroken { keepListening(to: image, view) }
  }

  private func keepListening(to image: IFImage, _ view: String) {
    let subscription = context.bus.subscribe(to: ImageFetched.self, key: image.id, on: .main, name: view) {
      @MainActor [weak self] event in
      guard let self, let page = views[view], page.isVisible, page.image?.id != event.imageID else { return }
      drawn[view] = event.picture
      var values: TraceValues = [.view: view]
      values[.image] = page.image?.name
      values[.shown] = context.owner(event.picture.bytes, event.name) ?? "unknown"
      recorder.record(.uiUpdate, values)
    }
    kept.append(subscription)
  }

  /// Runs an action that reads an image. Records a cache hit if the picture is then loaded without a fetch.
  private func read(_ image: IFImage, _ action: () -> Void) {
    let wasLoaded = Scenario.ImageStateName(image.state) == .loaded
    context.owners.willRead(image)
    action()
    guard !wasLoaded, Scenario.ImageStateName(image.state) == .loaded else { return }
    recorder.record(.cacheHit, [.image: image.name])
  }

  private func image(_ id: String) -> IFImage? {
    if let image = images[id] { return image }
    guard let address = context.addresses[id] else { return nil }
    let image = IFImage(name: id, url: address, in: environment)
    images[id] = image
    made.append(WeakImage(image: image))
    return image
  }

  /// The ids of the images that still exist, in the order of the scenario.
  private var livingImages: [String] { scenario.images.map(\.id).filter { images[$0] != nil } }

  private func drop(_ id: String) {
    guard images.removeValue(forKey: id) != nil else { return }
    let deselected = selections.removeImage(id)
    recorder.record(.modelDrop, [.image: id], lane: .user)
    for name in scenario.views where deselected.contains(name) { views[name]?.show(nil) }
  }
}

extension ProgramScreen {
  /// Creates the content of a picture page.
  @MainActor init(_ view: String, _ page: ImageViewController) {
    self.init(view, isVisible: page.isVisible)
    hasPicture = true
    (title, picture, problem) = (page.screen.title, page.screen.picture, page.screen.problem)
    isLoading = page.image?.isFetching == true
  }
}

extension FetchLimits {
  /// Creates the limits from the scenario's configuration.
  init(_ limits: Scenario.Limits) {
    self.init(
      deadline: limits.endsAtDeadline ? limits.deadline : nil, idleTimeout: .seconds(limits.timeoutSeconds),
      retries: limits.retries, retryDelay: limits.retryDelay, backoff: limits.backoff)
  }
}

extension ImageCache {
  /// Creates the cache from the scenario's configuration.
  fileprivate convenience init(_ cache: Scenario.Cache) {
    self.init(countLimit: cache.pictures, costLimit: cache.bytes)
  }
}
