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
  /// Counts the loads: what an earlier one brings is late.
  private var generation = 0
  private var fetch: IFImage?
  private let manager: SlideManager
  private let runtime: any Runtime
  private let onDraw: @MainActor (Screen) -> Void

  /// - Parameters:
  ///   - manager: where pictures come from.
  ///   - environment: the environment whose main scheduler the page lives on.
  ///   - onDraw: called after each change of the screen.
  public init(
    _ manager: SlideManager, in environment: FetchEnvironment, onDraw: @escaping @MainActor (Screen) -> Void = { _ in }
  ) {
    self.manager = manager
    self.onDraw = onDraw
    runtime = environment.runtime
  }

  /// Whether the picture of the slide is on its way to a page that somebody sees.
  public var isLoading: Bool { isVisible && screen.content == .loading }

  /// Changes the slide. The same one again loads again, unless its picture is shown.
  public func show(_ slide: Slide?) {
    runtime.requireMain()
    if self.slide == slide, case .picture = screen.content { return }
    self.slide = slide
    if isVisible { load() }
  }

  /// The page is about to be seen.
  public func viewWillAppear() {
    runtime.requireMain()
    isVisible = true
    load()
  }

  /// The page is about to go: nothing reaches it after this call, and nothing is fetched for it.
  public func viewWillDisappear() {
    runtime.requireMain()
    isVisible = false
    abandonFetch()
  }

  private func abandonFetch() {
    generation += 1
    guard let fetch = fetch.take() else { return }
    fetch.cancel()
    // A released image posts nothing more, and others want to hear of the cancel.
    runtime.main.schedule { withExtendedLifetime(fetch) {} }
  }

  private func load() {
    abandonFetch()
    guard let slide else { return draw(Screen()) }
    if let picture = manager.cachedPicture(of: slide) {
      return draw(Screen(title: slide.title, content: .picture(picture)))
    }
    guard slide.imgFileName != nil else { return draw(Screen(title: slide.title)) }
    draw(Screen(title: slide.title, content: .loading))
    let generation = generation
    fetch = manager.fetchPicture(of: slide) { [weak self, runtime] result in
      runtime.assumeMainActor { self?.arrive(result, slide, generation) }
    }
  }

  private func arrive(_ result: Result<Picture?, FetchError>, _ slide: Slide, _ generation: Int) {
    guard self.generation == generation else { return }
    switch result {
    case .success(let picture):
      draw(Screen(title: slide.title, content: picture.map(Content.picture) ?? .placeholder))
    case .failure(let error):
      draw(Screen(title: slide.title, problem: error.message(for: slide.title)))
    }
  }

  private func draw(_ screen: Screen) {
    self.screen = screen
    onDraw(screen)
  }
}
