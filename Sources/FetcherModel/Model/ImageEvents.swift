public import EventBus
import Synchronization

/// A fetch has started, or joined a request in flight. Posted on main, before all other events of the fetch.
public struct ImageFetchStarted: KeyedEvent {
  /// The image's key.
  public let imageID: ImageID
  /// The image's name for people.
  public let name: String
  /// The strategy of the fetch, which never changes.
  public let strategy: StrategyName
  /// The key for subscriptions to the events of one image.
  public var key: ImageID { imageID }
}

/// Bytes have arrived. Posted on main while the event has a subscriber. One event can report several arrivals. A
/// retry restarts the count.
public struct ImageFetchProgress: KeyedEvent {
  /// The image's key.
  public let imageID: ImageID
  /// The image's name for people.
  public let name: String
  /// The number of bytes received so far.
  public let received: Int
  /// The announced total, or nil.
  public let expected: Int?
  /// The key for subscriptions to the events of one image.
  public var key: ImageID { imageID }
}

/// The picture has arrived: ``IFImage/image`` returns it. Posted on main, after the state is final.
public struct ImageFetched: KeyedEvent {
  /// The image's key.
  public let imageID: ImageID
  /// The image's name for people.
  public let name: String
  /// The strategy of the fetch.
  public let strategy: StrategyName
  /// The picture.
  public let picture: Picture
  /// The length of the picture in bytes.
  public var byteCount: Int { picture.bytes.count }
  /// The key for subscriptions to the events of one image.
  public var key: ImageID { imageID }
}

/// The fetch failed. Posted on main, after the state is final.
///
/// Draw from ``IFImage/state`` in the handler. Reading ``IFImage/image`` there would fetch a failing address forever.
public struct ImageFetchFailed: KeyedEvent {
  /// The image's key.
  public let imageID: ImageID
  /// The image's name for people.
  public let name: String
  /// The strategy of the fetch.
  public let strategy: StrategyName
  /// The reason.
  public let error: FetchError
  /// The key for subscriptions to the events of one image.
  public var key: ImageID { imageID }
  /// The problem with this picture and its remedy.
  public var message: String { error.message(for: name) }
}

/// ``IFImage/cancel()`` or ``FetchEnvironment/finishAndCleanUp()`` cancelled the fetch. Posted on main, after the
/// state is
/// ``ImageState/idle``, unless a newer fetch is in flight.
public struct ImageFetchCancelled: KeyedEvent {
  /// The image's key.
  public let imageID: ImageID
  /// The image's name for people.
  public let name: String
  /// The strategy of the fetch.
  public let strategy: StrategyName
  /// The key for subscriptions to the events of one image.
  public var key: ImageID { imageID }
}

/// Identifies one ``IFImage`` in the process: the key of its events.
public struct ImageID: Hashable, Sendable, Comparable, CustomStringConvertible {
  private static let last = Atomic(0)

  /// Counts images from one, in order of creation.
  public let number: Int
  /// The name for people. Two images with the same name have different identities.
  public let name: String

  init(name: String) {
    self.name = name
    number = Self.last.add(1, ordering: .relaxed).newValue
  }

  /// Whether both identify the same image.
  public static func == (a: ImageID, b: ImageID) -> Bool { a.number == b.number }
  /// Hashes the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
  /// Whether one image was created before the other.
  public static func < (a: ImageID, b: ImageID) -> Bool { a.number < b.number }
  /// `image` and the number.
  public var description: String { "image \(number)" }
}
