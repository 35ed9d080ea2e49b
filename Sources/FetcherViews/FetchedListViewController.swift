import EventBus
public import FetcherModel

/// A page without a screen that shows the list of a service at one endpoint. When it appears, it loads a missing list.
@MainActor public final class FetchedListViewController<List: Sendable & Equatable, Failure: Error & Equatable> {
  /// The endpoint's resource.
  public typealias Resource = ServiceResource<List, Failure>

  /// The visible content.
  public struct Screen: Sendable, Equatable {
    /// The last list, or nil before the first one.
    public var list: List?
    /// Whether a list is loading.
    public var isLoading = false
    /// The error of the last load: an alert until it is dismissed or the service is asked again.
    public var alert: Failure?
  }

  /// The present content, or the last one while the page is hidden.
  public private(set) var screen = Screen()
  /// Whether the page is visible.
  public private(set) var isVisible = false
  /// The source of the content.
  public private(set) var resource: Resource
  private var subscriptions: PageSubscriptions<FetchedListViewController>
  private let runtime: any Runtime
  private let onDraw: @MainActor (Screen) -> Void
  private let onArrival: @MainActor (List) -> Void

  /// - Parameters:
  ///   - resource: the resource to show. Nothing is fetched yet.
  ///   - environment: the service's environment, whose bus reports changes.
  ///   - name: the name of the subscriptions.
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

  /// Whether a visible page is waiting for its list.
  public var isLoading: Bool { isVisible && resource.isLoading }

  /// Appears: subscribes, then reads the state, so that no change is missed.
  public func viewWillAppear() {
    runtime.requireMain()
    isVisible = true
    listenAndRead()
  }

  /// Disappears: no event reaches the page after this call. A load in flight continues, and the service keeps its list.
  public func viewWillDisappear() {
    runtime.requireMain()
    isVisible = false
    subscriptions.cancel()
  }

  /// Shows the resource of another endpoint.
  public func show(_ resource: Resource) {
    runtime.requireMain()
    self.resource = resource
    if isVisible { listenAndRead() }
  }

  /// Reloads the list. The present content stays until the new list arrives.
  public func reload() {
    runtime.requireMain()
    resource.load()
    draw()
  }

  /// Dismisses the alert.
  public func dismissAlert() {
    runtime.requireMain()
    resource.clearFailure()
    draw()
  }

  private func listenAndRead() {
    subscriptions.cancel()
    subscriptions.add(self, ServiceChanged.self, key: resource.id) { page in
      page.draw()
      // The draw callback may have hidden the page.
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
