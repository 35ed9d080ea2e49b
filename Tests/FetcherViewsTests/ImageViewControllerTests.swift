import EventBus
import FetcherModel
import FetcherViews
import ModelFixtures
import OriginServer
import ScenarioEngine
import Testing

/// The screens that a page has drawn.
private final class Drawings: Sendable {
  private let screens = Locked<[ImageViewController.Screen]>([])
  var all: [ImageViewController.Screen] { screens.withLock { $0 } }
  func add(_ screen: ImageViewController.Screen) { screens.withLock { $0.append(screen) } }
}

extension ViewsOverSockets {
  @MainActor @Suite struct ImageViewControllerTests {
    @Test("A visible view shows the placeholder and then the picture", arguments: Fixture.strategies)
    func thePlaceholderShowsAndThenThePicture(_ strategy: String) async throws {
      let fixture = try Fixture(strategy, ["/a": .milliseconds(30)])
      let drawings = Drawings()
      let view = ImageViewController(in: fixture.environment) { drawings.add($0) }
      let image = fixture.image("/a")
      // Read on main, where no picture can arrive in the meantime.
      let first = await fixture.onMain {
        view.show(image)
        view.viewWillAppear()
        return drawings.all
      }
      #expect(first.map { $0.picture?.isPlaceholder } == [true])
      await fixture.end(of: image)
      #expect(drawings.all.map { $0.picture?.isPlaceholder } == [true, false])
      #expect(fixture.origin.counters.requests == 1)
    }

    @Test("A view that has disappeared receives no event", arguments: Fixture.strategies)
    func nothingReachesAViewThatHasDisappeared(_ strategy: String) async throws {
      let fixture = try Fixture(strategy, ["/a": .zero], held: "/a")
      defer { fixture.release() }
      let drawings = Drawings()
      let view = ImageViewController(in: fixture.environment) { drawings.add($0) }
      let image = fixture.image("/a")
      await fixture.onMain {
        view.viewWillAppear()
        view.show(image)
      }
      await fixture.journal.wait(for: .started(image.id), from: 0)
      let before = await fixture.onMain {
        view.viewWillDisappear()
        return drawings.all.count
      }
      fixture.release()
      await fixture.end(of: image)
      #expect(drawings.all.count == before)
      #expect(fixture.environment.bus.subscriberCount(for: ImageFetched.self) == 1, "only the journal is subscribed")
      #expect(!image.isFetching)
    }

    @Test(
      "A view shows the picture that was selected last, even if the response for the earlier one arrives later",
      arguments: Fixture.strategies)
    func theLastChosenPictureIsShownAlsoWhenTheEarlierAnswerComesLater(_ strategy: String) async throws {
      let fixture = try Fixture(strategy, ["/slow": .zero, "/quick": .zero], held: "/slow")
      defer { fixture.release() }
      let drawings = Drawings()
      let view = ImageViewController(in: fixture.environment) { drawings.add($0) }
      let (slow, quick) = (fixture.image("/slow"), fixture.image("/quick"))
      await fixture.onMain {
        view.viewWillAppear()
        view.show(slow)
      }
      await fixture.journal.wait(for: .started(slow.id), from: 0)
      await fixture.onMain { view.show(quick) }
      await fixture.end(of: quick)
      fixture.release()
      await fixture.end(of: slow)
      let ends = await fixture.onMain { [quick, slow].map { fixture.journal.position(of: .ended($0.id)) ?? .max } }
      #expect(ends[0] < ends[1], "the earlier response did not arrive last")
      let screen = await fixture.onMain { view.screen }
      #expect(screen.title == "/quick")
      guard case .loaded(let picture) = quick.state else {
        Issue.record("the picture did not arrive: \(quick.state)")
        return
      }
      #expect(screen.picture == picture)
      #expect(drawings.all.filter { $0.title == "/slow" }.map { $0.picture?.isPlaceholder } == [true])
    }

    @Test(
      "After a failure, a view keeps the placeholder, and drawing does not retry the fetch",
      arguments: Fixture.strategies)
    func aFailureLeavesThePlaceholderAndIsNotFetchedAgainByDrawing(_ strategy: String) async throws {
      let fixture = try Fixture(strategy, [:], failing: "/bad")
      let view = ImageViewController(in: fixture.environment)
      let image = fixture.image("/bad")
      await fixture.onMain {
        view.viewWillAppear()
        view.show(image)
      }
      await fixture.end(of: image)
      let screen = await fixture.onMain { view.screen }
      #expect(screen.picture?.isPlaceholder == true)
      #expect(screen.problem?.contains("/bad") == true)
      #expect(fixture.origin.counters.requests == 1)
      // Showing the image again retries the fetch.
      let position = await fixture.onMain {
        let position = fixture.journal.count
        view.show(image)
        return position
      }
      await fixture.end(of: image, from: position)
      #expect(fixture.origin.counters.requests == 2)
    }

    @Test("When a view reappears, it immediately shows a picture that arrived while it was hidden")
    func aViewThatComesBackShowsAtOnceWhatArrivedMeanwhile() async throws {
      let fixture = try Fixture("dataTask", ["/a": .milliseconds(30)])
      let view = ImageViewController(in: fixture.environment)
      let image = fixture.image("/a")
      await fixture.onMain {
        view.show(image)
        view.viewWillAppear()
        view.viewWillDisappear()
      }
      await fixture.end(of: image)
      let screen = await fixture.onMain {
        view.viewWillAppear()
        return view.screen
      }
      #expect(screen.picture?.isPlaceholder == false)
      #expect(fixture.origin.counters.requests == 1)
    }

    /// Shows a picture and starts its reload. Returns when the reload is in flight.
    private func reloading(_ strategy: HeldStrategy) async -> (ImageViewController, IFImage, FetchEnvironment) {
      let environment = FetchEnvironment.held(strategy)
      let image = IFImage(name: "a", url: "http://localhost/a", in: environment)
      let view = ImageViewController(in: environment)
      await environment.runtime.onMain {
        view.show(image)
        view.viewWillAppear()
      }
      await strategy.begun(1)
      strategy.end(0, with: Sample.png.bytes)
      await settle(environment)
      image.startReloading()
      await strategy.begun(2)
      return (view, image, environment)
    }

    @Test("A view that draws during a reload shows the old picture") func drawingDuringAReload() async throws {
      let strategy = HeldStrategy()
      let (view, image, environment) = await reloading(strategy)
      let picture = try #require(image.state.picture)
      environment.bus.post(ImageFetched(imageID: image.id, strategy: "held", picture: picture))
      await settle(environment)
      let screen = await environment.runtime.onMain { view.screen }
      #expect(image.isFetching && screen.picture == picture && screen.problem == nil)
      strategy.end(1, with: Sample.gif.bytes)
      await settle(environment)
      #expect(await environment.runtime.onMain { view.screen.picture?.format } == .gif)
    }

    @Test("If a reload fails, a view shows the error next to the old picture") func failedReload() async throws {
      let strategy = HeldStrategy()
      let (view, image, environment) = await reloading(strategy)
      strategy.end(1, with: .failure(.badStatus(404)))
      await settle(environment)
      let screen = await environment.runtime.onMain { view.screen }
      #expect(screen.picture?.format == .png)
      #expect(screen.problem == FetchError.badStatus(404).message(for: "a"))
      // The next successful reload removes the error.
      image.startReloading()
      await strategy.begun(3)
      strategy.end(2, with: Sample.gif.bytes)
      await settle(environment)
      let last = await environment.runtime.onMain { view.screen }
      #expect(last.picture?.format == .gif && last.problem == nil)
    }
  }
}
