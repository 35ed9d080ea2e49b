import EventBus

/// The event of most rows.
struct Tick: Event {
  let number: Int
}

/// The same event as another type, for posters that share nothing.
struct Tock: Event {
  let number: Int
}

/// An event with a key.
struct Change: KeyedEvent {
  let key: Int
}
