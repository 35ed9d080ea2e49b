import EventBus

/// Many event types without a declaration for each: one per pair of types of the standard library.
enum ManyTypes {
  private struct Pair<First, Second>: Event {}

  private static let parts: [any Any.Type] = [
    Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
    UInt64.self, Float.self, Double.self, Bool.self, String.self, Character.self, Substring.self, StaticString.self,
    Unicode.Scalar.self, Duration.self, Never.self,
  ]

  static var count: Int { parts.count * parts.count }

  /// Subscribes to each type once.
  static func subscriptions(to bus: EventBus) -> [EventBus::Subscription] {
    parts.flatMap { first in parts.map { second in subscribe(bus, first, second) } }
  }

  private static func subscribe<First, Second>(
    _ bus: EventBus, _ first: First.Type, _ second: Second.Type
  ) -> EventBus::Subscription {
    bus.subscribe(to: Pair<First, Second>.self) { _ in }
  }
}
