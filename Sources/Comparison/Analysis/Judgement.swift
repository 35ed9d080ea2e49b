/// What a metric says of a contender beside the reference.
package enum Judgement: Sendable, Equatable {
  /// It is the reference.
  case reference
  /// Too few blocks to say anything.
  case unknown
  /// No difference can be seen, or none that matters.
  case same
  /// Not sure: the interval excludes no difference, but chance might as well, with so many comparisons, or on a machine where
  /// the reference differs as much from itself.
  case better(isSure: Bool)
  case worse(isSure: Bool)
  /// It differs, and neither is better.
  case other

  /// - Parameter resolution: how many times as much or as little as itself the reference may be.
  init(_ effect: PairedEffect, adjusted: Double, resolution: Double, _ preference: Metric.Preference) {
    let isSure = adjusted <= PairedEffect.significance && effect.isAtLeast(resolution)
    switch (effect.direction, preference) {
    case _ where effect.interval == nil: self = .unknown
    case (.none, _): self = .same
    case (_, .neither): self = .other
    case (.higher, .higher), (.lower, .lower): self = .better(isSure: isSure)
    case (.higher, .lower), (.lower, .higher): self = .worse(isSure: isSure)
    }
  }

  package var isBetter: Bool { if case .better = self { true } else { false } }
  package var isWorse: Bool { if case .worse = self { true } else { false } }
  /// A difference that chance might explain as well.
  package var isUnsure: Bool { self == .better(isSure: false) || self == .worse(isSure: false) }

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
