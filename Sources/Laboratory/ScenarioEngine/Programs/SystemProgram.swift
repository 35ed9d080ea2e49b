import EventBus
import FetcherModel
import ScenarioFormat
import TutorialApps

/// The pages of one system.
@MainActor protocol SystemPages: AnyObject {
  /// Performs a user's step.
  ///
  /// - Returns: false if the page has no such element, in which case the step has no effect.
  func perform(_ action: Scenario.Action) -> Bool

  /// Whether no work is in flight, apart from the fetches of ``images``.
  var isIdle: Bool { get }

  /// Whether each view is visible, keyed by its name.
  var visible: [String: Bool] { get }

  /// The content of each view.
  var screens: [ProgramScreen] { get }

  /// The images of the pages, keyed by their names in the scenario.
  var images: [String: IFImage] { get }

  /// Makes every page disappear.
  func close()
}

/// Runs one system as a scenario's program. Combines the system's pages with the parts that all systems share.
final class SystemProgram: Program {
  private struct WeakObject {
    weak var object: AnyObject?
  }

  private let stage: PageStage
  private var pages: (any SystemPages)?
  /// The objects that must be released by the end.
  private var made: [WeakObject] = []

  /// - Parameter make: a closure that creates the pages.
  init(_ stage: PageStage, _ make: @MainActor (PageStage) throws(ServiceError) -> any SystemPages) throws(ServiceError)
  {
    self.stage = stage
    let context = stage.context
    for image in context.scenario.images {
      context.owners.declare(image.id, at: context.addresses[image.id] ?? "")
    }
    pages = try make(stage)
  }

  func perform(_ action: Scenario.Action) {
    stage.take(action)
    switch action {
    case .switchStrategy(let name): try? stage.environment.select(StrategyName(name))
    case .send(let headers):
      stage.environment.updateHeaders { $0 = HTTPHeaders(headers.map { ($0.name, $0.value) }) }
    default:
      if pages?.perform(action) == false { stage.miss(action) }
    }
    for (view, isVisible) in pages?.visible.sorted(by: { $0.key < $1.key }) ?? [] {
      stage.note(view, isVisible: isVisible)
    }
  }

  var isIdle: Bool {
    guard let pages else { return true }
    return pages.isIdle && !pages.images.values.contains { $0.isFetching }
  }

  var visible: [String: Bool] { pages?.visible ?? [:] }
  var screens: [ProgramScreen] { pages?.screens ?? [] }

  var finalState: RunRecord.Final {
    RunRecord.Final(
      visible: visible, images: pages?.images.mapValues { Scenario.ImageStateName($0.state) } ?? [:])
  }

  func close() {
    guard let pages = pages.take() else { return }
    made = ([pages] + Array(pages.images.values) as [AnyObject]).map { WeakObject(object: $0) }
    pages.close()
    stage.environment.shutDown()
  }

  var livingModels: Int { made.count { $0.object != nil } }
}
