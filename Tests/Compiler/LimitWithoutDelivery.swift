// does not compile: extra trailing closure passed in call
import EventBus

struct Saved: Event {}

let subscription = EventBus().subscribe(to: Saved.self, overflow: .dropOldest(1)) { _ in }
