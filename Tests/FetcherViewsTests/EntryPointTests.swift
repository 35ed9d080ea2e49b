import EventBus
import FetcherModel
import FetcherViews
import TestMachine
import Testing
import TutorialApps
import VirtualTime

/// The compiler does not detect main-actor code that calls a view of one run from another main scheduler, so the view
/// checks its caller.
@Suite("Each entry point of a view must be called on the main scheduler of its run", .childProcesses)
struct EntryPointTests {
  @Test("A view of a virtual run stops the process if it is called on the main queue") func hop() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let runtime = ManualRuntime()
      let environment = FetchEnvironment(bus: EventBus(runtime: runtime))
      let view = Locked<ImageViewController?>(nil)
      runtime.scheduleOnMain {
        let made = ImageViewController(in: environment)
        view.withLock { $0 = made }
      }
      runtime.runReady()
      await view.withLock { $0 }?.viewWillAppear()
    }
    try expect(result, toName: "viewWillAppear()")
  }

  @Test("Showing an image, selecting a row, and disappearing stop the process on another main scheduler")
  func otherEntryPoints() async throws {
    let showing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await ImageViewController(in: FetchEnvironment(bus: EventBus(runtime: ManualRuntime()))).show(nil)
    }
    try expect(showing, toName: "show(_:)")
    let leaving = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let environment = FetchEnvironment(bus: EventBus(runtime: ManualRuntime()))
      await ListViewController("", [], in: environment).viewWillDisappear()
    }
    try expect(leaving, toName: "viewWillDisappear()")
    let choosing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await ListViewController("", [], in: FetchEnvironment(bus: EventBus(runtime: ManualRuntime()))).select(nil)
    }
    try expect(choosing, toName: "select(_:)")
  }

  @Test("Reloading a page and dismissing its alert stop the process on another main scheduler")
  func pages() async throws {
    let loading = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await page().reload()
    }
    try expect(loading, toName: "reload()")
    let dismissing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await page().dismissAlert()
    }
    try expect(dismissing, toName: "dismissAlert()")
  }

  @Test("Two concurrent runs have separate views, each on its own main scheduler") func twoRuns() async {
    let titles = await withTaskGroup(of: String?.self) { group in
      for name in ["a", "b"] {
        group.addTask {
          let runtime = ManualRuntime()
          let environment = FetchEnvironment(bus: EventBus(runtime: runtime))
          let title = Locked<String?>(nil)
          runtime.scheduleOnMain {
            let view = ImageViewController(in: environment) { screen in title.withLock { $0 = screen.title } }
            view.viewWillAppear()
            view.show(IFImage(name: name, url: "http://example.org/refused-by-the-policy.png", in: environment))
            _ = runtime.scheduleOnMain(after: .seconds(1)) { view.viewWillDisappear() }
          }
          runtime.runAll()
          return title.withLock { $0 }
        }
      }
      return await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(titles == ["a", "b"])
  }

  private func expect(_ result: ExitTest.Result?, toName function: String) throws {
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(output.contains("\(function) was not called on the main scheduler"))
  }
}

/// Creates a page of a virtual run, on the main queue.
@MainActor private func page() -> FetchedListViewController<[Int], APIError> {
  let environment = FetchEnvironment(bus: EventBus(runtime: ManualRuntime()))
  return FetchedListViewController(
    APIService("http://localhost/list", in: environment).resource(), in: environment, name: "page")
}
