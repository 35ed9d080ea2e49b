import PlainText
import Testing

@Suite struct TextTests {
  @Test("Columns are as wide as their widest cell")
  func table() {
    var table = Table([.text("name"), .number("n"), .text("note")])
    table.add(["a", "100", ""])
    table.add(["longer", "7", "yes"])
    #expect(table.lines() == ["name      n  note", "a       100", "longer    7  yes"])
    #expect(table.lines { "<\($0)>" }.first == "<name      n  note>")
  }

  @Test("A text is filled on the other side, and never cut")
  func padded() {
    #expect("ab".padded(to: 4) == "ab  ")
    #expect("ab".padded(to: 4, .right, with: "0") == "00ab")
    #expect("abcde".padded(to: 4) == "abcde")
    #expect("e\u{301}".padded(to: 2) == "e\u{301} ")
  }

  @Test("A longer text is cut to the width, with an ellipsis")
  func cut() {
    #expect("abcd".cut(to: 4) == "abcd")
    #expect("abcde".cut(to: 4) == "abc…")
    #expect("abc".cut(to: 0) == "…")
    #expect("a b  ".withoutEndSpaces == "a b")
    #expect("  ".withoutEndSpaces == "")
  }

  @Test("A text is broken at spaces, and a long word is not")
  func wrapped() {
    #expect("".wrapped(to: 5) == [""])
    #expect("aa bb cc".wrapped(to: 5) == ["aa bb", "cc"])
    #expect("aaaaaaa b".wrapped(to: 5) == ["aaaaaaa", "b"])
    #expect("aa bb cc".wrapped(to: 8, first: "> ", rest: "    ") == ["> aa bb", "    cc"])
  }

  @Test("A noun stands in the plural unless there is one")
  func plural() {
    #expect([0, 1, 2].map { $0.counted("move") } == ["0 moves", "1 move", "2 moves"])
    #expect(2.counted("class", "classes") == "2 classes")
  }

  @Test("A list has its conjunction before the last word")
  func list() {
    #expect([].listed(with: "or") == "")
    #expect(["a"].listed(with: "or") == "a")
    #expect(["a", "b", "c"].listed(with: "and") == "a, b and c")
  }

  @Test("Markup is escaped, even before an accent")
  func markup() {
    #expect("<a b=\"c\">&".escapedForHTML == "&lt;a b=&quot;c&quot;&gt;&amp;")
    #expect("<\u{301}".escapedForHTML == "&lt;\u{301}")
    #expect("\u{0}\u{1B}\r\u{FFFE}\n\t<".escapedForXML == "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\n\t&lt;")
  }
}
