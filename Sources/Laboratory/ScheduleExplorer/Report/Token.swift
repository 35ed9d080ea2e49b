import PlainText
package import VirtualTime

/// A line of text that replays a schedule. It has one of two forms.
///
/// A decision token, such as `E1.3:1,7:2.0f3a91c4`, ends with a checksum of the chosen items. It replays exactly one
/// run of the program version that created it. An order token lists named items:
/// `O1.deliver B@network<deliver A@network`. It also matches other versions, if they have these items.
public struct Token: Hashable, Sendable, CustomStringConvertible, LosslessStringConvertible {
  private static let decisions = "E1"
  private static let ordering = "O1."

  /// The schedule. Empty for an order token.
  public let deviations: Deviations
  /// The order of items. Empty for a decision token.
  public let order: [OrderConstraint]
  let checksum: UInt32?

  init(_ deviations: Deviations, checksum: UInt32?) {
    self.deviations = deviations
    self.checksum = checksum
    order = []
  }

  init(_ order: [OrderConstraint]) {
    deviations = Deviations()
    checksum = nil
    self.order = order
  }

  /// Parses a token. If its checksum is missing, for example after a manual edit, a replay does not compare the items.
  /// Returns nil if the text is not a token.
  public init?(_ description: String) {
    guard let token = try? Self(parsing: description) else { return nil }
    self = token
  }

  /// Parses a token. Throws the reason if the text is not a token.
  package init(parsing text: String) throws(Malformed) {
    if text.hasPrefix(Self.ordering) {
      let parts = text.dropFirst(Self.ordering.count).split(separator: ";", omittingEmptySubsequences: false)
      var order: [OrderConstraint] = []
      for part in parts {
        guard let constraint = OrderConstraint(String(part)) else {
          throw Malformed(
            description: "“\(part)” does not have the form BEFORE<AFTER, such as deliver B@network<deliver A@network")
        }
        order.append(constraint)
      }
      self.init(order)
      return
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts[0] == Self.decisions, parts.count == 2 || parts.count == 3 else {
      throw Malformed(
        description: """
          it must be E1.DECISIONS.CHECKSUM, such as E1.3:1,7:2.0f3a91c4, or O1.BEFORE<AFTER, in quotes for the shell
          """)
    }
    guard let deviations = Deviations(parts[1]) else {
      throw Malformed(
        description: """
          the decisions “\(parts[1])” are not CHOICE:INDEX, with ascending choices from 0 and indices from 1, or - for none
          """)
    }
    let checksum = parts.count == 3 ? UInt32(parts[2], radix: 16) : nil
    if parts.count == 3, checksum == nil {
      throw Malformed(
        description: """
          the checksum “\(parts[2])” is not a hexadecimal number; without a checksum, the items are not compared
          """)
    }
    self.init(deviations, checksum: checksum)
  }

  /// The reason why a text is not a token.
  package struct Malformed: Error, CustomStringConvertible {
    package let description: String
  }

  /// The parsable form.
  public var description: String {
    guard order.isEmpty else { return Self.ordering + order.map { "\($0)" }.joined(separator: ";") }
    let hex = checksum.map { "." + String($0, radix: 16).padded(to: 8, .right, with: "0") }
    return "\(Self.decisions).\(deviations)\(hex ?? "")"
  }
}

/// The replayed program differs from the one that created the token.
public struct ReplayMismatch: Error, Hashable, Sendable, CustomStringConvertible {
  /// The difference, and how to resolve it.
  public let description: String
}

/// The call that replays a token, as shown in reports.
package struct ReplayCall: Sendable {
  /// The name of the search function.
  package var function = "explore"
  /// The timing of the search. A replay requires the same timing.
  package var timing = Timing.exact

  package init(_ function: String = "explore", _ timing: Timing = .exact) {
    self.function = function
    self.timing = timing
  }

  func text(_ token: Token) -> String {
    let timing =
      switch timing {
      case .exact: ""
      case .any: "timing: .any, "
      case .slack(let slack) where slack.components.attoseconds == 0:
        "timing: .slack(.seconds(\(slack.components.seconds))), "
      case .slack(let slack):
        "timing: .slack(.seconds(\(slack.components.seconds)) + .nanoseconds(\(slack.components.attoseconds / 1_000_000_000))), "
      }
    return #"\#(function)(\#(timing)replaying: "\#(token)") { … }"#
  }
}
