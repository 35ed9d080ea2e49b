import SeededNumbers

/// The names, answers and sizes of one run. The runs that the commands show have fixed ones. `solve` judges a version
/// also with generated ones, which a repair cannot know.
struct RunData: Sendable {
  /// The order of the generated names. A repair that compares names must fail in one of these orders.
  private enum Order: Sendable, CaseIterable {
    case ascending
    case descending
    case shuffled
  }

  /// The data of the runs that the commands show. A picture answers with its own name.
  static let shown = RunData(seed: 0, order: nil)

  private let seed: UInt64
  private let order: Order?
  private let words: [String]
  private let texts: [String]

  private init(seed: UInt64, order: Order?) {
    (self.seed, self.order) = (seed, order)
    var numbers = SplitMix64(seed: seed)
    words = Self.words.shuffled(using: &numbers)
    texts = Self.texts.shuffled(using: &numbers)
  }

  /// Returns the data of the generated runs: names in ascending, descending and random order.
  static func generated(_ seed: UInt64) -> [RunData] {
    Order.allCases.enumerated().map { index, order in
      RunData(seed: SplitMix64.scatter(seed &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15), order: order)
    }
  }

  var isShown: Bool { order == nil }

  /// Returns the given names, or as many generated ones. At most 24.
  func names(_ shown: String...) -> [String] { names(shown.count, shown: shown) }

  /// Returns the given names, or `count` generated ones. At most 24.
  func names(_ count: Int, shown: [String]) -> [String] {
    guard let order else { return shown }
    let names = Array(words.prefix(count))
    switch order {
    case .ascending: return names.sorted()
    case .descending: return names.sorted(by: >)
    case .shuffled: return names
    }
  }

  /// Returns the server's answer to a name. A generated answer does not contain the name. If the names ascend, their
  /// answers descend, and vice versa.
  func answer(to name: String) -> String {
    guard let order else { return name }
    guard let index = Self.words.firstIndex(of: name) else { return "an unknown picture" }
    switch order {
    case .ascending, .descending: return "\(Self.texts[Self.texts.count - 1 - index]) \(seed % 90 + 10)"
    case .shuffled: return "\(texts[index]) \(seed % 90 + 10)"
    }
  }

  /// Returns the text that a stage shows for nil. A program cannot know the generated one.
  func missing(_ shown: String) -> String { isShown ? shown : "\(shown) \(seed % 9_000 + 1_000)" }

  /// Returns the given number, or a generated one. Each label of a stage has a separate number.
  func number(_ label: UInt64, _ shown: Int, or range: ClosedRange<Int>) -> Int {
    guard !isShown else { return shown }
    return range.lowerBound + Int(SplitMix64.scatter(seed ^ (label &+ 1) &* 0xBF58_476D) % UInt64(range.count))
  }

  // Both lists ascend, and no text contains a name.
  private static let words = [
    "acorn", "beach", "birch", "cedar", "cliff", "coral", "delta", "dune", "fern", "fjord", "glade", "grove", "heath",
    "inlet", "ivy", "kelp", "lagoon", "maple", "moss", "oasis", "pond", "reef", "ridge", "shore",
  ]
  private static let texts = [
    "amber", "azure", "beige", "black", "blue", "bronze", "brown", "coal", "cream", "cyan", "gold", "gray", "green",
    "indigo", "jade", "khaki", "lilac", "mauve", "navy", "ochre", "olive", "pearl", "pink", "red",
  ]
}
