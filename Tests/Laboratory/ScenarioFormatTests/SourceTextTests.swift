import ScenarioFormat
import Testing

@Suite struct SourceTextTests {
  @Test(
    "The number of lines equals the line number of the last position",
    arguments: [
      ("", [""]), ("a\nb\r\nc\rd", ["a", "b", "c", "d"]), ("\n\r\r\n", ["", "", "", ""]), ("a\n", ["a", ""]),
      ("a\u{2028}b\u{2029}c\u{85}d\u{B}e\u{C}f", ["a\u{2028}b\u{2029}c\u{85}d\u{B}e\u{C}f"]),
    ])
  func lines(_ text: String, _ lines: [String]) {
    let source = SourceText(path: "", bytes: Array(text.utf8))
    #expect(source.lines == lines)
    #expect(source.position(of: source.bytes.count).line == lines.count)
  }
}
