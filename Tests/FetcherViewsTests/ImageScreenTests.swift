import EventBus
import FetcherModel
import FetcherViews
import ModelFixtures
import Observation
import Testing

extension ViewsOverSockets {
  @MainActor @Suite("A screen publishes its picture to SwiftUI while it is visible") struct ImageScreenTests {
    /// Returns when observation has reported a change of the value that `read` returns.
    private func change<Value>(_ read: @MainActor () -> Value, during action: @MainActor () -> Void) async {
      await withCheckedContinuation { continuation in
        _ = withObservationTracking(read) { continuation.resume() }
        action()
      }
    }

    @Test("Observation reports the placeholder and then the picture", arguments: Fixture.strategies)
    func publishes(_ strategy: String) async throws {
      let fixture = try Fixture(strategy, ["/a": .zero], held: "/a")
      defer { fixture.release() }
      let screen = ImageScreen(fixture.image("/a"), in: fixture.environment, name: "picture")
      #expect(screen.title == nil && screen.picture == nil)
      await change {
        screen.picture
      } during: {
        screen.appear()
      }
      #expect(screen.title == "/a")
      #expect(screen.picture?.isPlaceholder == true)
      await change {
        screen.picture
      } during: {
        fixture.release()
      }
      #expect(screen.picture?.isPlaceholder == false)
      #expect(screen.problem == nil)
      screen.disappear()
    }

    @Test("A screen publishes a failure together with the placeholder") func fails() async throws {
      let fixture = try Fixture("dataTask", [:], failing: "/bad")
      let screen = ImageScreen(fixture.image("/bad"), in: fixture.environment)
      await change {
        screen.problem
      } during: {
        screen.appear()
      }
      #expect(screen.problem?.contains("/bad") == true)
      #expect(screen.picture?.isPlaceholder == true)
      screen.disappear()
    }

    @Test("A hidden screen has no subscription and shows the picture when it reappears")
    func disappears() async throws {
      let fixture = try Fixture("dataTask", ["/a": .zero], held: "/a")
      defer { fixture.release() }
      let image = fixture.image("/a")
      let bus = fixture.environment.bus
      let screen = ImageScreen(image, in: fixture.environment, name: "picture")
      let names = { bus.subscriptions.compactMap(\.name) }
      #expect(names() == [])
      screen.appear()
      #expect(names() == ["picture", "picture"])
      screen.disappear()
      #expect(names() == [])
      fixture.release()
      await fixture.end(of: image)
      #expect(screen.picture?.isPlaceholder == true)
      await change {
        screen.picture
      } during: {
        screen.appear()
      }
      #expect(screen.picture?.isPlaceholder == false)
      screen.disappear()
    }

    @Test("A screen that is released while it is visible leaves no subscription behind") func dropped() async throws {
      let fixture = try Fixture("dataTask", ["/a": .zero])
      weak var gone: ImageScreen?
      do {
        let screen = ImageScreen(fixture.image("/a"), in: fixture.environment, name: "picture")
        screen.appear()
        gone = screen
      }
      #expect(gone == nil)
      #expect(fixture.environment.bus.subscriptions.compactMap(\.name) == [])
    }
  }
}
