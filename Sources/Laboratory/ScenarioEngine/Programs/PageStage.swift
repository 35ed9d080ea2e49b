import EventBus
import FetcherModel
import FetcherViews
import ScenarioFormat

/// The stage on which a system's pages run. The stage provides the environment of the pages, and records what they
/// show.
@MainActor final class PageStage {
  private struct View {
    var isVisible = false
    var image: String?
    /// Whether the view's last drawing showed that its picture is loading.
    var isWaiting = false
  }

  let context: ProgramContext
  let settings: ServiceConfiguration
  let key: APIKey?
  /// Whether the settings come from a scenario. If they do, the scenario's origin serves all requests.
  let isScenario: Bool
  private let firstRequests: FirstRequests?
  /// The environment of all fetches.
  private(set) var environment: FetchEnvironment
  private var views: [String: View] = [:]

  /// - Parameters:
  ///   - settings: the settings, or nil to use a scenario's settings.
  ///   - ownSettings: the scenario's settings.
  ///   - firstDeadline: the deadline of the first request for each address, or nil for the standard one.
  init(
    _ context: ProgramContext, settings: ServiceConfiguration?, orOwn ownSettings: ServiceConfiguration, key: APIKey?,
    firstDeadline: Duration?
  ) {
    self.context = context
    isScenario = settings == nil
    self.settings = settings ?? ownSettings
    self.key = key
    let firstRequests = firstDeadline.map(FirstRequests.init)
    self.firstRequests = firstRequests
    environment = Self.environment(context, nil, self.settings.transportPolicy, firstRequests)
  }

  /// - Parameter strategy: the strategy, or nil for the run's strategy.
  private static func environment(
    _ context: ProgramContext, _ strategy: StrategyName?, _ policy: TransportPolicy, _ firstRequests: FirstRequests?
  ) -> FetchEnvironment {
    let environment = context.environment(strategy, policy: policy, limits: FetchLimits(context.scenario.limits))
    if let firstRequests { environment.ownDeadline = { firstRequests.deadline(of: $0, policy) } }
    return environment
  }

  /// Restarts the program with a different policy in its property list.
  func relaunch(_ policy: TransportPolicy) {
    let old = environment
    let new = Self.environment(context, old.strategy.name, policy, firstRequests)
    new.headers = old.headers
    environment = new
    old.finishAndCleanUp()
  }

  /// Performs a step that the engine has already recorded.
  func take(_ action: Scenario.Action) {
    switch action {
    case .appear(let view): views[view, default: View()].isVisible = true
    case .disappear(let view): views[view, default: View()].isVisible = false
    case .select(let image, let view): views[view, default: View()].image = image
    case .deselect(let view): views[view, default: View()].image = nil
    default: break
    }
  }

  /// Records that a step had no effect, for example because a row does not exist yet.
  func miss(_ action: Scenario.Action) {
    switch action {
    case .select(let image, let view): context.recorder.record(.pageShow, Self.miss(image, view))
    case .tap(let control, let view): context.recorder.record(.pageShow, Self.miss(control, view))
    case .cancel(let image): context.recorder.record(.pageShow, Self.miss(image, ""))
    default: break
    }
  }

  private static func miss(_ subject: String, _ view: String) -> TraceValues {
    [.view: view, .text: "no effect, because “\(subject)” does not exist"]
  }

  /// Records that a view has appeared or disappeared, if this changes its state.
  func note(_ view: String, isVisible: Bool) {
    guard views[view, default: View()].isVisible != isVisible else { return }
    views[view, default: View()].isVisible = isVisible
    context.recorder.record(isVisible ? .viewAppear : .viewDisappear, [.view: view])
  }

  /// Records the content of a picture page.
  func draw(_ view: String, _ screen: ImageViewController.Screen) {
    draw(view, screen.title, screen.picture, isLoading: false, screen.problem)
  }

