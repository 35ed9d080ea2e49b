/// The differences between a schedule and first in, first out, written as `3:1,7:2`. This example takes the item at
/// index 1 at choice 3, and the item at index 2 at choice 7. A point where several items are ready is a choice.
/// Choices are numbered from 0.
///
/// A schedule of unmodified Swift code that draws random numbers also has the seed of these numbers: `3:1,7:2~5`.
public struct Deviations: Hashable, Sendable, CustomStringConvertible, LosslessStringConvertible {
  /// A choice of any item other than the first.
  public struct Deviation: Hashable, Sendable {
    /// The number of the choice.
    public var choice: Int
    /// The index of the chosen item in the ready set.
    public var index: Int

    /// Creates a deviation that chooses the item at `index`, which must not be zero.
    package init(choice: Int, index: Int) {
      self.choice = choice
      self.index = index
    }
  }

  /// The deviations, in order of their choices.
  public var list: [Deviation]
  /// The seed of the random numbers.
  package var randomSeed: UInt32 = 0

  /// Creates a schedule from its deviations.
  public init(_ list: [Deviation] = []) { self.list = list }

  package init(_ list: [Deviation], randomSeed: UInt32) {
    self.list = list
    self.randomSeed = randomSeed
  }

  /// Parses text such as `3:1,7:2`, or `-` for no deviations. Returns nil for any other text.
  public init?(_ description: String) {
    list = []
    let parts = description.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let seed = UInt32(parts[1]), seed > 0 else { return nil }
      randomSeed = seed
    }
    if parts[0] == "-" { return }
    for part in parts[0].split(separator: ",", omittingEmptySubsequences: false) {
      let numbers = part.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 2, let choice = numbers[0], let index = numbers[1], choice >= 0, index > 0,
        choice > list.last?.choice ?? -1
      else { return nil }
      list.append(Deviation(choice: choice, index: index))
    }
  }

  /// The parsable form.
  public var description: String {
    let deviations = list.isEmpty ? "-" : list.map { "\($0.choice):\($0.index)" }.joined(separator: ",")
    return randomSeed == 0 ? deviations : "\(deviations)~\(randomSeed)"
  }

  /// Whether an exhaustive search reaches this schedule before the other one. The order depends first on the cost, then
  /// on the parent (the schedule without its last deviation), and then on the last deviation.
  package func precedes(_ other: Deviations) -> Bool {
    guard cost == other.cost else { return cost < other.cost }
    guard let last = list.last, let otherLast = other.list.last else { return false }
    let (parent, otherParent) = (Deviations(list.dropLast()), Deviations(other.list.dropLast()))
    if parent != otherParent { return parent.precedes(otherParent) }
    return (last.choice, last.index) < (otherLast.choice, otherLast.index)
  }

  /// The schedule in which the last deviation is smaller by one, so that the last overtaken item runs first again. Nil
  /// if there are no deviations.
  package var withLastPairFlipped: Deviations? {
    guard let last = list.last else { return nil }
    let shorter = Array(list.dropLast())
    return Deviations(
      last.index == 1 ? shorter : shorter + [Deviation(choice: last.choice, index: last.index - 1)],
      randomSeed: randomSeed)
  }

  /// The number of overtaken items, which is the sum of the indices.
  public var cost: Int { list.reduce(0) { $0 + $1.index } }
}
