/// A line of a report in 100 columns. A line with a command stays whole, to be copied.
struct WrappedLine {
  private static let width = 100

  let text: String

  /// The lines, those after the first one indented.
  var lines: [String] {
    guard text.count > Self.width, !text.contains("fetcher explore "), !text.contains("fetcher run ") else {
      return [text]
    }
    var lines = [text.prefix { $0 == " " }.description]
    let indent = lines[0] + "  "
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, lines[lines.count - 1].count + 1 + word.count > Self.width {
        lines.append(indent)
        isEmpty = true
      }
      lines[lines.count - 1] += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines
  }
}
