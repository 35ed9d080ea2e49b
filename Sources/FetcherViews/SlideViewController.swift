import EventBus
public import FetcherModel

/// The page of one slide, without a screen: a placeholder, then a sign that it loads, then its picture.
///
/// Every member is for the main scheduler only.
public final class SlideViewController: Sendable {
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

  private struct State {
    var isVisible = false
    var slide: Slide?
    var screen = Screen()
    /// Counts the loads: what an earlier one brings is late.
    var generation = 0
    var fetch: IFImage?
  }

  private let state: Confined<State>
  private let manager: SlideManager
  private let main: any Scheduler
  private let onDraw: @Sendable (Screen) -> Void

  /// - Parameters:
  ///   - manager: where pictures come from.
  ///   - environment: whose main scheduler the page lives on.
  ///   - onDraw: called after each change of the screen.
  public init(
    _ manager: SlideManager, in environment: FetchEnvironment, onDraw: @escaping @Sendable (Screen) -> Void = { _ in }
  ) {
    self.manager = manager
    self.onDraw = onDraw
    main = environment.runtime.main
    state = Confined(main, State())
  }

  /// What the page shows now, or showed last.
  public var screen: Screen { state.withValue { $0.screen } }

  /// Whether the picture of the slide is on its way to a page that somebody sees.
  public var isLoading: Bool { state.withValue { $0.isVisible && $0.screen.content == .loading } }

  /// Changes the slide. The same one again loads again, unless its picture is shown.
  public func show(_ slide: Slide?) {
    let needsLoad = state.withValue { state in
      if state.slide == slide, case .picture = state.screen.content { return false }
      state.slide = slide
      return state.isVisible
    }
    if needsLoad { load() }
  }

  /// The page is about to be seen.
  public func viewWillAppear() {
    state.withValue { $0.isVisible = true }
    load()
  }

  /// The page is about to go: nothing reaches it after this call, and nothing is fetched for it.
  public func viewWillDisappear() {
    state.withValue { $0.isVisible = false }
    _ = beginAnew()
  }

  /// Abandons an earlier load.
  private func beginAnew() -> (slide: Slide?, generation: Int) {
    let (slide, generation, fetch) = state.withValue { state in
      state.generation += 1
      defer { state.fetch = nil }
      return (state.slide, state.generation, state.fetch)
    }
    if let fetch {
      fetch.cancel()
      // A released image posts nothing more, and others want to hear of the cancel.
      main.schedule { withExtendedLifetime(fetch) {} }
    }
    return (slide, generation)
  }

  private func load() {
    let (slide, generation) = beginAnew()
    guard let slide else { return draw(Screen()) }
    if let picture = manager.cachedPicture(of: slide) {
      return draw(Screen(title: slide.title, content: .picture(picture)))
    }
    guard slide.imgFileName != nil else { return draw(Screen(title: slide.title)) }
    draw(Screen(title: slide.title, content: .loading))
    let fetch = manager.fetchPicture(of: slide) { [weak self] result in self?.arrive(result, slide, generation) }
    state.withValue { $0.fetch = fetch }
  }

  private func arrive(_ result: Result<Picture?, FetchError>, _ slide: Slide, _ generation: Int) {
    guard state.withValue({ $0.generation == generation }) else { return }
    switch result {
    case .success(let picture):
      draw(Screen(title: slide.title, content: picture.map(Content.picture) ?? .placeholder))
    case .failure(let error):
      draw(Screen(title: slide.title, problem: error.message(for: slide.title)))
    }
  }

  private func draw(_ screen: Screen) {
    state.withValue { $0.screen = screen }
    onDraw(screen)
  }
}
