public import EventBus

/// A fetch has begun, or joined one under way. Posted on main, before any other event of the fetch.
public struct ImageFetchStarted: KeyedEvent {
  public let imageID: ImageID
  public let name: String
  /// The strategy that this fetch keeps to its end.
  public let strategy: String
  public var key: ImageID { imageID }
}

/// Bytes have arrived. Posted on main; several arrivals may be told as one.
public struct ImageFetchProgress: KeyedEvent {
  public let imageID: ImageID
  public let name: String
  /// Bytes received so far.
  public let received: Int
  /// Bytes to come in all, where the server announced it.
  public let expected: Int?
  public var key: ImageID { imageID }
}

/// The picture is here: ``IFImage/image`` returns it. Posted on main, after the state is final.
public struct ImageFetched: KeyedEvent {
  public let imageID: ImageID
  public let name: String
  public let strategy: String
  public let byteCount: Int
  public var key: ImageID { imageID }
}

/// The fetch failed. Posted on main, after the state is final.
///
/// Draw from ``IFImage/state`` in answer: reading ``IFImage/image`` here fetches a failing address for ever.
public struct ImageFetchFailed: KeyedEvent {
  public let imageID: ImageID
  public let name: String
  public let strategy: String
  public let error: FetchError
  public var key: ImageID { imageID }
  /// What went wrong with this picture, and what to do.
  public var message: String { error.message(for: name) }
}

/// The fetch was cancelled with ``IFImage/cancel()``. Posted on main.
public struct ImageFetchCancelled: KeyedEvent {
  public let imageID: ImageID
  public let name: String
  public let strategy: String
  public var key: ImageID { imageID }
}
