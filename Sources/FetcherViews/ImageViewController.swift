import EventBus
public import FetcherModel

/// The picture page, without a screen: it shows one picture, or the placeholder until that picture is there.
@MainActor public final class ImageViewController {
  /// What a person would see.
  public struct Screen: Sendable, Equatable {
    /// The name of the chosen picture.
    public var title: String?
    /// The picture or the placeholder, nil while nothing was chosen.
    public var picture: Picture?
    /// Why the picture could not be loaded.
    public var problem: String?
  }

  /// What its subscriptions are called.
  public let name: String
  /// The chosen picture, if one was chosen.
  public private(set) var image: IFImage?
  /// What the page shows now, or showed last.
  public private(set) var screen = Screen()
  /// Whether the page is on the screen.
  public private(set) var isVisible = false
  private var subscriptions: PageSubscriptions<ImageViewController>
  private let environment: FetchEnvironment
  private let onDraw: @MainActor (Screen) -> Void

  /// - Parameters:
  ///   - environment: the environment whose bus announces the pictures.
  ///   - name: names its subscriptions, in the trace of the bus and in its list of subscriptions.
  ///   - onDraw: called after each change of the screen.
  public init(
    in environment: FetchEnvironment, name: String = "picture", onDraw: @escaping @MainActor (Screen) -> Void = { _ in }
  ) {
    self.environment = environment
    self.name = name
    self.onDraw = onDraw
    subscriptions = PageSubscriptions(environment.bus, name: name)
  }

  /// Chooses the picture to show, or none. Choosing the same one again tries again after a failure.
  public func show(_ image: IFImage?) {
    environment.runtime.requireMain()
    subscriptions.cancel()
    self.image = image
    if isVisible { listenAndRead() }
  }

  /// The page is about to be seen: listen first, then read, so that no answer falls in between.
  public func viewWillAppear() {
    environment.runtime.requireMain()
    isVisible = true
    subscriptions.cancel()
    listenAndRead()
  }

  /// The page is about to go: nothing reaches it after this call.
  public func viewWillDisappear() {
    environment.runtime.requireMain()
    isVisible = false
    subscriptions.cancel()
  }

  private func listenAndRead() {
    guard let image else { return draw(Screen()) }
    subscriptions.add(self, ImageFetched.self, key: image.id) { $0.redraw() }
    subscriptions.add(self, ImageFetchFailed.self, key: image.id) { $0.redraw() }
    draw(Screen(title: image.name, picture: image.image))
  }

  /// Draws from `state`, which never starts a fetch: reading `image` here would fetch a failing address for ever.
  private func redraw() {
    guard let image else { return }
    switch image.state {
    case .loaded(let picture): draw(Screen(title: image.name, picture: picture))
    case .failed(let error):
      draw(Screen(title: image.name, picture: .placeholder, problem: error.message(for: image.name)))
    default: draw(Screen(title: image.name, picture: .placeholder))
    }
  }

  private func draw(_ screen: Screen) {
    self.screen = screen
    onDraw(screen)
  }
}
