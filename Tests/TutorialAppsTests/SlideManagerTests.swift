import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import Testing
import TutorialApps
import VirtualTime

extension NetworkSuite {
  @Suite struct SlideManagerTests {
    private func configuration(_ settings: [String: String]) throws -> ServiceConfiguration {
      let data = try PropertyListSerialization.data(fromPropertyList: settings, format: .binary, options: 0)
      return try ServiceConfiguration(propertyList: data, name: "Info.plist")
    }

    private func manager(
      _ strategy: StrategyName, _ routes: [OriginRoute]
    ) throws -> (manager: SlideManager, workbench: Workbench) {
      let workbench = try Workbench(strategy, routes)
      let configuration = try configuration([
        "SlideWebServiceUrl": workbench.address("/list.json"), "ImageBaseUrl": workbench.address("/"),
      ])
      let manager = try SlideManager(configuration, in: workbench.environment)
      return (manager, workbench)
    }

    private func list(_ files: String...) -> OriginRoute {
      let slides = files.enumerated().map { #"{"id": \#($0), "file": "\#($1)"}"# }.joined(separator: ", ")
      return OriginRoute(path: "/list.json", OriginResponse(body: .text(#"{"title": "T", "slides": [\#(slides)]}"#)))
    }

    private func slide(_ file: String?) throws -> Slide {
      let json = file.map { #"{"id": 1, "file": "\#($0)"}"# } ?? #"{"id": 1}"#
      return try JSONDecoder().decode(Slide.self, from: Data(json.utf8))
    }

    private func picture(_ manager: SlideManager, _ slide: Slide, _ workbench: Workbench) async -> (
      result: Result<Picture?, FetchError>, isOnMain: Bool
    ) {
      await workbench.result { manager.fetchPicture(of: slide, completion: $0) }
    }

    @Test("The error for a missing setting names it", arguments: ["SlideWebServiceUrl", "ImageBaseUrl"])
    func missingSetting(key: String) throws {
      let workbench = try Workbench("dataTask")
      var settings = ["SlideWebServiceUrl": "http://localhost/l.json", "ImageBaseUrl": "http://localhost/"]
      settings[key] = nil
      let configuration = try configuration(settings)
      #expect(throws: ServiceError.missingConfiguration(key)) {
        try SlideManager(configuration, in: workbench.environment)
      }
    }

    @Test(
      "A change of a favorite is posted once on main with the slide's new state"
    )
    func favorites() async throws {
      let (manager, workbench) = try manager("dataTask", [list("a.png", "b.png")])
      let main = workbench.environment.runtime.main
      let events = Locked<[Slide]>([])
      let token = workbench.environment.bus.subscribe(to: SlideFavoriteChanged.self) { [weak manager] event in
        guard main.isCurrent, manager?.slideshow?.slides.contains(event.slide) == true else { return }
        events.withLock { $0.append(event.slide) }
      }
      defer { token.cancel() }
      manager.setFavorite(true, of: "1")
      _ = try await manager.fetchSlideshow()
      manager.setFavorite(true, of: "1")
      manager.setFavorite(true, of: "1")
      manager.setFavorite(true, of: "no such slide")
      _ = try await manager.fetchSlideshow()
      #expect(events.withLock { $0 } == [Slide(id: "1", title: "b.png", imgFileName: "b.png", isFavorite: true)])
      #expect(manager.slideshow?.slides.map(\.isFavorite) == [false, false])
    }

    @Test("A new list replaces the old one before its event is posted on main")
    func theList() async throws {
      let (manager, workbench) = try manager("async", [list("a.png", "b.png")])
      let main = workbench.environment.runtime.main
      let events = Locked<[Bool]>([])
      let bus = workbench.environment.bus
      let token = bus.subscribe(to: ServiceChanged.self, key: manager.list.id) { [weak manager] _ in
        let isFinal = main.isCurrent && manager?.slideshow != nil
        events.withLock { $0.append(isFinal) }
      }
      #expect(manager.slideshow == nil)
      for _ in 0..<2 {
        let slideshow = try await manager.fetchSlideshow()
        #expect(slideshow.slides.map(\.imgFileName) == ["a.png", "b.png"])
      }
      #expect(manager.slideshow?.slides.count == 2)
      #expect(events.withLock { $0 } == [true, true])
      token.cancel()
    }

    @Test(
      "With every strategy, the completion of a list request runs on main after the list's event",
      arguments: Workbench.strategies)
    func byCompletion(strategy: StrategyName) async throws {
      let (manager, workbench) = try manager(strategy, [list("a.png")])
      let order = Locked<[String]>([])
      let token = workbench.environment.bus.subscribe(to: ServiceChanged.self, on: .main) { _ in
        order.withLock { $0.append("event") }
      }
      let (result, isOnMain) = await workbench.result { done in
        manager.fetchSlideshow {
          order.withLock { $0.append("list") }
          done($0)
        }
      }
      token.cancel()
      #expect(order.withLock { $0 } == ["event", "list"])
      #expect(try result.get().title == "T")
      #expect(isOnMain)
    }

    @Test("A failed request keeps the last list")
    func failedList() async throws {
      let (manager, workbench) = try manager("dataTask", [list("a.png")])
      _ = try await manager.fetchSlideshow()
      workbench.origin.replace(OriginContent())
      await #expect(throws: ServiceError.fetch(.badStatus(404))) { try await manager.fetchSlideshow() }
      #expect(manager.slideshow?.slides.count == 1)
    }

    @Test("A request for a picture uses its file name without a second extension", arguments: Workbench.strategies)
    func noSecondExtension(strategy: StrategyName) async throws {
      let jpeg = OriginRoute(path: "/sunset-10.jpeg", OriginResponse(body: .data(Sample.jpeg.bytes)))
      let (manager, workbench) = try manager(strategy, [jpeg])
      let (result, isOnMain) = await picture(manager, try slide("sunset-10.jpeg"), workbench)
      #expect(try result.get()?.format == .jpeg)
      #expect(isOnMain)
      #expect(workbench.origin.counters.requestsByPath == ["/sunset-10.jpeg": 1])
    }

    @Test("The manager stores a picture only in the environment's cache")
    func oneCache() async throws {
      let workbench = try Workbench("dataTask")
      let cache = ImageCache(countLimit: 3)
      let environment = FetchEnvironment(limits: .patient, cache: cache)
      let manager = try SlideManager(
        configuration([
          "SlideWebServiceUrl": workbench.address("/list.json"), "ImageBaseUrl": workbench.address("/"),
        ]), in: environment)
      #expect(manager.cache === cache)
      let slide = try slide("a.png")
      _ = await picture(manager, slide, workbench)
      #expect(cache.count == 1)
      #expect(manager.cachedPicture(of: slide)?.bytes == Sample.png.bytes)
      // An image with the same address needs no fetch.
      #expect(IFImage(name: "a", url: workbench.address("/a.png"), in: environment).image.bytes == Sample.png.bytes)
      #expect(workbench.origin.counters.requests == 1)
    }

    @Test(
      "The manager finds its cached pictures with and without the header fields in their keys",
      arguments: [false, true])
    func headers(ignoresHeaders: Bool) async throws {
      let workbench = try Workbench("dataTask")
      let environment = FetchEnvironment(
        headers: ["X-App": "1"], limits: .patient, cache: ImageCache(ignoredHeaders: ignoresHeaders ? ["X-App"] : []))
      let manager = try SlideManager(
        configuration([
          "SlideWebServiceUrl": workbench.address("/list.json"), "ImageBaseUrl": workbench.address("/"),
        ]), in: environment)
      let slide = try slide("a.png")
      #expect(try await manager.picture(of: slide)?.bytes == Sample.png.bytes)
      #expect(manager.cachedPicture(of: slide)?.bytes == Sample.png.bytes)
    }

    @Test("A second load gets the picture from the cache, which stores it by its address")
    func cached() async throws {
      let (manager, workbench) = try manager("dataTask", [])
      let slide = try slide("a.png")
      #expect(manager.cachedPicture(of: slide) == nil)
      for _ in 0..<3 {
        let (result, _) = await picture(manager, slide, workbench)
        #expect(try result.get()?.bytes == Sample.png.bytes)
      }
      #expect(workbench.origin.counters.requests == 1)
      #expect(manager.cachedPicture(of: slide)?.bytes == Sample.png.bytes)
      #expect(manager.cache.picture(for: workbench.address("/a.png")) != nil)
    }

    @Test("By default, a manager's cache holds ten pictures")
    func limitOfTen() async throws {
      let routes = (0..<12).map { OriginRoute(path: "/\($0).png", OriginResponse(body: .data(Sample.png.bytes))) }
      let workbench = try Workbench("dataTask", routes)
      let manager = try SlideManager(
        configuration([
          "SlideWebServiceUrl": workbench.address("/list.json"), "ImageBaseUrl": workbench.address("/"),
        ]), in: workbench.environment)
      for number in 0..<12 { _ = await picture(manager, try slide("\(number).png"), workbench) }
      #expect(manager.cache.count == 10)
      let (dropped, kept) = (try slide("1.png"), try slide("2.png"))
      #expect(manager.cachedPicture(of: dropped) == nil)
      #expect(manager.cachedPicture(of: kept) != nil)
    }

    @Test("A slide without a file has no picture and sends no request")
    func noPicture() async throws {
      let (manager, workbench) = try manager("dataTask", [])
      let (result, isOnMain) = await picture(manager, try slide(nil), workbench)
      #expect(result == .success(nil))
      #expect(isOnMain)
      #expect(try await manager.picture(of: slide(nil)) == nil)
      #expect(workbench.origin.counters.requests == 0)
    }

    @Test(
      "A picture that fails is reported as an error, and the next load requests it again",
      arguments: Workbench.strategies)
    func failure(strategy: StrategyName) async throws {
      let flaky = OriginRoute(
        path: "/f.png", responses: [OriginResponse(status: 500), OriginResponse(body: .data(Sample.png.bytes))])
      let (manager, workbench) = try manager(strategy, [flaky])
      let slide = try slide("f.png")
      let (first, _) = await picture(manager, slide, workbench)
      #expect(first == .failure(strategy == "blocking" ? .transport(256) : .badStatus(500)))
      workbench.origin.replace(OriginContent(routes: [flaky]))
      await #expect(throws: FetchError.self) { try await manager.picture(of: slide) }
      #expect(try await manager.picture(of: slide)?.bytes == Sample.png.bytes)
      let (second, _) = await picture(manager, slide, workbench)
      #expect(try second.get()?.bytes == Sample.png.bytes)
    }
  }
}

/// Tests with a network that responds when the test decides, in the time of a manual runtime.
@Suite struct SlideManagerOrderTests {
  private let runtime = ManualRuntime()
  private let held = HeldStrategy()

  private var bus: EventBus { environment.bus }
  private let environment: FetchEnvironment

  init() { environment = .held(held, runtime: runtime, limits: FetchLimits()) }

  private func manager(extraDelay: Duration = .zero) throws -> SlideManager {
    let settings = ["SlideWebServiceUrl": "http://localhost/list.json", "ImageBaseUrl": "http://localhost/"]
    let list = try PropertyListSerialization.data(fromPropertyList: settings, format: .xml, options: 0)
    return try SlideManager(
      try ServiceConfiguration(propertyList: list, name: "Info.plist"),
      in: environment, extraDelay: extraDelay)
  }

  @Test("A list that arrives after the list of a later request is reported but not stored")
  func lateList() throws {
    let manager = try manager()
    let titles = Locked<[String]>([])
    for _ in 0..<2 {
      manager.fetchSlideshow { result in
        if case .success(let slideshow) = result { titles.withLock { $0.append(slideshow.title) } }
      }
    }
    runtime.runReady()
    held.end(1, with: Data(#"{"title": "new", "slides": []}"#.utf8))
    runtime.runReady()
    held.end(0, with: Data(#"{"title": "old", "slides": []}"#.utf8))
    runtime.runReady()
    #expect(titles.withLock { $0 } == ["new", "old"])
    #expect(manager.slideshow?.title == "new")
  }

  @Test("A slide posts an event for each picture and each failure") func pictures() throws {
    let manager = try manager()
    let slide = Slide(id: "1", title: "a", imgFileName: "a.png")
    let events = Locked<[String]>([])
    let tokens = [
      bus.subscribe(to: SlidePictureFetched.self, key: "1") { [weak manager] _ in
        guard case .loaded = manager?.state(of: slide) else { return }
        events.withLock { $0.append("fetched") }
      },
      bus.subscribe(to: SlidePictureFailed.self, key: "1") { [weak manager] _ in
        guard manager?.state(of: slide) == .failed(.badStatus(500)) else { return }
        events.withLock { $0.append("failed") }
      },
    ]
    #expect(manager.state(of: slide) == .idle)
    manager.loadPicture(of: slide)
    manager.loadPicture(of: slide)
    #expect(manager.state(of: slide) == .fetching(previous: nil))
    runtime.runReady()
    held.end(0, with: .failure(.badStatus(500)))
    runtime.runReady()
    manager.loadPicture(of: slide)
    runtime.runReady()
    held.end(1, with: Sample.png.bytes)
    runtime.advance(by: .zero)
    #expect(events.withLock { $0 } == ["failed", "fetched"])
    #expect(held.requests.count == 2)
    for token in tokens { token.cancel() }
  }

  @Test("Releasing a slide's picture cancels its fetch, and a late picture posts no event") func released() throws {
    let manager = try manager(extraDelay: .milliseconds(500))
    let slide = Slide(id: "1", title: "a", imgFileName: "a.png")
    let count = Locked(0)
    let token = bus.subscribe(to: SlidePictureFetched.self) { _ in count.withLock { $0 += 1 } }
    manager.loadPicture(of: slide)
    runtime.runReady()
    manager.releasePicture(of: slide)
    runtime.runReady()
    #expect(held.cancels == 1)
    #expect(manager.state(of: slide) == .idle)
    manager.loadPicture(of: slide)
    runtime.runReady()
    held.end(1, with: Sample.png.bytes)
    runtime.advance(by: .milliseconds(499))
    manager.releasePicture(of: slide)
    runtime.advance(by: .milliseconds(1))
    #expect(count.withLock { $0 } == 0)
    guard case .loaded = manager.state(of: slide) else {
      Issue.record("the cache does not have the picture")
      return
    }
    token.cancel()
  }

  @Test("The extra delay is exact, and a cached picture arrives without it")
  func extraDelay() throws {
    let manager = try manager(extraDelay: .milliseconds(500))
    let slide = try #require(try Slideshow(data: Data(#"{"slides": [{"file": "a.png"}]}"#.utf8)).slides.first)
    let arrivals = Locked(0)
    let fetch = {
      _ = manager.fetchPicture(of: slide) { result in
        if case .success(.some) = result { arrivals.withLock { $0 += 1 } }
      }
    }
    fetch()
    runtime.runReady()
    held.end(0, with: Sample.png.bytes)
    runtime.advance(by: .milliseconds(499))
    #expect(arrivals.withLock { $0 } == 0)
    #expect(manager.cache.count == 0)
    runtime.advance(by: .milliseconds(1))
    #expect(arrivals.withLock { $0 } == 1)
    fetch()
    runtime.runReady()
    #expect(arrivals.withLock { $0 } == 2)
    #expect(held.requests.count == 1)
  }
}
