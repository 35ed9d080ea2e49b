/// Where a schedule differs from first in, first out, written as `3:1,7:2`: at choice 3 the item at index 1, at choice 7
/// the one at index 2. Choices are counted from 0, and only where there is more than one item.
public struct Deviations: Hashable, Sendable, CustomStringConvertible, LosslessStringConvertible {
  /// One choice of another item than the first.
  public struct Deviation: Hashable, Sendable {
    /// The number of the choice.
    public var choice: Int
    /// The index in the ready set.
    public var index: Int

    /// Makes a choice of the item at `index`, which is not zero.
    package init(choice: Int, index: Int) {
      self.choice = choice
      self.index = index
    }
  }

  /// In the order of the choices.
  public var list: [Deviation]

  /// Makes a schedule.
  public init(_ list: [Deviation] = []) { self.list = list }

  /// Reads `3:1,7:2`, or `-` for none; nil for anything else.
  public init?(_ description: String) {
    list = []
    if description == "-" { return }
    for part in description.split(separator: ",", omittingEmptySubsequences: false) {
      let numbers = part.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 2, let choice = numbers[0], let index = numbers[1], choice >= 0, index > 0,
        choice > list.last?.choice ?? -1
      else { return nil }
      list.append(Deviation(choice: choice, index: index))
    }
  }

  /// As it is read.
  public var description: String {
    list.isEmpty ? "-" : list.map { "\($0.choice):\($0.index)" }.joined(separator: ",")
  }

  /// Whether a search of everything comes to this schedule before the other: fewer deviations first, then what deviates
  /// late from an earlier schedule after what deviates early.
  package func precedes(_ other: Deviations) -> Bool {
    guard cost == other.cost else { return cost < other.cost }
    guard let last = list.last, let otherLast = other.list.last else { return false }
    let (parent, otherParent) = (Deviations(list.dropLast()), Deviations(other.list.dropLast()))
    if parent != otherParent { return parent.precedes(otherParent) }
    return (last.choice, last.index) < (otherLast.choice, otherLast.index)
  }

  /// How many items are run past others: the sum of the indices.
  public var cost: Int { list.reduce(0) { $0 + $1.index } }
}
