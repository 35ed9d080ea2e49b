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

  /// The end of a sentence that names the choice. The text is empty if there is nothing to add.
  var text: String {
    switch self {
    case .ahead(let amount, let name, let metric): ": at least \(amount) better than \(name) by \(metric.name)"
    case .level(let width, _, let metric) where width.isBlind:
      ": \(width.phrase) by \(metric.name), which these blocks cannot resolve"
    case .level(let width, let name, let metric): ": \(width.phrase(beside: name)) by \(metric.name)"
    case .equal: ": equal in the deciding metrics"
    case .unsure, .none: ""
    }
  }

  /// Returns the text for a table cell in a column that compares with the given reference.
  func inShort(beside reference: String) -> String {
    switch self {
    case .ahead(let amount, let name, _): "at least \(amount) ahead" + (name == reference ? "" : " of \(name)")
    case .level(let width, _, _): width.phrase
    case .equal: "equal"
    case .unsure: "unproven"
    case .none: "too few measurements"
    }
  }

  /// Returns the confidence as a verdict.
  ///
  /// - Parameter isMeasured: whether the measurements cover the situation of the choice.
  func verdict(isMeasured: Bool) -> Verdict {
    switch self {
    case .level(let width, _, _) where width.isBlind: .blind
    case .ahead, .level, .equal: isMeasured ? .sure : .guess
    case .unsure: .unsure
    case .none: .none
    }
  }

  enum Verdict: String {
    case sure
    case guess = "a guess"
    case blind = "cannot tell"
    case unsure = "not sure"
    case none = "n/a"
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
