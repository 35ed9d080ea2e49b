/// A guess at how many schedules there are, by Knuth's method: where each choice is at random, the product of the numbers of
/// items at the choices of a run is that number on average.
package struct SizeEstimate: Sendable, CustomStringConvertible {
  private var runs = 0
  private var sum = 0.0

  /// Makes one without schedules.
  package init() {}

  /// Nil without a random schedule. Infinite beyond 10 to the power of 308.
  var mean: Double? { runs == 0 ? nil : sum / Double(runs) }

  /// Adds a random schedule.
  ///
  /// - Parameter counts: how many items each of its choices had.
  package mutating func add(_ counts: [Int]) {
    runs += 1
    sum += counts.reduce(1) { $0 * Double($1) }
  }

  /// `about 3·10^12`.
  package var description: String {
    guard var rest = mean else { return "an unknown number of" }
    guard rest.isFinite else { return "more than 10^300" }
    var power = 0
    while rest >= 9.5 { (rest, power) = (rest / 10, power + 1) }
    return "about \(rest < 1.5 ? "" : "\(Int(rest.rounded()))·")10^\(power)"
  }
}
