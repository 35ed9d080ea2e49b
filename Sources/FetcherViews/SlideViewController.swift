import EventBus
public import FetcherModel

/// The page of one slide, without a screen: a placeholder, then a sign that it loads, then its picture.
@MainActor public final class SlideViewController {
  /// What stands where the picture belongs.
  public enum Content: Sendable, Equatable {
    /// Nothing was asked for, or it failed.
    case placeholder
    /// The picture is on its way.
    case loading
    /// The picture of the slide.
    case picture(Picture)
  }

  /// What a person would see.
  public struct Screen: Sendable, Equatable {
    /// The title of the slide, nil while there is none.
    public var title: String?
    /// What stands where the picture belongs.
    public var content = Content.placeholder
    /// Why the picture could not be loaded.
    public var problem: String?
  }

  /// What the page shows now, or showed last.
  public private(set) var screen = Screen()
  private var isVisible = false
  private var slide: Slide?
  private var subscriptions: PageSubscriptions<SlideViewController>
  private let manager: SlideManager
  private let runtime: any Runtime
  private let onDraw: @MainActor (Screen) -> Void

  /// - Parameters:
  ///   - manager: where pictures come from.
  ///   - environment: the environment whose bus announces pictures; that of the manager.
  ///   - name: names its subscriptions.
  ///   - onDraw: called after each change of the screen.
  public init(
    _ manager: SlideManager, in environment: FetchEnvironment, name: String = "preview",
    onDraw: @escaping @MainActor (Screen) -> Void = { _ in }
  ) {
    self.manager = manager
    self.onDraw = onDraw
    subscriptions = PageSubscriptions(environment.bus, name: name)
    runtime = environment.runtime
  }

  /// Whether the picture of the slide is on its way to a page that somebody sees.
  public var isLoading: Bool { isVisible && slide.map(manager.state(of:)) == .fetching }

  /// Changes the slide. The same one again loads again, unless its picture is shown.
  public func show(_ slide: Slide?) {
    runtime.requireMain()
    if self.slide == slide, case .picture = screen.content { return }
    leave()
    self.slide = slide
    if isVisible { listenAndLoad() }
  }

  /// The page is about to be seen.
  public func viewWillAppear() {
    runtime.requireMain()
    isVisible = true
    listenAndLoad()
  }

  /// The page is about to go: nothing reaches it after this call, and nothing is fetched for it.
  public func viewWillDisappear() {
    runtime.requireMain()
    isVisible = false
    leave()
  }

  private func listenAndLoad() {
    guard let slide else { return draw() }
    subscriptions.cancel()
    subscriptions.add(self, SlidePictureFetched.self, key: slide.id) { $0.draw() }
    subscriptions.add(self, SlidePictureFailed.self, key: slide.id) { $0.draw() }
    manager.loadPicture(of: slide)
    draw()
  }

  private func leave() {
    subscriptions.cancel()
    if let slide { manager.releasePicture(of: slide) }
  }

  /// Draws from the state of the manager.
  private func draw() {
    screen = Screen(title: slide?.title)
    switch slide.map(manager.state(of:)) {
    case .idle, nil: break
    case .fetching: screen.content = .loading
    case .loaded(let picture): screen.content = .picture(picture)
    case .failed(let error): screen.problem = error.message(for: slide?.title ?? "")
    }
    onDraw(screen)
  }
}
