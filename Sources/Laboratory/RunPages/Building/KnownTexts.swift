/// Texts in order of appearance, each once, so that rows can refer to them by a number.
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

/// The ready items of a row, by the numbers of their names.
struct ReadyNames {
  /// The number of items to list. Below it, the page states only their number.
  private static let most = 12

  private var known = KnownTexts()
  var names: [String] { known.texts }

  mutating func numbers(_ ready: [(name: String, scheduler: String, isChosen: Bool)]) -> [Int] {
    let chosen = ready.filter(\.isChosen) + ready.filter { !$0.isChosen }
    return chosen.prefix(Self.most).map { known.number(of: "\($0.name.withVisibleControls)\n\($0.scheduler)") }
  }
}
