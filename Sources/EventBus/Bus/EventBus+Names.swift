// Module and class share the name `EventBus`, and a dot selects a member of the class. These aliases make
// `EventBus.Event` the event of this
// module, even if another module has an `Event`.
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
  /// An event, where another module has an `Event`.
  public typealias Event = _Event
  /// An event with a key, where another module has a `KeyedEvent`.
  public typealias KeyedEvent = _KeyedEvent
  /// A subscription, where another module has a `Subscription`.
  public typealias Subscription = _Subscription
  /// The delivery of a subscription, where another module has a `Delivery`.
  public typealias Delivery = _Delivery
  /// Delivery on main, where another module has a `MainDelivery`.
  public typealias MainDelivery = _MainDelivery
  /// The policy of a full mailbox, where another module has an `Overflow`.
  public typealias Overflow = _Overflow
  /// Events as a sequence, where another module has an `EventStream`.
  public typealias EventStream<E: _Event> = _EventStream<E>
  /// The failure of a handler, where another module has a `HandlerFailure`.
  public typealias HandlerFailure = _HandlerFailure
  /// A step of the bus, where another module has a `TraceEvent`.
  public typealias TraceEvent = _TraceEvent
  /// The description of a subscription, where another module has a `SubscriptionInfo`.
  public typealias SubscriptionInfo = _SubscriptionInfo
}
