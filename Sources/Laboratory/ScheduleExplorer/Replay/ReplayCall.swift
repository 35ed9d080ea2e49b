package import VirtualTime

/// The call that replays a token, as a report shows it.
package struct ReplayCall: Sendable {
  /// The function that searched.
  package var function = "explore"
  /// Of the search: a token fits no other.
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
