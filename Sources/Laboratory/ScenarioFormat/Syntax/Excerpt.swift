/// The part of a line that a message shows, and where the marks go below it.
struct Excerpt: Sendable, Equatable {
  /// What is shown of the line.
  let text: String
  /// How many characters stand before the marks.
  let indent: Int
  /// How many marks there are.
  let length: Int

  /// Lines up to this many characters are shown whole.
  private static let widest = 72
  /// How much is kept before the marks of a longer line, and behind them.
  private static let before = 30
  private static let behind = 40
  /// So many bytes on either side are looked at: a line may be a megabyte long.
  private static let nearby = 4096

  /// - Parameter range: what the marks point at; the part on its first line counts.
  init(_ source: SourceText, _ range: Range<Int>) {
    let line = source.line(at: range.lowerBound)
    let end = max(range.lowerBound, min(range.upperBound, line.upperBound))
    let low = source.characterStart(in: max(line.lowerBound, range.lowerBound - Self.nearby)..<range.lowerBound)
    let middle = source.characterStart(in: min(end, range.lowerBound + Self.nearby)..<end)
    let high = source.characterStart(in: min(line.upperBound, middle + Self.nearby)..<line.upperBound)
    // Each part by itself, as the whole may have fewer characters than its parts: an accent joins a quote before it.
    let before = shapes(of: source.text(low..<range.lowerBound))
    let marked = shapes(of: source.text(range.lowerBound..<middle))
    let characters = before + marked + shapes(of: source.text(middle..<high))
    let start = before.count
    let length = max(1, min(marked.count, Self.widest - Self.before))
    self.length = length
    guard characters.count > Self.widest || low > line.lowerBound || high < line.upperBound else {
      text = String(characters)
      indent = start
      return
    }
    let first = start > Self.before + 10 ? Self.wordStart(in: characters, from: start - Self.before, to: start) : 0
    let last = min(characters.count, start + length + Self.behind)
    let front = first > 0 || low > line.lowerBound ? "     ... " : ""
    let isCut = last < characters.count || high < line.upperBound
    text = front + String(characters[first..<last]) + (isCut ? " ..." : "")
    indent = front.count + start - first
  }

  private static func wordStart(in characters: [Character], from low: Int, to high: Int) -> Int {
    (low..<high).first { characters[$0 - 1] == " " } ?? low
  }
}
