import EventBus

struct Number: Event { let value: Int }

struct Other: Event { let value: Int }

struct Loaded<Value: Sendable>: Event { let value: Value }

struct Renamed: KeyedEvent {
  let key: String
  var name = ""
}

/// Replays the newest one.
struct Sticky: Event {
  static var replay: Int { 1 }
  let value: Int
}

/// Replays the newest two.
struct Recent: Event {
  static var replay: Int { 2 }
  let value: Int
}

/// Replays the newest two of each key.
struct Status: KeyedEvent {
  static var replay: Int { 2 }
  let key: String
  let value: Int
}
