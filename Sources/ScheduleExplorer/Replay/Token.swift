/// One line that replays a schedule, in one of two forms.
///
/// By its decisions: `E1.3:1,7:2.0f3a91c4`, with a check of the items that were chosen. It replays exactly one run, and fits
/// the version of the program that it was made with. By the order of named items: `O1.deliver B@network<deliver A@network`.
/// It fits other versions as well, as long as they have these items.
public struct Token: Hashable, Sendable, CustomStringConvertible, LosslessStringConvertible {
  private static let decisions = "E1"
  private static let ordering = "O1."

  /// The schedule; empty for a token by order.
  public let deviations: Deviations
  /// What runs before what; empty for a token by decisions.
  public let order: [OrderConstraint]
  let check: UInt32?

  init(_ deviations: Deviations, check: UInt32?) {
    self.deviations = deviations
    self.check = check
    order = []
  }

  init(_ order: [OrderConstraint]) {
    deviations = Deviations()
    check = nil
    self.order = order
  }

  /// Reads a token. Without its last part, as after an edit by hand, the items are not checked. Nil for anything else.
  public init?(_ description: String) {
    if description.hasPrefix(Self.ordering) {
      let parts = description.dropFirst(Self.ordering.count).split(separator: ";", omittingEmptySubsequences: false)
      let order = parts.compactMap { OrderConstraint(String($0)) }
      guard order.count == parts.count else { return nil }
      self.init(order)
      return
    }
    let parts = description.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 || parts.count == 3, parts[0] == Self.decisions, let deviations = Deviations(parts[1]) else {
      return nil
    }
    let check = parts.count == 3 ? UInt32(parts[2], radix: 16) : nil
    if parts.count == 3, check == nil { return nil }
    self.init(deviations, check: check)
  }

  /// As it is read.
  public var description: String {
    guard order.isEmpty else { return Self.ordering + order.map { "\($0)" }.joined(separator: ";") }
    let hex = check.map { "." + String(repeating: "0", count: 8 - String($0, radix: 16).count) + String($0, radix: 16) }
    return "\(Self.decisions).\(deviations)\(hex ?? "")"
  }
}

/// A replay that met another program than its token was made with.
public struct ReplayMismatch: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where they differ, and what to do.
  public let description: String
}
