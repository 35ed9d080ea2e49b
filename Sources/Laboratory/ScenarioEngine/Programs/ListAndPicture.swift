import EventBus
import FetcherModel
import FetcherViews
import ScenarioFormat

/// The shipped program: picture pages, one for each view of the scenario, and the images that they show.
final class ListAndPicture: Program {
  private struct WeakImage {
    weak var image: IFImage?
  }

  private struct State {
    var images: [String: IFImage] = [:]
    var views: [String: ImageViewController] = [:]
    var selections = Selections()
    /// Every image there ever was.
    var made: [WeakImage] = []
  }

  private let context: ProgramContext
  private let environment: FetchEnvironment
  private let state: Confined<State>
  private var scenario: Scenario { context.scenario }
  private var recorder: TraceRecorder { context.recorder }

  init(_ context: ProgramContext) {
    self.context = context
    let scenario = context.scenario
    environment = context.environment(limits: FetchLimits(scenario.limits), cache: ImageCache(scenario.cache))
    state = Confined(context.runtime.main, State())
    open()
  }

  private func open() {
    let views = scenario.views.map { name in
      let view = ImageViewController(in: environment, name: name) { [context] screen in
        var values: TraceValues = [.view: name]
        values[.image] = screen.title
        // By its bytes, not by its title: a page could show the wrong picture under the right name.
        values[.shown] =
          screen.picture.map { picture in
            picture.isPlaceholder ? "placeholder" : context.owner(picture.bytes, screen.title) ?? "unknown"
          } ?? "nothing"
        context.recorder.record(.uiUpdate, values)
      }
      return (name, view)
    }
    state.withValue { $0.views = Dictionary(uniqueKeysWithValues: views) }
  }

  var isIdle: Bool { state.withValue { state in !state.images.values.contains { $0.isFetching } } }

  func perform(_ action: Scenario.Action) {
    switch action {
    case .appear(let view):
      guard let page = self.view(view) else { return }
      guard let image = page.image else { return page.viewWillAppear() }
      read(image) { page.viewWillAppear() }
    case .disappear(let view): disappear(view)
    case .select(let image, let view): select(image, view)
    case .deselect(let view):
      state.withValue { $0.selections[view] = nil }
      self.view(view)?.show(nil)
    case .switchStrategy(let name):
      if let strategy = environment.registry[name] { environment.strategy = strategy }
    case .cancel(let image): state.withValue { $0.images[image] }?.cancel()
    case .dropModel(let image):
      for id in image.map({ [$0] }) ?? livingImages { drop(id) }
    case .memoryWarning: environment.cache?.removeAll()
    case .send(let headers): environment.headers = headers.map { ($0.name, $0.value) }
    case .publish, .subscribe, .unsubscribe, .origin, .originOfAll, .busy, .waitIdle, .note, .tap: break
    }
  }

  var visible: [String: Bool] { state.withValue { $0.views.mapValues(\.isVisible) } }

  var finalState: RunRecord.Final {
    let visible = visible
    return state.withValue { state in
      RunRecord.Final(
        visible: visible,
        images: Dictionary(
          uniqueKeysWithValues: scenario.images.map { image in
            (image.id, state.images[image.id].map { Scenario.ImageStateName($0.state) } ?? .idle)
          }))
    }
  }

  func close() {
    let old = state.withValue { state in
      defer { (state.images, state.views) = ([:], [:]) }
      return state
    }
    for view in old.views.values { view.viewWillDisappear() }
    environment.finishAndCleanUp()
  }

  var livingModels: Int { state.withValue { state in state.made.count { $0.image != nil } } }

  private func view(_ name: String) -> ImageViewController? { state.withValue { $0.views[name] } }

  private func disappear(_ name: String) {
    guard let page = view(name) else { return }
    page.viewWillDisappear()
    guard scenario.onDisappear == .cancel, let image = page.image else { return }
    let isAwaited = state.withValue { $0.views.values.contains { $0.isVisible && $0.image === image } }
    if !isAwaited { image.cancel() }
  }

  private func select(_ id: String, _ view: String) {
    guard let page = self.view(view), let image = image(id) else { return }
    state.withValue { $0.selections[view] = id }
    read(image) { page.show(image) }
  }

  /// Does what reads an image, and records whether its picture came from the cache: it is then here without a fetch.
  private func read(_ image: IFImage, _ action: () -> Void) {
    let wasLoaded = Scenario.ImageStateName(image.state) == .loaded
    context.owners.willRead(image)
    action()
    guard !wasLoaded, Scenario.ImageStateName(image.state) == .loaded else { return }
    recorder.record(.cacheHit, [.image: image.name])
  }

  private func image(_ id: String) -> IFImage? {
    if let image = state.withValue({ $0.images[id] }) { return image }
    guard let address = context.addresses[id] else { return nil }
    let image = IFImage(name: id, url: address, in: environment)
    state.withValue { state in
      state.images[id] = image
      state.made.append(WeakImage(image: image))
    }
    return image
  }

  /// In the order of the scenario.
  private var livingImages: [String] {
    state.withValue { state in scenario.images.map(\.id).filter { state.images[$0] != nil } }
  }

  private func drop(_ id: String) {
    let views = state.withValue { state in
      state.images.removeValue(forKey: id).map { _ in state.selections.letGo(of: id) }
    }
    guard let views else { return }
    recorder.record(.modelDrop, [.image: id], lane: .user)
    guard !views.isEmpty else { return }
    for name in scenario.views where views.contains(name) { view(name)?.show(nil) }
  }
}

extension FetchLimits {
  /// As a scenario configures them.
  init(_ limits: Scenario.Limits) {
    self.init(
      deadline: limits.deadline, maximumInFlight: limits.inFlight, retries: limits.retries,
      retryDelay: limits.retryDelay, backoff: limits.backoff)
  }
}

extension ImageCache {
  /// As a scenario configures it.
  fileprivate convenience init(_ cache: Scenario.Cache) {
    self.init(countLimit: cache.pictures, costLimit: cache.bytes)
  }
}
