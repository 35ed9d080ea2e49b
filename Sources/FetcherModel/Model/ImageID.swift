import Synchronization

/// Identifies one ``IFImage`` in the process: the key of its events.
public struct ImageID: Hashable, Sendable, Comparable, CustomStringConvertible {
  private static let last = Atomic(0)

  /// Counts from one in the order the images were made.
  public let number: Int

  init() { number = Self.last.add(1, ordering: .relaxed).newValue }

  /// Whether one image was made before the other.
  public static func < (a: ImageID, b: ImageID) -> Bool { a.number < b.number }
  /// `image` and the number.
  public var description: String { "image \(number)" }
}
