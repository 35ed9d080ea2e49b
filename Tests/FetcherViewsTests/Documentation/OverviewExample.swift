import EventBus
import FetcherModel
import FetcherViews
import Testing
import VirtualTime

@Suite("The example in the overview behaves as documented") struct OverviewExample {
  private final class Drawings: Sendable {
    private let screens = Locked<[ImageViewController.Screen]>([])
    func append(_ screen: ImageViewController.Screen) { screens.withLock { $0.append(screen) } }
    var titles: [String?] { screens.withLock { $0.map(\.title) } }
  }

  @Test("In a collapsed layout, selecting a row replaces the list and starts a fetch") func split() {
    let runtime = ManualRuntime()
    let environment = FetchEnvironment(bus: EventBus(runtime: runtime))
    let images = [IFImage(name: "Sunset", url: "http://example.org/refused-by-the-policy.png", in: environment)]
    let drawings = Drawings()
    runtime.scheduleOnMain {
      // snippet
      let list = ListViewController("Favorites", images, in: environment)
      let page = ImageViewController(in: environment) { screen in
        drawings.append(screen)
      }
      let split = SplitViewController(list, page, layout: .collapsed, in: environment)

      split.viewWillAppear()  // the list; nothing is fetched
      split.select(0)  // the page appears with a placeholder, and the fetch begins
      // end
      #expect(split.visiblePages == [.picture])
    }
    #expect(drawings.titles == [])
    runtime.runReady()
    #expect(drawings.titles.first == "Sunset")
    runtime.close()
  }
}
