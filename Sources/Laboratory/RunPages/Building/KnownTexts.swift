/// Unique strings, numbered in order of first appearance, so that rows can refer to a string by its number.
struct KnownTexts {
  private(set) var texts: [String] = []
  private var numbers: [String: Int] = [:]

  mutating func number(of text: String) -> Int {
    if let number = numbers[text] { return number }
    numbers[text] = texts.count
    texts.append(text)
    return texts.count - 1
  }
}

/// The names of the items that are ready at each row, stored as numbers.
struct ReadyNames {
  /// The maximum number of items stored for a row. Further items are omitted.
  private static let most = 12

  private var known = KnownTexts()
  var names: [String] { known.texts }

  mutating func numbers(_ ready: [(name: String, scheduler: String, isChosen: Bool)]) -> [Int] {
    let chosen = ready.filter(\.isChosen) + ready.filter { !$0.isChosen }
    return chosen.prefix(Self.most).map { known.number(of: "\($0.name.withVisibleControls)\n\($0.scheduler)") }
  }
}
