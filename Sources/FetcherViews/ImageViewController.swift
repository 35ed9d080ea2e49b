import EventBus
public import FetcherModel

/// The picture page, without a screen: it shows one picture, or the placeholder until that picture is there.
///
/// Every member is for the main scheduler only.
public final class ImageViewController: Sendable {
  /// What a person would see.
  public struct Screen: Sendable, Equatable {
    /// The name of the chosen picture.
    public var title: String?
    /// The picture or the placeholder, nil while nothing was chosen.
    public var picture: Picture?
    /// Why the picture could not be loaded.
    public var problem: String?
  }

  private struct State {
    var isVisible = false
    var image: IFImage?
    var subscriptions: [Subscription] = []
    var screen = Screen()
  }

  /// What its subscriptions are called.
  public let name: String
  private let state: Confined<State>
  private let environment: FetchEnvironment
  private let onDraw: @Sendable (Screen) -> Void

  /// - Parameters:
  ///   - environment: whose bus announces the pictures.
  ///   - name: names its subscriptions, in the trace of the bus and in its list of subscriptions.
  ///   - onDraw: called after each change of the screen.
  public init(
    in environment: FetchEnvironment, name: String = "picture", onDraw: @escaping @Sendable (Screen) -> Void = { _ in }
  ) {
    self.environment = environment
    self.name = name
    self.onDraw = onDraw
    state = Confined(environment.runtime.main, State())
  }

  /// The chosen picture, if one was chosen.
  public var image: IFImage? { state.withValue { $0.image } }

  /// What the page shows now, or showed last.
  public var screen: Screen { state.withValue { $0.screen } }

  /// Whether the page is on the screen.
  public var isVisible: Bool { state.withValue { $0.isVisible } }

  /// Chooses the picture to show, or none. Choosing the same one again tries again after a failure.
  public func show(_ image: IFImage?) {
    stopListening()
    let isVisible = state.withValue { state in
      state.image = image
      return state.isVisible
    }
    if isVisible { listenAndRead() }
  }

  /// The page is about to be seen: listen first, then read, so that no answer falls in between.
  public func viewWillAppear() {
    state.withValue { $0.isVisible = true }
    stopListening()
    listenAndRead()
  }

  /// The page is about to go: nothing reaches it after this call.
  public func viewWillDisappear() {
    state.withValue { $0.isVisible = false }
    stopListening()
  }

  private func listenAndRead() {
    guard let image else {
      draw(Screen())
      return
    }
    let bus = environment.bus
    let subscriptions = [
      bus.subscribe(self, to: ImageFetched.self, key: image.id, on: .main, name: name) { view, _ in view.redraw() },
      bus.subscribe(self, to: ImageFetchFailed.self, key: image.id, on: .main, name: name) { view, _ in view.redraw() },
    ]
    state.withValue { $0.subscriptions = subscriptions }
    draw(Screen(title: image.name, picture: image.image))
  }

  private func stopListening() {
    let old = state.withValue { state in
      defer { state.subscriptions = [] }
      return state.subscriptions
    }
    for subscription in old { subscription.cancel() }
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
    state.withValue { $0.screen = screen }
    onDraw(screen)
  }
}
