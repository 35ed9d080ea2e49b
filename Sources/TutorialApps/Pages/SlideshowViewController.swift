import EventBus
public import FetcherModel
import FetcherViews

/// The two tabs of a headless slideshow. One tab manages the slides, and the other one displays them.
///
/// Only one tab is visible at a time.
@MainActor public final class SlideshowViewController {
  /// The tabs.
  public enum Tab: Sendable, CaseIterable {
    /// The titles of the slides, with favorites marked.
    case manage
    /// One slide at a time.
    case preview
  }

  /// The page that shows the titles.
  public typealias List = FetchedListViewController<Slideshow, ServiceError>

  /// The page that shows the titles of the slides.
  public let list: List
  /// The page that shows the current slide.
  public let preview: SlideViewController
  private let manager: SlideManager
  private let environment: FetchEnvironment
  /// The visible tab, or nil if none is visible.
  public private(set) var tab: Tab?
  private var subscriptions: PageSubscriptions<SlideshowViewController>
  private var slide: Slide.ID?

  /// - Parameters:
  ///   - manager: the manager that provides the slides and their pictures.
  ///   - environment: the manager's environment, whose bus reports changes.
  ///   - onDrawList: a closure that is called whenever the list changes.
  ///   - onDrawSlide: a closure that is called whenever the slide changes.
  public init(
    _ manager: SlideManager, in environment: FetchEnvironment,
    onDrawList: @escaping @MainActor (List.Screen) -> Void = { _ in },
    onDrawSlide: @escaping @MainActor (SlideViewController.Screen) -> Void = { _ in }
  ) {
    self.manager = manager
    self.environment = environment
    list = List(manager.list, in: environment, name: "\(Tab.manage)", onDraw: onDrawList)
    preview = SlideViewController(manager, in: environment, name: "\(Tab.preview)", onDraw: onDrawSlide)
    subscriptions = PageSubscriptions(environment.bus, name: "\(Tab.manage)")
  }

  /// Shows a tab and hides the other one. With nil, hides both.
  public func select(_ tab: Tab?) {
    environment.runtime.requireMain()
    subscriptions.cancel()
    let old = self.tab
    self.tab = tab
    switch old {
    case .manage: list.viewWillDisappear()
    case .preview: preview.viewWillDisappear()
    case nil: break
    }
    switch tab {
    case .manage:
      subscriptions.add(self, SlideFavoriteChanged.self) { page, _ in page.list.draw() }
      list.viewWillAppear()
    case .preview:
      if slide == nil { show(slides.first?.id) }
      preview.viewWillAppear()
    case nil: break
    }
  }

  /// Shows a slide in the preview.
  public func show(_ id: Slide.ID?) {
    environment.runtime.requireMain()
    slide = id
    preview.show(slides.first { $0.id == id })
  }

  /// Moves by `count` slides, wrapping around at the end.
  public func advance(by count: Int = 1) {
    environment.runtime.requireMain()
    let ids = slides.map(\.id)
    guard !ids.isEmpty else { return }
    let position = ids.firstIndex { $0 == slide } ?? 0
    show(ids[((position + count) % ids.count + ids.count) % ids.count])
  }

  /// Toggles whether a slide is a favorite.
  public func toggleFavorite(_ id: Slide.ID) {
    environment.runtime.requireMain()
    guard let slide = slides.first(where: { $0.id == id }) else { return }
    manager.setFavorite(!slide.isFavorite, of: id)
  }

  private var slides: [Slide] { manager.slideshow?.slides ?? [] }
}