  /// Records the content of a slide page.
  func draw(_ view: String, _ screen: SlideViewController.Screen) {
    switch screen.content {
    case .placeholder: draw(view, screen.title, .placeholder, isLoading: false, screen.problem)
    case .loading: draw(view, screen.title, .placeholder, isLoading: true, nil)
    case .picture(let picture): draw(view, screen.title, picture, isLoading: false, nil)
    }
  }

  private func draw(_ view: String, _ image: String?, _ picture: Picture?, isLoading: Bool, _ problem: String?) {
    note(view, isVisible: true)
    let isMissing = picture?.isPlaceholder != false
    let old = views[view] ?? View()
    views[view] = View(isVisible: old.isVisible, image: image, isWaiting: isMissing)
    var values: TraceValues = [.view: view]
    values[.image] = image
    // The page may have selected a picture on its own.
    if old.image != image { context.recorder.record(image == nil ? .viewDeselect : .viewSelect, values) }
    if let image, !isMissing, old.image != image || !old.isWaiting {
      context.recorder.record(.cacheHit, [.image: image])
    }
    values[.shown] =
      picture.map { picture in
        picture.isPlaceholder
          ? isLoading ? "loading" : "placeholder" : context.owner(picture.bytes, image) ?? "unknown"
      } ?? "nothing"
    context.recorder.record(.uiUpdate, values)
    if let problem { context.recorder.record(.pageShow, [.view: view, .text: problem]) }
  }

  /// Records the content of a page of rows: its error, its loading state, or a short description of its rows.
  func draw<List, Failure: PageFailure>(
    _ view: String, _ screen: FetchedListViewController<List, Failure>.Screen, _ text: (List) -> String
  ) {
    if let alert = screen.alert { return show(alert, on: view) }
    show(screen.isLoading ? "loading" : screen.list.map(text) ?? "nothing", on: view)
  }

  /// Records text that a page shows.
  func show(_ text: String, on view: String) {
    note(view, isVisible: true)
    context.recorder.record(.pageShow, [.view: view, .text: text])
  }

  /// Records an error that a page shows.
  func show(_ failure: any PageFailure, on view: String) {
    note(view, isVisible: true)
    context.recorder.record(.pageShow, [.view: view, .error: failure.word, .text: failure.text])
  }
}

/// Records which addresses were requested.
private final class FirstRequests: Sendable {
  private let limit: Duration
  private let asked = Locked<Set<String>>([])

  init(_ limit: Duration) { self.limit = limit }

  /// Returns the deadline of the first request for an address, or nil for a later request or an address that the policy
  /// rejects.
  func deadline(of address: String, _ policy: TransportPolicy) -> Duration? {
    guard (try? policy.url(address)) != nil else { return nil }
    return asked.withLock { $0.insert(address).inserted } ? limit : nil
  }
}

/// An error that a page shows.
protocol PageFailure: Error, Equatable {
  /// The error's category, as it is named in scenarios.
  var word: String { get }
  /// The error's message.
  var text: String { get }
}

extension FetchError: PageFailure {
  var word: String { category.rawValue }
  var text: String { message(of: "the slideshow") }
}

extension PhotoListError: PageFailure {
  var word: String {
    switch self {
    case .notJSON: "notJSON"
    case .invalidJSONData: "changedFormat"
    case .refused: "refusedByService"
    case .fetch(let error): error.word
    }
  }
  var text: String { description }
}

extension PhotoUploadError: PageFailure {
  var word: String {
    switch self {
    case .unexpectedAnswer: "unexpectedAnswer"
    case .fetch(let error): error.word
    }
  }
  var text: String { description }
}

extension APIError: PageFailure {
  var word: String {
    switch self {
    case .invalidURL: "invalidURL"
    case .invalidResponseStatus: "badStatus"
    case .dataTaskError(let error): error.word
    case .corruptData: "corruptData"
    case .decodingError: "changedFormat"
    }
  }
  var text: String { description }
}
