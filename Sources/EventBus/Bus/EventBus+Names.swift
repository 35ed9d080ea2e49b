// The module and the class share the name `EventBus`, so a dot selects a member of the class. With these aliases,
// `EventBus.Event` refers to this module's event even if another module declares an `Event`.
public typealias _Event = Event
public typealias _KeyedEvent = KeyedEvent
public typealias _Subscription = Subscription
public typealias _Delivery = Delivery
public typealias _MainDelivery = MainDelivery
public typealias _Overflow = Overflow
public typealias _EventStream = EventStream
public typealias _HandlerFailure = HandlerFailure
public typealias _TraceEvent = TraceEvent
public typealias _SubscriptionInfo = SubscriptionInfo

extension EventBus {
  /// An event. Use this name in files that import another module with an `Event`.
  public typealias Event = _Event
  /// An event with a key. Use this name in files that import another module with a `KeyedEvent`.
  public typealias KeyedEvent = _KeyedEvent
  /// A subscription. Use this name in files that import another module with a `Subscription`.
  public typealias Subscription = _Subscription
  /// The delivery of a subscription. Use this name in files that import another module with a `Delivery`.
  public typealias Delivery = _Delivery
  /// Delivery on main. Use this name in files that import another module with a `MainDelivery`.
  public typealias MainDelivery = _MainDelivery
  /// The policy for a full mailbox. Use this name in files that import another module with an `Overflow`.
  public typealias Overflow = _Overflow
  /// Events as a sequence. Use this name in files that import another module with an `EventStream`.
  public typealias EventStream<E: _Event> = _EventStream<E>
  /// The failure of a handler. Use this name in files that import another module with a `HandlerFailure`.
  public typealias HandlerFailure = _HandlerFailure
  /// A trace event. Use this name in files that import another module with a `TraceEvent`.
  public typealias TraceEvent = _TraceEvent
  /// The description of a subscription. Use this name in files that import another module with a `SubscriptionInfo`.
  public typealias SubscriptionInfo = _SubscriptionInfo
}
