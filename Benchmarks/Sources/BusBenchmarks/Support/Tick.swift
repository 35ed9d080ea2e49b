import EventBus

/// The event of most rows.
struct Tick: Event {
  let number: Int
}

/// The same again under another type, for posters that share nothing.
struct Tock: Event {
  let number: Int
}

/// An event about one of many.
struct Change: KeyedEvent {
  let key: Int
}
