/// The confidence in a choice.
package enum Certainty: Sendable, Equatable {
  /// The choice is better than the named strategy by at least this amount.
  case ahead(String, of: String, by: Metric)
  /// The intervals of all chosen strategies stay within this distance from the reference.
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

  /// Returns the text of a table cell: `sure, 4.20x ahead`, or `up to 4.02x apart`.
  ///
  /// - Parameter reference: the strategy that the text does not name.
  func inShort(beside reference: String) -> String {
    switch self {
    case .ahead(let amount, let name, _): "sure, \(amount) ahead" + (name == reference ? "" : " of \(name)")
    case .level(let width, _, _): width.isBlind ? width.phrase : "sure, within \(width.text)"
    case .equal: "sure, equal"
    case .unsure: "not proven"
    case .none: "too few blocks"
    }
  }

  /// The metric that the confidence refers to, or nil if it refers to all deciding metrics.
  var metric: Metric? {
    switch self {
    case .ahead(_, _, let metric), .level(_, _, let metric): metric
    case .equal, .unsure, .none: nil
    }
  }

  /// The strategy that the choice is compared with.
  var opponent: String? {
    if case .ahead(_, let name, _) = self { name } else { nil }
  }
}
