/// How far strategies and the reference may be apart, by their intervals.
package struct Width: Sendable, Comparable {
  /// Up to this ratio strategies are as good as each other; beyond it, a tie only says that too little can be seen.
  static let blindness = 1.25

  /// How many times the smaller value the larger one may be.
  package let ratio: Double
  private let difference: Double?
  /// `1.15x`, or `1.4 ms` of what is compared by difference.
  let text: String
  /// Too far to call it a tie.
  let isBlind: Bool

  /// Nil where the interval allows no difference.
  init?(_ cell: MetricCell) {
    guard let effect = cell.effect, let reach = effect.reach, reach > 1 else { return nil }
    ratio = reach
    difference = effect.distance?.upperBound
    text = difference.map { cell.scale.text($0) } ?? WorkloadAnalysis.ratio(reach)
    isBlind = reach > Self.blindness && difference ?? .infinity > cell.metric.negligible
  }

  /// The widest of them; nil where all are equal.
  init?(_ rows: [WorkloadAnalysis.Row], _ metric: Metric) {
    let widest = rows.compactMap { $0.cells[metric].flatMap(Width.init) }.max()
    guard let widest, !Advice.areEqual(rows, metric) else { return nil }
    self = widest
  }

  package static func < (one: Width, other: Width) -> Bool {
    guard one.isBlind == other.isBlind else { return other.isBlind }
    if let one = one.difference, let other = other.difference { return one < other }
    return one.ratio < other.ratio
  }
}
