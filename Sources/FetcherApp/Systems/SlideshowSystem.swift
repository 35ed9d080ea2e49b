import EventBus
import FetcherModel
import FetcherViews
import Foundation
import OriginServer
import ScenarioEngine
import ScenarioFormat

/// SlideShow: slides from a web service whose address is in a property list, and their pictures on demand.
enum SlideshowSystem {
  static let example = SystemExample(
    name: "slideshow", title: "SlideShow", summary: "slides from a web service, their pictures on demand and cached",
    run: run)

  private static let listPath = "/holidayslideshow.json"
  private static let extraDelay = Duration.milliseconds(100)

  private static func run(_ empty: SystemStage) async throws {
    let list = OriginResponse(
      headers: [("Content-Type", "application/json")],
      body: .file(empty.pictures.appending(path: "holidayslideshow.json")))
    let names = ["sunset-10.jpeg", "mountains-11.png", "city-12.png"]
    let stage = empty.serving([OriginRoute(path: listPath, list)] + names.map { empty.route(toPicture: $0) })
    tellMissingSetting(stage)
    let manager = try SlideManager(
      configuration([
        "SlideWebServiceUrl": stage.address(listPath), "ImageBaseUrl": stage.origin.baseURL.absoluteString,
      ]),
      in: stage.environment, extraDelay: extraDelay)
    stage.say("settings", "SlideWebServiceUrl and ImageBaseUrl come from a property list")
    stage.say("settings", "each picture is held back by \(Int(extraDelay / .milliseconds(1))) ms, as by a slow network")

    let answers = stage.tellAnswers()
    let changes = stage.environment.bus.subscribe(to: SlideshowChanged.self) { event in
      let slides = event.slideshow.slides
      let ids = slides.prefix(3).map(\.id).joined(separator: ", ")
      stage.say("model", "SlideshowChanged: “\(event.slideshow.title)”, \(slides.count) slides: \(ids), ...")
    }
    defer {
      answers.cancel()
      changes.cancel()
    }
    let slides = try await stage.attempt("the slideshow", at: listPath) { try await manager.fetchSlideshow().slides }
    try await present(slides, manager, stage)
  }

  /// Goes from slide to slide and back to the first, which is in the cache.
  private static func present(_ slides: [Slide], _ manager: SlideManager, _ stage: SystemStage) async throws {
    let shown = Shown(stage)
    let page = SlideViewController(manager, in: stage.environment) { shown.draw($0) }
    let runtime = stage.environment.runtime
    await runtime.onMain { page.viewWillAppear() }
    for (number, slide) in (slides.prefix(3) + slides.prefix(1)).enumerated() {
      let path = "/" + (slide.imgFileName ?? "")
      let show = { () async throws in
        let screen = await shown.end {
          stage.say("user", number == 0 ? "looks at “\(slide.title)”" : "goes on to “\(slide.title)”", .yellow)
          page.show(slide)
        }
        guard case .picture = screen.content else { throw SlideProblem(text: screen.problem ?? "no picture") }
      }
      if number == 0 { try await stage.attempt(slide.title, at: path, show) } else { try await show() }
    }
    await runtime.onMain { page.viewWillDisappear() }
    let counters = stage.origin.counters.requestsByPath
    let requests = slides.first?.imgFileName.flatMap { counters[OriginPath("/" + $0)] } ?? 0
    let word = requests == 1 ? "request" : "requests"
    stage.say(
      "cache",
      "\(manager.cache.count) of at most \(manager.cache.countLimit) pictures; \(requests) \(word) for the first")
  }

  private static func tellMissingSetting(_ stage: SystemStage) {
    do throws(FetchError) {
      let incomplete = try configuration(["SlideWebServiceUrl": stage.address(listPath)])
      _ = try SlideManager(incomplete, in: stage.environment)
    } catch {
      stage.say("settings", "without one of them: \(error)")
    }
  }

  private static func configuration(_ settings: [String: String]) throws(FetchError) -> ServiceConfiguration {
    let data = try? PropertyListSerialization.data(fromPropertyList: settings, format: .xml, options: 0)
    return try ServiceConfiguration(propertyList: data ?? Data(), name: "Info.plist")
  }
}

/// Why a slide shows no picture.
private struct SlideProblem: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}

/// What the slide's page shows, and a way to wait until it no longer changes. It lives on main.
private final class Shown: Sendable {
  private struct State {
    var waiter: CheckedContinuation<SlideViewController.Screen, Never>?
  }

  private let stage: SystemStage
  private let state: Confined<State>

  init(_ stage: SystemStage) {
    self.stage = stage
    state = Confined(stage.environment.runtime.main, State())
  }

  func draw(_ screen: SlideViewController.Screen) {
    guard let title = screen.title else { return stage.say("page", "no slide yet: placeholder", .green) }
    let text =
      switch screen.content {
      case .placeholder: "placeholder"
      case .loading: "loading"
      case .picture(let picture): "\(picture.width) x \(picture.height) \(picture.format.rawValue)"
      }
    stage.say("page", "\(title): \(text)", .green)
    guard screen.content != .loading else { return }
    let waiter = state.withValue { state in
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: screen)
  }

  /// Runs `action` on main, and returns what is shown once nothing loads any more.
  func end(_ action: @escaping @Sendable () -> Void) async -> SlideViewController.Screen {
    await withCheckedContinuation { continuation in
      stage.environment.runtime.main.schedule { [self] in
        state.withValue { $0.waiter = continuation }
        action()
      }
    }
  }
}
