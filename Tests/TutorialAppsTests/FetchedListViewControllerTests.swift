import EventBus
import FetcherModel
import FetcherViews
import Foundation
import ModelFixtures
import Testing
import TutorialApps
import VirtualTime

/// A page whose service responds when the test decides.
@MainActor private final class Stage {
  typealias Page = FetchedListViewController<[Int], APIError>

  let page: Page
  let held: HeldAnswers
  private(set) var screens: [Page.Screen] = []
  private(set) var arrivals: [[Int]] = []

  /// The action to run after the page draws a screen.
  var whenDrawn: (Page.Screen) -> Void = { _ in }

  init(_ runtime: ManualRuntime, _ held: HeldAnswers) {
    let environment = FetchEnvironment(bus: EventBus(runtime: runtime))
    environment.use(held)
    self.held = held
    weak var stage: Stage?
    page = Page(
      APIService("http://localhost/list", in: environment).resource(), in: environment, name: "page",
      onDraw: { screen in
        stage?.screens.append(screen)
        stage?.whenDrawn(screen)
      }, onArrival: { stage?.arrivals.append($0) })
    stage = self
  }

  var last: Page.Screen? { screens.last }

  func expect(_ list: [Int]?, isLoading: Bool, _ alert: APIError?, _ location: SourceLocation = #_sourceLocation) {
    #expect(last?.list == list, sourceLocation: location)
    #expect(last?.isLoading == isLoading, sourceLocation: location)
    #expect(last?.alert == alert, sourceLocation: location)
  }
}

private final class HeldAnswers: FetchStrategy {
  private struct NoCancellation: Cancellation {
    func cancel() {}
  }

  let name: StrategyName = "held"
  let capabilities = StrategyCapabilities(
    canCancel: true, seesStatus: true, reportsProgress: true, seesRedirects: true, sendsHeaders: true,
    note: "held by a test")
  private let completions = Locked<[@Sendable (Result<FetchedBody, FetchError>) -> Void]>([])

  var count: Int { completions.withLock { $0.count } }

  func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    completions.withLock { $0.append(completion) }
    return NoCancellation()
  }

  func answer(_ number: Int, _ result: Result<String, FetchError>) {
    completions.withLock { $0[number] }(result.map { FetchedBody(bytes: Data($0.utf8)) })
  }
}

/// Each step of a test runs on the main scheduler of a manual runtime.
@Suite struct FetchedListViewControllerTests {
  private let runtime = ManualRuntime()
  private let held = HeldAnswers()

  private func onMain(_ steps: (@MainActor @Sendable (Stage) -> Void)...) {
    let stage = Locked<Stage?>(nil)
    runtime.scheduleOnMain { [runtime, held] in
      let made = Stage(runtime, held)
      stage.withLock { $0 = made }
    }
    runtime.runReady()
    for step in steps {
      runtime.scheduleOnMain { if let stage = stage.withLock({ $0 }) { step(stage) } }
      runtime.runReady()
    }
  }

  @Test("A page loads its list when it appears, unless it already has the list") func loads() {
    onMain(
      { $0.page.viewWillAppear() },
      { $0.held.answer(0, .success("[1, 2]")) },
      { stage in
        stage.page.viewWillDisappear()
        stage.page.viewWillAppear()
      },
      { stage in
        #expect(stage.held.count == 1)
        #expect(stage.screens.map(\.isLoading) == [true, false, false])
        #expect(stage.last?.list == [1, 2])
        #expect(stage.arrivals == [[1, 2]])
      })
  }

  @Test("A page keeps its list and shows an error as an alert until the alert is dismissed") func alert() {
    onMain(
      { $0.page.viewWillAppear() },
      { $0.held.answer(0, .success("[1]")) },
      { $0.page.reload() },
      { $0.held.answer(1, .failure(.badStatus(500))) },
      { stage in
        stage.expect([1], isLoading: false, .invalidResponseStatus(500))
        stage.page.dismissAlert()
        stage.expect([1], isLoading: false, nil)
      })
  }

  @Test("A page whose load failed loads again when it reappears") func triesAgain() {
    onMain(
      { $0.page.viewWillAppear() },
      { $0.held.answer(0, .failure(.timedOut)) },
      { $0.page.viewWillDisappear() },
      { $0.page.viewWillAppear() },
      { stage in
        stage.expect(nil, isLoading: true, nil)
        stage.held.answer(1, .success("[]"))
      },
      { #expect($0.last?.list == []) })
  }

  @Test("A hidden page draws nothing, and when it reappears, it shows the list that arrived in the meantime")
  func disappears() {
    onMain(
      { $0.page.viewWillAppear() },
      { $0.page.viewWillDisappear() },
      { $0.held.answer(0, .success("[1]")) },
      { stage in
        #expect(stage.screens.count == 1)
        #expect(stage.arrivals == [])
        stage.page.viewWillAppear()
        stage.expect([1], isLoading: false, nil)
        #expect(stage.held.count == 1)
      })
  }

  @Test("A page that disappears while it draws a list reports no arrival") func leavesWhileItDraws() {
    onMain(
      { stage in
        stage.whenDrawn = { [weak stage] screen in if screen.list != nil { stage?.page.viewWillDisappear() } }
        stage.page.viewWillAppear()
      },
      { $0.held.answer(0, .success("[1]")) },
      { stage in
        #expect(stage.last?.list == [1])
        #expect(stage.arrivals == [])
      })
  }

  @Test("The list of the last load stays when the response to an earlier load arrives late") func lastLoadCounts() {
    onMain(
      { $0.page.viewWillAppear() },
      { $0.page.reload() },
      { $0.held.answer(1, .success("[2]")) },
      { $0.held.answer(0, .success("[1]")) },
      { stage in
        #expect(stage.last?.list == [2])
        #expect(stage.arrivals == [[2]])
      })
  }
}
