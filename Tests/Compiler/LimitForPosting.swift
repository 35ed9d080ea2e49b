// does not compile: cannot call value of non-function type 'Delivery'
import EventBus

struct Saved: Event {}

let subscription = EventBus().subscribe(to: Saved.self, on: .posting(limit: .dropOldest(1))) { _ in }
