/// How sure one can be of a choice.
package enum Certainty: Sendable, Equatable {
  /// It is better than the named strategy by at least this amount.
  case ahead(String, of: String, by: Metric)
  /// None of the choice differs from the reference by more than this, as far as can be seen.
  case level(Width, with: String, by: Metric)
  /// All of the choice are the same by what decides.
  case equal
  /// What decided cannot be relied on.
  case unsure
  /// There is nothing to choose.
  case none

  /// The end of a sentence that names the choice; empty where there is nothing to add.
  var text: String {
    switch self {
    case .ahead(let amount, let name, let metric): ": at least \(amount) better than \(name) by \(metric.name)"
    case .level(let width, _, let metric) where width.isBlind:
      ": \(width.phrase) by \(metric.name), which these blocks cannot tell"
    case .level(let width, let name, let metric): ": \(width.phrase(beside: name)) by \(metric.name)"
    case .equal: ": equal by what decides"
    case .unsure, .none: ""
    }
  }

  /// For a cell of a table, beside the reference of that name.
  func inShort(beside reference: String) -> String {
    switch self {
    case .ahead(let amount, let name, _): "at least \(amount) ahead" + (name == reference ? "" : " of \(name)")
    case .level(let width, _, _): width.phrase
    case .equal: "equal"
    case .unsure: "unproven"
    case .none: "too little measured"
    }
  }

  /// The same as a verdict.
  ///
  /// - Parameter isMeasured: whether what was measured is what is chosen for.
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

  /// The metric that it is about; nil if it is about all that decide.
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
