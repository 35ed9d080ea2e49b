import EventBus
import FetcherModel
import FetcherViews
import ScenarioFormat
import TutorialApps

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
  /// The deadline of each request, or nil for the scenario's.
  private let deadline: Duration?
  /// The environment of all fetches.
  private(set) var environment: FetchEnvironment
  private var views: [String: View] = [:]

  /// - Parameters:
  ///   - settings: the settings, or nil to use a scenario's settings.
  ///   - ownSettings: the scenario's settings.
  ///   - deadline: the deadline of each request, or nil for the scenario's.
  init(
    _ context: ProgramContext, settings: ServiceConfiguration?, orOwn ownSettings: ServiceConfiguration, key: APIKey?,
    deadline: Duration?
  ) {
    self.context = context
    isScenario = settings == nil
    self.settings = settings ?? ownSettings
    self.key = key
    self.deadline = deadline
    environment = Self.environment(context, nil, self.settings.transportPolicy, deadline)
  }

  /// - Parameter strategy: the strategy, or nil for the run's strategy.
  private static func environment(
    _ context: ProgramContext, _ strategy: StrategyName?, _ policy: TransportPolicy, _ deadline: Duration?
  ) -> FetchEnvironment {
    var limits = FetchLimits(context.scenario.limits)
    if let deadline { limits.deadline = deadline }
    return context.environment(strategy, policy: policy, limits: limits)
  }

  /// Restarts the program with a different policy in its property list.
  func relaunch(_ policy: TransportPolicy) {
    let old = environment
    let new = Self.environment(context, old.strategy.name, policy, deadline)
    let headers = old.headers
    new.updateHeaders { $0 = headers }
    environment = new
    old.shutDown()
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

extension ProgramScreen {
  /// Creates the content of a page of rows.
  @MainActor init<List, Failure: PageFailure>(
    _ view: String, _ page: FetchedListViewController<List, Failure>, isVisible: Bool, _ rows: (List) -> [Row]
  ) {
    self.init(view, isVisible: isVisible)
    isLoading = page.screen.isLoading
    alert = page.screen.alert?.text
    self.rows = page.screen.list.map(rows) ?? []
  }
}

/// An error that a page shows.
protocol PageFailure: Error, Equatable {
  /// The error's category, as it is named in scenarios.
  var word: String { get }
  /// The error's message.
  var text: String { get }
}

extension ServiceError: PageFailure {
  var word: String {
    switch self {
    case .fetch(let error): error.category.rawValue
    case .catalog: "catalog"
    case .missingConfiguration, .invalidURL: "configuration"
    }
  }
  var text: String { description }
}

extension PhotoListError: PageFailure {
  var word: String {
    switch self {
    case .notJSON: "notJSON"
    case .invalidJSONData: "changedFormat"
    case .refused: "refusedByService"
    case .fetch(let error): error.category.rawValue
    }
  }
  var text: String { description }
}

extension PhotoUploadError: PageFailure {
  var word: String {
    switch self {
    case .unexpectedAnswer: "unexpectedAnswer"
    case .fetch(let error): error.category.rawValue
    }
  }
  var text: String { description }
}

extension APIError: PageFailure {
  var word: String {
    switch self {
    case .invalidURL: "invalidURL"
    case .invalidResponseStatus: "badStatus"
    case .dataTaskError(let error): error.category.rawValue
    case .corruptData: "corruptData"
    case .decodingError: "changedFormat"
    }
  }
  var text: String { description }
}
