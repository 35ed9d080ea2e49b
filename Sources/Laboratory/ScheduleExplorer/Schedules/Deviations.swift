/// The differences of a schedule from first in, first out, written as `3:1,7:2`: at choice 3 the item at index 1, at
/// choice 7 the one at index 2. Choices are counted from 0, and only if there are several items.
public struct Deviations: Hashable, Sendable, CustomStringConvertible, LosslessStringConvertible {
  /// A choice of an item other than the first.
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

  /// In order of the choices.
  public var list: [Deviation]

  /// Makes a schedule.
  public init(_ list: [Deviation] = []) { self.list = list }

  /// Parses `3:1,7:2`, or `-` for none. Returns nil for other text.
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

  /// The parsable form.
  public var description: String {
    list.isEmpty ? "-" : list.map { "\($0.choice):\($0.index)" }.joined(separator: ",")
  }

  /// Whether an exhaustive search reaches this schedule before the other: fewer deviations first, then late deviations
  /// from an earlier schedule after early ones.
  package func precedes(_ other: Deviations) -> Bool {
    guard cost == other.cost else { return cost < other.cost }
    guard let last = list.last, let otherLast = other.list.last else { return false }
    let (parent, otherParent) = (Deviations(list.dropLast()), Deviations(other.list.dropLast()))
    if parent != otherParent { return parent.precedes(otherParent) }
    return (last.choice, last.index) < (otherLast.choice, otherLast.index)
  }

  /// The schedule whose last deviation is one smaller, so that the last overtaken item runs first again. Nil without
  /// deviations.
  package var withLastPairFlipped: Deviations? {
    guard let last = list.last else { return nil }
    let shorter = Array(list.dropLast())
    return Deviations(last.index == 1 ? shorter : shorter + [Deviation(choice: last.choice, index: last.index - 1)])
  }

  /// The number of overtaken items: the sum of the indices.
  public var cost: Int { list.reduce(0) { $0 + $1.index } }
}
