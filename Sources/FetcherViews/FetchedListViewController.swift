import EventBus
public import FetcherModel

/// A page of what a service has at one endpoint, without a screen: it lets the service load that when it appears, as long as it is
/// missing.
@MainActor public final class FetchedListViewController<List: Sendable & Equatable, Failure: Error & Equatable> {
  /// What a service has at one endpoint.
  public typealias Resource = ServiceResource<List, Failure>

  /// What a person would see.
  public struct Screen: Sendable, Equatable {
    /// The list that arrived last, nil before any did.
    public var list: List?
    /// Whether a list is on its way.
    public var isLoading = false
    /// Why the last load failed: an alert, until it is dismissed or the service is asked again.
    public var alert: Failure?
  }

  /// What the page shows now, or showed last.
  public private(set) var screen = Screen()
  /// Whether the page is on the screen.
  public private(set) var isVisible = false
  /// What the page draws from.
  public private(set) var resource: Resource
  private var subscriptions: PageSubscriptions<FetchedListViewController>
  private let runtime: any Runtime
  private let onDraw: @MainActor (Screen) -> Void
  private let onArrival: @MainActor (List) -> Void

  /// - Parameters:
  ///   - resource: what the page shows. Nothing is fetched yet.
  ///   - environment: the environment whose bus announces changes; that of the service.
  ///   - name: names its subscriptions.
  ///   - onDraw: called after each change of the screen, while the page is visible.
  ///   - onArrival: called with a list that has arrived, after it is drawn.
  public init(
    _ resource: Resource, in environment: FetchEnvironment, name: String,
    onDraw: @escaping @MainActor (Screen) -> Void = { _ in }, onArrival: @escaping @MainActor (List) -> Void = { _ in }
  ) {
    self.resource = resource
    self.onDraw = onDraw
    self.onArrival = onArrival
    subscriptions = PageSubscriptions(environment.bus, name: name)
    runtime = environment.runtime
  }

  /// Whether the list is on its way to a page that somebody sees.
  public var isLoading: Bool { isVisible && resource.isLoading }

  /// The page is about to be seen: it listens first and reads then, so that no change falls in between.
  public func viewWillAppear() {
    runtime.requireMain()
    isVisible = true
    listenAndRead()
  }

  /// The page is about to go: nothing reaches it after this call. A load in flight continues, and the service keeps its list.
  public func viewWillDisappear() {
    runtime.requireMain()
    isVisible = false
    subscriptions.cancel()
  }

  /// Shows what a service has at another endpoint.
  public func show(_ resource: Resource) {
    runtime.requireMain()
    self.resource = resource
    if isVisible { listenAndRead() }
  }

  /// Lets the service load the list again. What is shown stays until it arrives.
  public func reload() {
    runtime.requireMain()
    resource.load()
    draw()
  }

  /// The person has read the alert.
  public func dismissAlert() {
    runtime.requireMain()
    resource.clearFailure()
    draw()
  }

  private func listenAndRead() {
    subscriptions.cancel()
    subscriptions.add(self, ServiceChanged.self, key: resource.id) { page in
      page.draw()
      // Drawing may have made the page disappear.
      if page.isVisible, let list = page.resource.value { page.onArrival(list) }
    }
    subscriptions.add(self, ServiceFailed.self, key: resource.id) { $0.draw() }
    if resource.value == nil, !resource.isLoading { resource.load() }
    draw()
  }

  /// Draws from the state of the service.
  func draw() {
    guard isVisible else { return }
    screen = Screen(list: resource.value, isLoading: resource.isLoading, alert: resource.failure)
    onDraw(screen)
  }
}
