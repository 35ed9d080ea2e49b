/// What a metric says of a contender beside the reference.
package enum Judgement: Sendable, Equatable {
  /// It is the reference.
  case reference
  /// Too few blocks to say anything.
  case unknown
  /// No difference can be seen, or none that matters.
  case same
  /// Sure is a difference that counts, everywhere in a report: its interval lies wholly beyond a small gain, and beyond how far the
  /// reference differs from itself, and chance does not explain it, with so many comparisons.
  case better(isSure: Bool)
  case worse(isSure: Bool)
  /// It differs, and neither is better.
  case other

  /// - Parameter control: how the reference differs from itself.
  init(_ effect: PairedEffect, adjusted: Double, control: PairedEffect?, _ metric: Metric) {
    let isFar =
      if let distance = effect.distance, metric.comparesByDifference {
        distance.lowerBound >= max(control?.distance?.upperBound ?? 0, metric.negligible)
      } else {
        effect.leastReach ?? 1 >= control?.reach ?? 1
      }
    let isSure =
      adjusted <= PairedEffect.significance && effect.leastReach ?? 1 >= metric.leastGain && isFar
    switch (effect.direction, metric.preference) {
    case _ where effect.interval == nil: self = .unknown
    case (.none, _): self = .same
    case (_, .neither): self = .other
    case (.higher, .higher), (.lower, .lower): self = .better(isSure: isSure)
    case (.higher, .lower), (.lower, .higher): self = .worse(isSure: isSure)
    }
  }

  package var isBetter: Bool { if case .better = self { true } else { false } }
  package var isWorse: Bool { if case .worse = self { true } else { false } }
  /// Whether it decides a choice.
  package var counts: Bool { self == .better(isSure: true) || self == .worse(isSure: true) }

  /// As it is written in tables.
  package var mark: String {
    switch self {
    case .reference: ""
    case .unknown: "?"
    case .same: "~"
    case .better(let isSure): isSure ? "better" : "better?"
    case .worse(let isSure): isSure ? "worse" : "worse?"
    case .other: "differs"
    }
  }
}
