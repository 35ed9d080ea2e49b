// compiles
import Dispatch
import EventBus

struct Saved: Event {}

let bus = EventBus()
let subscriptions = [
  bus.subscribe(to: Saved.self, on: .main(limit: .dropOldest(1))) { @MainActor _ in },
  bus.subscribe(to: Saved.self, on: .queue(.global(), limit: .dropNewest(8))) { _ in },
  bus.subscribe(to: Saved.self, on: .workers(limit: .unbounded)) { _ in },
  bus.subscribe(to: Saved.self, on: .posting) { _ in },
]
