import EventBus
public import FetcherModel
import FetcherViews

/// A page that shows one slide. It does not depend on a UI framework. It first shows a placeholder, then a loading
/// state, and finally the picture.
@MainActor public final class SlideViewController {
  /// The content of the picture area.
  public enum Content: Sendable, Equatable {
    /// The picture has not been requested, or the request failed.
    case placeholder
    /// The picture is loading.
    case loading
    /// The picture of the slide.
    case picture(Picture)
  }

  /// The visible content.
  public struct Screen: Sendable, Equatable {
    /// The title of the slide, or nil if there is no slide.
    public var title: String?
    /// The content of the picture area.
    public var content = Content.placeholder
    /// The error message, or nil.
    public var problem: String?
  }

  /// The current content, or the last content if the page is hidden.
  public private(set) var screen = Screen()
  private var isVisible = false
  private var slide: Slide?
  private var subscriptions: PageSubscriptions<SlideViewController>
  private let manager: SlideManager
  private let runtime: any Runtime
  private let onDraw: @MainActor (Screen) -> Void

  /// - Parameters:
  ///   - manager: the manager that provides the pictures.
  ///   - environment: the manager's environment, whose bus reports pictures.
  ///   - name: the name of the subscriptions.
  ///   - onDraw: a closure that is called whenever the screen changes.
  public init(
    _ manager: SlideManager, in environment: FetchEnvironment, name: String = "preview",
    onDraw: @escaping @MainActor (Screen) -> Void = { _ in }
  ) {
    self.manager = manager
    self.onDraw = onDraw
    subscriptions = PageSubscriptions(environment.bus, name: name)
    runtime = environment.runtime
  }

  /// Whether the page is visible and waiting for the slide's picture.
  public var isLoading: Bool { isVisible && slide.map(manager.state(of:))?.isFetching == true }

  /// Changes the slide. Showing the same slide again reloads it, unless its picture is visible.
  public func show(_ slide: Slide?) {
    runtime.requireMain()
    if self.slide == slide, case .picture = screen.content { return }
    leave()
    self.slide = slide
    if isVisible { listenAndLoad() }
  }

  /// Call this method when the page appears.
  public func viewWillAppear() {
    runtime.requireMain()
    isVisible = true
    listenAndLoad()
  }

  /// Call this method when the page disappears. After this call, no event reaches the page, and nothing is fetched for
  /// it.
  public func viewWillDisappear() {
    runtime.requireMain()
    isVisible = false
    leave()
  }

  private func listenAndLoad() {
    guard let slide else { return draw() }
    subscriptions.cancel()
    subscriptions.add(self, SlidePictureFetched.self, key: slide.id) { page, _ in page.draw() }
    subscriptions.add(self, SlidePictureFailed.self, key: slide.id) { page, _ in page.draw() }
    manager.loadPicture(of: slide)
    draw()
  }

  private func leave() {
    subscriptions.cancel()
    if let slide { manager.releasePicture(of: slide) }
  }

  /// Renders the manager's state.
  private func draw() {
    screen = Screen(title: slide?.title)
    switch slide.map(manager.state(of:)) {
    case .idle, nil: break
    case .fetching: screen.content = .loading
    case .loaded(let picture): screen.content = .picture(picture)
    case .failed(let error, _): screen.problem = error.message(for: slide?.title ?? "")
    }
    onDraw(screen)
  }
}
