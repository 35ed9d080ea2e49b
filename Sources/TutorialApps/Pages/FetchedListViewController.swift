import EventBus
public import FetcherModel
import FetcherViews

/// A headless page that shows the list from one endpoint of a service. When the page appears, it loads the list
/// if it is missing.
@MainActor public final class FetchedListViewController<List: Sendable & Equatable, Failure: Error & Equatable> {
  /// The type of the endpoint's resource.
  public typealias Resource = ServiceResource<List, Failure>

  /// The visible content.
  public struct Screen: Sendable, Equatable {
    /// The last list that arrived, or nil before the first one.
    public var list: List?
    /// Whether a list is loading.
    public var isLoading = false
    /// The error from the last load, shown as an alert. It remains until it is dismissed or the next load starts.
    public var alert: Failure?
  }

  /// The current content, or the last content if the page is hidden.
  public private(set) var screen = Screen()
  /// Whether the page is visible.
  public private(set) var isVisible = false
  /// The resource that provides the content.
  public private(set) var resource: Resource
  private var subscriptions: PageSubscriptions<FetchedListViewController>
  private let runtime: any Runtime
  private let onDraw: @MainActor (Screen) -> Void
  private let onArrival: @MainActor (List) -> Void

  /// - Parameters:
  ///   - resource: the resource to show. Nothing is fetched yet.
  ///   - environment: the service's environment, whose bus reports changes.
  ///   - name: the name of the subscriptions.
  ///   - onDraw: a closure that is called whenever the screen changes while the page is visible.
  ///   - onArrival: a closure that is called with each list that arrives, after the list has been drawn.
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

  /// Whether the page is visible and waiting for its list.
  public var isLoading: Bool { isVisible && resource.isLoading }

  /// Call this method when the page appears. The page subscribes and then reads the state, so it misses no change.
  public func viewWillAppear() {
    runtime.requireMain()
    isVisible = true
    listenAndRead()
  }

  /// Call this method when the page disappears. No event reaches the page after this call. A load in flight continues,
  /// and the service keeps its list.
  public func viewWillDisappear() {
    runtime.requireMain()
    isVisible = false
    subscriptions.cancel()
  }

  /// Shows the resource from another endpoint.
  public func show(_ resource: Resource) {
    runtime.requireMain()
    self.resource = resource
    if isVisible { listenAndRead() }
  }

  /// Reloads the list. The current content remains until the new list arrives.
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
    subscriptions.add(self, ServiceChanged.self, key: resource.id) { page, _ in
      page.draw()
      // The draw closure may have hidden the page.
      if page.isVisible, let list = page.resource.value { page.onArrival(list) }
    }
    subscriptions.add(self, ServiceFailed.self, key: resource.id) { page, _ in page.draw() }
    if resource.value == nil, !resource.isLoading { resource.load() }
    draw()
  }

  /// Renders the service's state.
  func draw() {
    guard isVisible else { return }
    screen = Screen(list: resource.value, isLoading: resource.isLoading, alert: resource.failure)
    onDraw(screen)
  }
}
