package import EventBus
import FetcherModel

/// The subscriptions of a page, from `viewWillAppear` to `viewWillDisappear`.
///
/// A page adds its subscriptions when it appears, and then reads the state. It cancels them when it disappears. No
/// handler runs after ``cancel()``. Handlers reference the page weakly.
@MainActor package struct PageSubscriptions<Controller: AnyObject & Sendable> {
  private let bus: EventBus
  private let name: String
  private var subscriptions: [Subscription] = []

  /// - Parameter name: the name of the subscriptions in the bus's trace and in its list of subscriptions.
  package init(_ bus: EventBus, name: String) { (self.bus, self.name) = (bus, name) }

  /// Calls `handler` on main with the page and each event.
  package mutating func add<E: Event>(
    _ page: Controller, _ type: E.Type, _ handler: @escaping @MainActor @Sendable (Controller, E) -> Void
  ) {
    subscriptions.append(
      bus.subscribe(to: type, on: .main, name: name) { @MainActor [weak page] event in
        if let page { handler(page, event) }
      })
  }

  /// Calls `handler` on main with the page and each event with the given key.
  package mutating func add<E: KeyedEvent>(
    _ page: Controller, _ type: E.Type, key: E.Key, _ handler: @escaping @MainActor @Sendable (Controller, E) -> Void
  ) {
    subscriptions.append(
      bus.subscribe(to: type, key: key, on: .main, name: name) { @MainActor [weak page] event in
        if let page { handler(page, event) }
      })
  }

  /// Cancels all the subscriptions.
  package mutating func cancel() {
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
  }
}
