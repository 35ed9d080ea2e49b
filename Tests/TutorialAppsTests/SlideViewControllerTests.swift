import EventBus
import FetcherModel
import FetcherViews
import Foundation
import ModelFixtures
import OriginServer
import ScenarioEngine
import Testing
import TutorialApps

/// A record of the screens that a page draws, which can wait for a number of them.
private final class Drawings: Sendable {
  private struct State {
    var screens: [SlideViewController.Screen] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())

  var contents: [String] {
    state.withLock { $0.screens }.map { screen in
      switch screen.content {
      case .placeholder: "placeholder"
      case .loading: "loading"
      case .picture(let picture): "\(picture.height)"
      }
    }
  }

  var last: SlideViewController.Screen? { state.withLock { $0.screens.last } }

  func add(_ screen: SlideViewController.Screen) {
    let ready = state.withLock { state in
      state.screens.append(screen)
      let count = state.screens.count
      defer { state.waiters.removeAll { $0.count <= count } }
      return state.waiters.filter { $0.count <= count }
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  func drawn(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.screens.count >= count { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}

extension NetworkSuite {
  /// A fixture's first picture is 8 pixels high, and each further one is one pixel higher.
  @MainActor @Suite struct SlideViewControllerTests {
    private let drawings = Drawings()

    private func page(_ fixture: Fixture) throws -> (page: SlideViewController, manager: SlideManager) {
      let base = fixture.origin.baseURL.absoluteString
      let settings = ["SlideWebServiceUrl": base + "list.json", "ImageBaseUrl": base]
      let data = try PropertyListSerialization.data(fromPropertyList: settings, format: .xml, options: 0)
      let manager = try SlideManager(
        ServiceConfiguration(propertyList: data, name: "Info.plist"), in: fixture.environment)
      return (SlideViewController(manager, in: fixture.environment) { [drawings] in drawings.add($0) }, manager)
    }

    private func slide(_ file: String?) throws -> Slide {
      let json = file.map { #"{"title": "t", "file": "\#($0)"}"# } ?? #"{"title": "t"}"#
      return try JSONDecoder().decode(Slide.self, from: Data(json.utf8))
    }

    @Test(
      "With every strategy, a page shows its loading state and then the slide's picture", arguments: Fixture.strategies)
    func loads(strategy: String) async throws {
      let fixture = try Fixture(strategy, ["/a": .milliseconds(30)])
      let (page, _) = try page(fixture)
      let slide = try slide("a")
      await fixture.onMain {
        page.show(slide)
        page.viewWillAppear()
      }
      await drawings.drawn(2)
      #expect(drawings.contents == ["loading", "8"])
    }

    @Test("A page without a slide, or with a slide without a picture, shows the placeholder")
    func placeholder() async throws {
      let fixture = try Fixture("dataTask", [:])
      let (page, _) = try page(fixture)
      let slide = try slide(nil)
      await fixture.onMain {
        page.viewWillAppear()
        page.show(slide)
      }
      #expect(drawings.contents == ["placeholder", "placeholder"])
      #expect(drawings.last?.problem == nil)
      #expect(fixture.origin.counters.requests == 0)
    }

    @Test("A page keeps the picture of the last slide if the response for an earlier slide arrives late")
    func lastSlideWins() async throws {
      let fixture = try Fixture("dataTask", ["/slow": .zero, "/quick": .zero], held: "/slow")
      defer { fixture.release() }
      let (page, _) = try page(fixture)
      let (slow, quick) = (try slide("slow"), try slide("quick"))
      await fixture.onMain {
        page.viewWillAppear()
        page.show(slow)
      }
      await fixture.onMain { page.show(quick) }
      await drawings.drawn(4)
      #expect(drawings.contents == ["placeholder", "loading", "loading", "9"])
      // By the end of another fetch, the slow response would have arrived.
      fixture.release()
      _ = try await fixture.image("/slow").load()
      await fixture.onMain {}
      #expect(drawings.contents.count == 4)
    }

    @Test("A page that returns to a slide shows its cached picture immediately")
    func back() async throws {
      let fixture = try Fixture("async", ["/a": .zero, "/b": .zero])
      let (page, manager) = try page(fixture)
      let (a, b) = (try slide("a"), try slide("b"))
      for (slide, count) in [(a, 3), (b, 5)] {
        await fixture.onMain {
          page.show(slide)
          if slide == a { page.viewWillAppear() }
        }
        await drawings.drawn(slide == a ? 2 : count - 1)
      }
      #expect(manager.cache.count == 2)
      await fixture.onMain { page.show(a) }
      #expect(drawings.contents == ["loading", "8", "loading", "9", "8"])
      #expect(fixture.origin.counters.requests == 2)
    }

    @Test("After a failure, a page shows the placeholder and the reason, and showing the slide again retries the fetch")
    func failure() async throws {
      let fixture = try Fixture("dataTask", [:], failing: "/f")
      let (page, _) = try page(fixture)
      let slide = try slide("f")
      await fixture.onMain {
        page.show(slide)
        page.viewWillAppear()
      }
      await drawings.drawn(2)
      #expect(drawings.contents == ["loading", "placeholder"])
      #expect(drawings.last?.problem?.contains("500") == true)
      await fixture.onMain { page.show(slide) }
      await drawings.drawn(4)
      #expect(fixture.origin.counters.requests == 2)
    }

    @Test("A hidden page receives no picture, and its fetch is cancelled", arguments: Fixture.strategies)
    func disappeared(strategy: String) async throws {
      let fixture = try Fixture(strategy, ["/a": .zero], held: "/a")
      defer { fixture.release() }
      let (page, _) = try page(fixture)
      let slide = try slide("a")
      await fixture.onMain {
        page.show(slide)
        page.viewWillAppear()
      }
      await fixture.onMain { page.viewWillDisappear() }
      fixture.release()
      // By the end of this fetch, a response to the page would have arrived.
      _ = try await fixture.image("/a").load()
      await fixture.onMain {}
      #expect(drawings.contents == ["loading"])
      #expect(fixture.environment.requestCount == 0)
    }
  }
}
