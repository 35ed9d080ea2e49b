/// The degree of certainty of a choice.
package enum Certainty: Sendable, Equatable {
  /// The choice is better than the named strategy by at least this amount.
  case ahead(String, of: String, by: Metric)
  /// The intervals of all chosen strategies lie within this distance of the reference.
  case level(Width, with: String, by: Metric)
  /// All chosen strategies are equal in the deciding metrics.
  case equal
  /// The deciding metrics are not reliable.
  case unsure
  /// No strategy can be chosen.
  case none

  /// Whether the measurements support the choice.
  var isSure: Bool {
    switch self {
    case .level(let width, _, _): !width.isBlind
    case .ahead, .equal: true
    case .unsure, .none: false
    }
  }

  /// Returns the text for a table cell, such as `sure, 4.20x ahead` or `may differ by 4.02x`.
  ///
  /// - Parameter reference: the strategy whose name is omitted from the text.
  func inShort(beside reference: String) -> String {
    switch self {
    case .ahead(let amount, let name, _): "sure, \(amount) ahead" + (name == reference ? "" : " of \(name)")
    case .level(let width, _, _): width.isBlind ? width.phrase : "sure, within \(width.text)"
    case .equal: "sure, equal"
    case .unsure: "not proven"
    case .none: "too few blocks"
    }
  }

  /// The metric on which the confidence is based, or nil if the confidence is based on all deciding metrics.
  var metric: Metric? {
    switch self {
    case .ahead(_, _, let metric), .level(_, _, let metric): metric
    case .equal, .unsure, .none: nil
    }
  }

  /// The strategy with which the choice is compared, or nil if the choice is not ahead of another strategy.
  var opponent: String? {
    if case .ahead(_, let name, _) = self { name } else { nil }
  }
}
