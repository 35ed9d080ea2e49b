public import EventBus

/// An event without a key. A test in another module adds one.
public struct ForeignEvent: Event {
  public let name: String

  public init(name: String) { self.name = name }
}
