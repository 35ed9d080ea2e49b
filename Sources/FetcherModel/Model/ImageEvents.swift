public import EventBus
import Synchronization

/// A fetch has started a request or joined one in flight. Posted on main, before all other events of the fetch.
public struct ImageFetchStarted: KeyedEvent {
  /// The image's key.
  public let imageID: ImageID
  /// The image's human-readable name.
  public var name: String { imageID.name }
  /// The strategy used for the entire fetch.
  public let strategy: StrategyName
  /// The key for subscribing to one image's events.
  public var key: ImageID { imageID }

  /// Creates an event, for example to test a view. Only an image posts it for a fetch.
  public init(imageID: ImageID, strategy: StrategyName) {
    self.imageID = imageID
    self.strategy = strategy
  }
}

/// Bytes have arrived. Posted on main while the event has a subscriber or the bus has a trace. One event can cover
/// several arrivals. A retry resets the byte count.
public struct ImageFetchProgress: KeyedEvent {
  /// The image's key.
  public let imageID: ImageID
  /// The image's human-readable name.
  public var name: String { imageID.name }
  /// The number of bytes received so far.
  public let received: Int
  /// The announced total number of bytes, or nil if unknown.
  public let expected: Int?
  /// The key for subscribing to one image's events.
  public var key: ImageID { imageID }

  /// Creates an event, for example to test a view. Only an image posts it for a fetch.
  public init(imageID: ImageID, received: Int, expected: Int?) {
    self.imageID = imageID
    self.received = received
    self.expected = expected
  }
}

/// A fetch has brought the picture, and ``IFImage/picture`` returns it. Posted on main, after the image's state is
/// final.
///
/// A picture that is taken from the cache posts no event. Read ``IFImage/picture`` after ``IFImage/startLoading()``, or
/// read ``IFImage/states``, which reports every change.
public struct ImageFetched: KeyedEvent {
  /// The image's key.
  public let imageID: ImageID
  /// The image's human-readable name.
  public var name: String { imageID.name }
  /// The strategy of the fetch.
  public let strategy: StrategyName
  /// The picture.
  public let picture: Picture
  /// The size of the picture in bytes.
  public var byteCount: Int { picture.bytes.count }
  /// The key for subscribing to one image's events.
  public var key: ImageID { imageID }

  /// Creates an event, for example to test a view. Only an image posts it for a fetch.
  public init(imageID: ImageID, strategy: StrategyName, picture: Picture) {
    self.imageID = imageID
    self.strategy = strategy
    self.picture = picture
  }
}

/// The fetch failed. Posted on main, after the image's state is final.
///
/// In the handler, render ``IFImage/state``. Without a picture from before a reload, calling ``IFImage/startLoading()``
/// or reading ``IFImage/image`` in the handler would fetch the failing address again and again.
public struct ImageFetchFailed: KeyedEvent {
  /// The image's key.
  public let imageID: ImageID
  /// The image's human-readable name.
  public var name: String { imageID.name }
  /// The strategy of the fetch.
  public let strategy: StrategyName
  /// The reason for the failure.
  public let error: FetchError
  /// The key for subscribing to one image's events.
  public var key: ImageID { imageID }
  /// A description of the problem with this picture, and its remedy.
  public var message: String { error.message(for: name) }

  /// Creates an event, for example to test a view. Only an image posts it for a fetch.
  public init(imageID: ImageID, strategy: StrategyName, error: FetchError) {
    self.imageID = imageID
    self.strategy = strategy
    self.error = error
  }
}

/// ``IFImage/cancel()``, ``IFImage/unload()``, ``FetchEnvironment/shutDown()``, the cancellation of the last
/// ``IFImage/load()`` or the release of the image cancelled the fetch. Posted on main, after the state is
/// ``ImageState/idle``, or ``ImageState/loaded(_:)`` if a reload was cancelled, unless the image was used again
/// meanwhile.
public struct ImageFetchCancelled: KeyedEvent {
  /// The image's key.
  public let imageID: ImageID
  /// The image's human-readable name.
  public var name: String { imageID.name }
  /// The strategy of the fetch.
  public let strategy: StrategyName
  /// The key for subscribing to one image's events.
  public var key: ImageID { imageID }

  /// Creates an event, for example to test a view. Only an image posts it for a fetch.
  public init(imageID: ImageID, strategy: StrategyName) {
    self.imageID = imageID
    self.strategy = strategy
  }
}

/// Identifies one ``IFImage`` within the process, and serves as the key for its events.
public struct ImageID: Hashable, Sendable, Comparable, CustomStringConvertible {
  private static let last = Atomic(0)

  /// The image's number, counted from one in order of creation.
  public let number: Int
  /// The human-readable name. Two images with the same name still have different identities.
  public let name: String

  init(name: String) {
    self.name = name
    number = Self.last.add(1, ordering: .relaxed).newValue
  }

  /// Whether both values identify the same image.
  public static func == (a: ImageID, b: ImageID) -> Bool { a.number == b.number }
  /// Hashes the image's number.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
  /// Whether the first image was created before the second.
  public static func < (a: ImageID, b: ImageID) -> Bool { a.number < b.number }
  /// The word `image` followed by the number.
  public var description: String { "image \(number)" }
}
