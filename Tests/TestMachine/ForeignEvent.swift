public import EventBus

/// An event without a key, for a test that gives it one in another module.
public struct ForeignEvent: Event {
  public let name: String

  public init(name: String) { self.name = name }
}
