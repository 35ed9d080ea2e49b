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

  /// - Parameter resolution: how many times as much or as little as itself the reference may be.
  init(_ effect: PairedEffect, adjusted: Double, resolution: Double, _ metric: Metric) {
    let reach = effect.leastReach ?? 1
    let isSure = adjusted <= PairedEffect.significance && reach >= max(metric.leastGain, resolution)
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
