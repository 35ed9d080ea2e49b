import EventBus
import FetcherModel
import FetcherViews
import ModelFixtures
import OriginServer
import ScenarioEngine
import Testing

extension ViewsOverSockets {
  @MainActor @Suite struct SplitViewControllerTests {
    private func split(
      _ fixture: Fixture, _ layout: SplitViewController.Layout
    ) -> SplitViewController {
      let images = ["/a", "/b"].map(fixture.image)
      let list = ListViewController("Favorites", images, in: fixture.environment)
      return SplitViewController(
        list, ImageViewController(in: fixture.environment), layout: layout, in: fixture.environment)
    }

    @Test("The list appears without a fetch") func theListShowsWithoutAFetch() async throws {
      let fixture = try Fixture("dataTask", ["/a": .zero, "/b": .zero])
      let split = split(fixture, .sideBySide)
      let rows = await fixture.onMain {
        split.viewWillAppear()
        return split.list.rows
      }
      #expect(rows == ["/a", "/b"])
      #expect(split.list.images.allSatisfy { $0.state == .idle })
      #expect(fixture.origin.counters.requests == 0)
    }

    @Test("A list of a hundred thousand images appears without a fetch")
    func largeList() async throws {
      let fixture = try Fixture("dataTask", [:])
      let images = (0..<100_000).map { fixture.image("/\($0)") }
      let drawn = Locked<[String]>([])
      let list = ListViewController("Many", images, in: fixture.environment) { rows in drawn.withLock { $0 = rows } }
      await fixture.onMain { list.viewWillAppear() }
      #expect(drawn.withLock { $0.count } == images.count)
      #expect(fixture.environment.requestCount == 0)
      #expect(fixture.origin.counters.requests == 0)
    }

    @Test("A collapsed layout shows the list only while no image is selected")
    func collapsedItShowsTheListOnlyWhileThePicturePageHasNoPicture() async throws {
      let fixture = try Fixture("dataTask", ["/a": .zero, "/b": .zero])
      let split = split(fixture, .collapsed)
      let pages = await fixture.onMain {
        var pages: [[SplitViewController.Page]] = []
        split.viewWillAppear()
        pages.append(split.visiblePages)
        split.select(0)
        pages.append(split.visiblePages)
        split.goBack()
        pages.append(split.visiblePages)
        split.viewWillDisappear()
        pages.append(split.visiblePages)
        return pages
      }
      #expect(pages == [[.list], [.picture], [.list], []])
    }

    @Test("A change of layout keeps the picture and shows the list again when both fit")
    func turningTheWindowKeepsThePictureAndBringsTheListBack() async throws {
      let fixture = try Fixture("dataTask", ["/a": .zero, "/b": .zero])
      let split = split(fixture, .sideBySide)
      let seen = await fixture.onMain {
        split.viewWillAppear()
        split.select(1)
        split.setLayout(.collapsed)
        let collapsed = (split.visiblePages, split.list.isVisible, split.detail.isVisible)
        split.setLayout(.sideBySide)
        return (collapsed, split.visiblePages, split.list.selectedRow)
      }
      #expect(seen.0 == ([.picture], false, true))
      #expect(seen.1 == [.list, .picture])
      #expect(seen.2 == 1)
    }
  }
}
