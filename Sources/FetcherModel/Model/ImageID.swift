import Synchronization

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
