// compiles
import EventBus

/// Types of another module, whose names are in the way.
protocol Event {}
struct Subscription {}
enum Delivery {}
struct EventStream {}

struct Saved: EventBus::Event { let file: String }
struct Drawn: EventBus::KeyedEvent { let key: Int }

let bus = EventBus()
let delivery: EventBus::Delivery = .workers
let overflow: EventBus::Overflow = .dropOldest(1)
let main: EventBus::MainDelivery = .main
var subscriptions: Set<EventBus::Subscription> = [bus.subscribe(to: Saved.self, on: delivery) { print($0.file) }]
let stream: EventBus::EventStream<Drawn> = bus.events(of: Drawn.self, key: 1, limit: overflow)
let traced = EventBus(onFailure: { (_: EventBus::HandlerFailure) in }, trace: { (_: EventBus::TraceEvent) in })
let infos: [EventBus::SubscriptionInfo] = bus.subscriptions
