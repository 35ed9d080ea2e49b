/// One line that replays a schedule: `E1.3:1,7:2.0f3a91c4`, with a check of the items that were chosen.
public struct Token: Hashable, Sendable, CustomStringConvertible, LosslessStringConvertible {
  private static let version = "E1"

  /// The schedule.
  public let deviations: Deviations
  let check: UInt32?

  init(_ deviations: Deviations, check: UInt32?) {
    self.deviations = deviations
    self.check = check
  }

  /// Reads a token. Without its last part, as after an edit by hand, the items are not checked. Nil for anything else.
  public init?(_ description: String) {
    let parts = description.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 || parts.count == 3, parts[0] == Self.version, let deviations = Deviations(parts[1]) else {
      return nil
    }
    self.deviations = deviations
    check = parts.count == 3 ? UInt32(parts[2], radix: 16) : nil
    if parts.count == 3, check == nil { return nil }
  }

  /// As it is read.
  public var description: String {
    let hex = check.map { "." + String(repeating: "0", count: 8 - String($0, radix: 16).count) + String($0, radix: 16) }
    return "\(Self.version).\(deviations)\(hex ?? "")"
  }
}

/// A replay that met another program than its token was made with.
public struct ReplayMismatch: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where they differ, and what to do.
  public let description: String
}
