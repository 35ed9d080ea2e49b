/// One of several searches that together do what one would: `2/4` is the second of four.
public struct Shard: Hashable, Sendable, CustomStringConvertible, LosslessStringConvertible {
  /// The only one.
  public static let whole = Shard(number: 1, of: 1)

  package let number: Int
  package let count: Int

  private init(number: Int, of count: Int) {
    self.number = number
    self.count = count
  }

  /// Reads `2/4`; nil for anything else.
  public init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], number >= 1, number <= count else {
      return nil
    }
    self.init(number: number, of: count)
  }

  /// The number and the count, as in `2/4`.
  public var description: String { "\(number)/\(count)" }

  func takes(_ index: Int) -> Bool { index % count == number - 1 }
}

extension Shard: ExpressibleByStringLiteral {
  /// Reads `2/4`, and traps for anything else.
  public init(stringLiteral value: String) {
    guard let shard = Shard(value) else { fatalError("A shard is written as 2/4, not as \(value).") }
    self = shard
  }
}
