public import EventBus

/// A ``ServiceResource`` has a new value. Posted on main, after its state has changed.
public struct ServiceChanged: KeyedEvent {
  /// Which resource.
  public let resourceID: ResourceID
  /// The resource, so that one can subscribe to its events alone.
  public var key: ResourceID { resourceID }
}

/// A ``ServiceResource/load()`` has failed. Posted on main, after the state has changed: ``ServiceResource/failure`` says why.
public struct ServiceFailed: KeyedEvent {
  /// Which resource.
  public let resourceID: ResourceID
  /// The resource, so that one can subscribe to its events alone.
  public var key: ResourceID { resourceID }
}
