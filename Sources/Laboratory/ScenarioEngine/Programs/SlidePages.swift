import EventBus
import FetcherModel
import FetcherViews
import ScenarioFormat
import TutorialApps

/// SlideShow. The app has one tab with the titles of the slides, and one that shows a single slide at a time.
final class SlidePages: SystemPages {
  nonisolated static let controls = ["reload", "favorite", "next", "previous"]
  nonisolated static let steps = [
    "appear": ["manage", "preview"], "disappear": ["manage", "preview"], "select": ["preview"], "deselect": ["preview"],
    "tap": ["manage", "preview"], "memory-warning": [], "switch": [], "send": [],
  ]

  private let page: SlideshowViewController
  private let manager: SlideManager

  init(_ stage: PageStage) throws(ServiceError) {
    // Simulate a slow network, as the tutorial does.
    let manager = try SlideManager(stage.settings, in: stage.environment, extraDelay: .milliseconds(20))
    self.manager = manager
    page = SlideshowViewController(manager, in: stage.environment) { screen in
      stage.draw("manage", screen) { slideshow in
        let slides = slideshow.slides
        return "\(slides.count) slides: "
          + slides.map { $0.title + ($0.isFavorite ? " ★" : "") }.joined(separator: ", ")
      }
    } onDrawSlide: { screen in
      stage.draw("preview", screen)
    }
  }

  func perform(_ action: Scenario.Action) -> Bool {
    switch action {
    case .appear("manage"): page.select(.manage)
    case .appear("preview"): page.select(.preview)
    case .disappear(let view): if visible[view] == true { page.select(nil) }
    case .select(let title, _):
      guard let slide = slides.first(where: { $0.title == title }) else { return false }
      page.show(slide.id)
    case .deselect: page.show(nil)
    case .memoryWarning: manager.cache.removeAll()
    case .tap("reload", _): page.list.reload()
    case .tap("next", _): return advance(by: 1)
    case .tap("previous", _): return advance(by: -1)
    case .tap(let control, _):
      let title = control.drop { $0 != " " }.dropFirst()
      guard let slide = slides.first(where: { $0.title == title }) else { return false }
      page.toggleFavorite(slide.id)
    default: break
    }
    return true
  }

  private func advance(by count: Int) -> Bool {
    page.advance(by: count)
    return !slides.isEmpty
  }

  private var slides: [Slide] { manager.slideshow?.slides ?? [] }

  var isIdle: Bool { !page.list.isLoading && !page.preview.isLoading }
  var visible: [String: Bool] { ["manage": page.tab == .manage, "preview": page.tab == .preview] }
  var screens: [ProgramScreen] {
    let current = page.preview.screen
    var list = ProgramScreen("manage", page.list, isVisible: page.tab == .manage) { slideshow in
      slideshow.slides.map { slide in
        var row = ProgramScreen.Row(slide.title)
        row.isMarked = slide.isFavorite
        row.isSelected = slide.title == current.title
        row.picture = manager.cachedPicture(of: slide)
        row.state = Scenario.ImageStateName(manager.state(of: slide))
        return row
      }
    }
    list.title = manager.slideshow?.title
    var preview = ProgramScreen("preview", isVisible: page.tab == .preview)
    preview.hasPicture = true
    (preview.title, preview.problem) = (current.title, current.problem)
    switch current.content {
    case .placeholder: preview.picture = .placeholder
    case .loading: (preview.picture, preview.isLoading) = (.placeholder, true)
    case .picture(let picture): preview.picture = picture
    }
    return [list, preview]
  }

  /// Empty, because each load of a slide has its own image, which exists only during the load.
  var images: [String: IFImage] { [:] }
  func close() { page.select(nil) }
}
