// does not compile: actor-isolated property 'files' can not be mutated from the main actor
import EventBus

struct Saved: Event {}

actor Archive {
  var files = 0

  func follow(_ bus: EventBus) -> Subscription {
    bus.subscribe(to: Saved.self, on: .main) { _ in self.files += 1 }
  }
}
