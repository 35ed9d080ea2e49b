import EventBus
public import FetcherModel

/// A headless page that shows one picture, or the placeholder until the picture arrives.
@MainActor public final class ImageViewController {
  /// The visible content.
  public struct Screen: Sendable, Equatable {
    /// The name of the selected picture.
    public var title: String?
    /// The picture or the placeholder, or nil if nothing is selected.
    public var picture: Picture?
    /// The error message, or nil.
    public var problem: String?
  }

  /// The name of the subscriptions.
  public let name: String
  /// The selected picture, or nil.
  public private(set) var image: IFImage?
  /// The current content, or the last content if the page is hidden.
  public private(set) var screen = Screen()
  /// Whether the page is visible.
  public private(set) var isVisible = false
  private var subscriptions: PageSubscriptions<ImageViewController>
  private let environment: FetchEnvironment
  private let onDraw: @MainActor (Screen) -> Void

  /// - Parameters:
  ///   - environment: the environment whose bus reports changes to the pictures.
  ///   - name: the name of the subscriptions in the bus's trace and in its list of subscriptions.
  ///   - onDraw: a closure that is called whenever the screen changes.
  public init(
    in environment: FetchEnvironment, name: String = "picture", onDraw: @escaping @MainActor (Screen) -> Void = { _ in }
  ) {
    self.environment = environment
    self.name = name
    self.onDraw = onDraw
    subscriptions = PageSubscriptions(environment.bus, name: name)
  }

  /// Selects the picture to show, or deselects it with nil. Selecting the same picture again retries after a failure.
  public func show(_ image: IFImage?) {
    environment.runtime.requireMain()
    subscriptions.cancel()
    self.image = image
    if isVisible { listenAndRead() }
  }

  /// Call this method when the page appears. The page subscribes and then reads the state, so it misses no event.
  public func viewWillAppear() {
    environment.runtime.requireMain()
    isVisible = true
    subscriptions.cancel()
    listenAndRead()
  }

  /// Call this method when the page disappears. No event reaches the page after this call.
  public func viewWillDisappear() {
    environment.runtime.requireMain()
    isVisible = false
    subscriptions.cancel()
  }

  private func listenAndRead() {
    guard let image else { return draw(Screen()) }
    subscriptions.add(self, ImageFetched.self, key: image.id) { page, _ in page.redraw() }
    subscriptions.add(self, ImageFetchFailed.self, key: image.id) { page, _ in page.redraw() }
    image.startLoading()
    redraw()
  }

  /// Renders `state`, because reading it never starts a fetch. If this method read `image`, the page would keep
  /// requesting a failing address.
  private func redraw() {
    guard let image else { return }
    let state = image.state
    let problem = state.error?.message(for: image.name)
    draw(Screen(title: image.name, picture: state.picture ?? .placeholder, problem: problem))
  }

  private func draw(_ screen: Screen) {
    self.screen = screen
    onDraw(screen)
  }
}
