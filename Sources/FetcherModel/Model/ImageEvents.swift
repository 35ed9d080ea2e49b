public import EventBus
import Synchronization

/// A fetch has begun, or joined one under way. Posted on main, before any other event of the fetch.
public struct ImageFetchStarted: KeyedEvent {
  /// Which image.
  public let imageID: ImageID
  /// What people call it.
  public let name: String
  /// The strategy that this fetch keeps to its end.
  public let strategy: StrategyName
  /// The image, so that one can subscribe to its events alone.
  public var key: ImageID { imageID }
}

/// Bytes have arrived. Posted on main, while somebody is subscribed to any; several arrivals may be reported as one. A further
/// attempt counts from zero again.
public struct ImageFetchProgress: KeyedEvent {
  /// Which image.
  public let imageID: ImageID
  /// What people call it.
  public let name: String
  /// Bytes received so far.
  public let received: Int
  /// Bytes to come in all, where the server announced it.
  public let expected: Int?
  /// The image, so that one can subscribe to its events alone.
  public var key: ImageID { imageID }
}

/// The picture is here: ``IFImage/image`` returns it. Posted on main, after the state is final.
public struct ImageFetched: KeyedEvent {
  /// Which image.
  public let imageID: ImageID
  /// What people call it.
  public let name: String
  /// The strategy of the fetch.
  public let strategy: StrategyName
  /// What was fetched.
  public let picture: Picture
  /// The length of the picture in bytes.
  public var byteCount: Int { picture.bytes.count }
  /// The image, so that one can subscribe to its events alone.
  public var key: ImageID { imageID }
}

/// The fetch failed. Posted on main, after the state is final.
///
/// Draw from ``IFImage/state`` in answer: reading ``IFImage/image`` here fetches a failing address for ever.
public struct ImageFetchFailed: KeyedEvent {
  /// Which image.
  public let imageID: ImageID
  /// What people call it.
  public let name: String
  /// The strategy of the fetch.
  public let strategy: StrategyName
  /// Why.
  public let error: FetchError
  /// The image, so that one can subscribe to its events alone.
  public var key: ImageID { imageID }
  /// What went wrong with this picture, and what to do.
  public var message: String { error.message(for: name) }
}

/// The fetch was cancelled, with ``IFImage/cancel()`` or ``FetchEnvironment/finishAndCleanUp()``. Posted on main, after the state
/// is ``ImageState/idle``, unless a newer fetch is under way.
public struct ImageFetchCancelled: KeyedEvent {
  /// Which image.
  public let imageID: ImageID
  /// What people call it.
  public let name: String
  /// The strategy of the fetch.
  public let strategy: StrategyName
  /// The image, so that one can subscribe to its events alone.
  public var key: ImageID { imageID }
}

/// Identifies one ``IFImage`` in the process: the key of its events.
public struct ImageID: Hashable, Sendable, Comparable, CustomStringConvertible {
  private static let last = Atomic(0)

  /// Counts from one in the order the images were made.
  public let number: Int
  /// What people call the image. Two images of one name have two identities.
  public let name: String

  init(name: String) {
    self.name = name
    number = Self.last.add(1, ordering: .relaxed).newValue
  }

  /// Whether both are of one image.
  public static func == (a: ImageID, b: ImageID) -> Bool { a.number == b.number }
  /// Hashes the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
  /// Whether one image was made before the other.
  public static func < (a: ImageID, b: ImageID) -> Bool { a.number < b.number }
  /// `image` and the number.
  public var description: String { "image \(number)" }
}
