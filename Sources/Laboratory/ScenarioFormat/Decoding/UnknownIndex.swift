/// Finds texts of pictures and steps that keep an index in braces because no repetition around them has it.
enum UnknownIndex {
  /// - Parameter root: the file, with all repetitions written out.
  static func report(in root: JSONNode, _ reading: inout Reading) {
    // All rounds of a repetition have the location of what was written.
    var known: Set<Int> = []
    for key in ["images", "steps"] {
      guard let node = root[key] else { continue }
      search(node) { text, range in
        guard let index = index(in: text), known.insert(range.lowerBound).inserted else { return }
        reading.report(
          .unknownIndex, "nothing replaces \(quoted("{\(index)}")): no repetition around it has that index",
          at: range, key == "images" ? countAdvice(index) : repeatAdvice(index))
      }
    }
  }

  private static func search(_ node: JSONNode, _ found: (String, Range<Int>) -> Void) {
    switch node.content {
    case .string(let text) where text.utf8.contains(UInt8(ascii: "{")): found(text, node.range)
    case .list(let elements): for element in elements { search(element, found) }
    case .object(let object): for member in object.members { search(member.value, found) }
    default: break
    }
  }

  /// The first name in braces, alone or with a number that is added; nil where there is none.
  private static func index(in text: String) -> String? {
    (text.firstMatch(of: /\{([a-z]{1,20})([+-][0-9]+)?\}/)?.1).map(String.init)
  }

  private static func countAdvice(_ index: String) -> String {
    index == "n" ? #"give the pictures a "count""# : #"write "{n}", for pictures with a "count""#
  }

  private static func repeatAdvice(_ index: String) -> String {
    index == "n"
      ? #"put the step into a "repeat""# : #"write "{n}" inside of a "repeat", or give that "index": "\#(index)""#
  }
}
