import EventBus

struct Number: Event { let value: Int }

struct Other: Event { let value: Int }

struct Loaded<Value: Sendable>: Event { let value: Value }

struct Renamed: KeyedEvent {
  let key: String
  var name = ""
}

/// An event type that replays its newest event.
struct Sticky: Event {
  static var replay: Int { 1 }
  let value: Int
}

/// An event type that replays its newest two events.
struct Recent: Event {
  static var replay: Int { 2 }
  let value: Int
}

/// An event type that replays the newest two events of each key.
struct Status: KeyedEvent {
  static var replay: Int { 2 }
  let key: String
  let value: Int
}
