import EventBus
import FetcherModel
import Foundation

@testable import ScenarioEngine
@testable import ScenarioFormat

/// A program that runs one closure for each step, correct or not.
final class ScriptedProgram: Program {
  typealias Act = @MainActor @Sendable (Scenario.Action, ProgramContext, ScriptedProgram) -> Void

  private let context: ProgramContext
  private let act: Act
  private(set) var finalState = RunRecord.Final()
  private(set) var livingModels = 0
  private var released: [Subscription] = []
  private var kept: [Subscription] = []

  init(_ context: ProgramContext, _ act: @escaping Act) {
    self.context = context
    self.act = act
  }

  func perform(_ action: Scenario.Action) { act(action, context, self) }
  var isIdle: Bool { true }

  func close() {
    for subscription in released { subscription.cancel() }
    released = []
  }

  /// Sets the final state of the run, and the number of models that stay alive.
  func end(visible: [String: Bool] = [:], images: [String: Scenario.ImageStateName] = [:], models: Int = 0) {
    (finalState.visible, finalState.images, livingModels) = (visible, images, models)
  }

  /// Subscribes to `ImageFetched` under the name of a view, until the end or ``unsubscribe()``.
  func subscribe(as view: String) {
    released.append(context.bus.subscribe(to: ImageFetched.self, on: .main, name: view) { _ in })
  }

  func unsubscribe() { close() }

  /// Subscribes to the events that steps publish, until the end of the run or forever.
  func subscribe(forEver: Bool) {
    let subscription = context.bus.subscribe(to: ScenarioEvent.self) { _ in }
    if forEver { kept.append(subscription) } else { released.append(subscription) }
  }
}

extension ProgramContext {
  /// Draws the view `detail`.
  func draw(_ shown: String) { recorder.record(.uiUpdate, [.view: "detail", .shown: shown]) }

  /// Records events for the fetch of an image.
  func record(_ kinds: TraceKind..., of image: String = "A") {
    for kind in kinds { recorder.record(kind, [.image: image]) }
  }

  /// Schedules an action on main after a delay in milliseconds.
  func later(_ milliseconds: Int, _ action: @escaping @Sendable () -> Void) {
    _ = runtime.main.schedule(after: .milliseconds(milliseconds), action)
  }

  /// Requests an image.
  @discardableResult func request(_ image: String = "A", then: @escaping @Sendable () -> Void = {}) -> any Cancellation
  {
    guard let url = addresses[image].flatMap(URL.init(string:)) else {
      fatalError("Internal inconsistency: no image \(image)")
    }
    return loader.dataTask(NetworkRequest(url: url, pool: "x"), delegate: Listener(end: then))
  }
}

private final class Listener: NetworkTaskDelegate {
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) { self.end = end }

  func received(_ response: NetworkResponse) {}
  func received(_ bytes: Data) {}
  func progressed(_ received: Int) {}
  func downloaded(_ file: DownloadedFile) { file.remove() }
  func shouldFollow(_ target: URL, status: Int) -> Bool { true }
  func challenged(status: Int) {}
  func finished(_ error: NetworkError?) { end() }
}
