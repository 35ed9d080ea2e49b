import PlainText
import Testing

@Suite struct TextTests {
  @Test("Each column of a table is as wide as its widest cell")
  func table() {
    var table = Table([.text("name"), .number("n"), .text("note")])
    table.add(["a", "100", ""])
    table.add(["longer", "7", "yes"])
    #expect(table.lines() == ["name      n  note", "a       100", "longer    7  yes"])
    #expect(table.lines { "<\($0)>" }.first == "<name      n  note>")
  }

  @Test("Padding fills a text on the side opposite its alignment and never cuts it")
  func padded() {
    #expect("ab".padded(to: 4) == "ab  ")
    #expect("ab".padded(to: 4, .right, with: "0") == "00ab")
    #expect("abcde".padded(to: 4) == "abcde")
    #expect("e\u{301}".padded(to: 2) == "e\u{301} ")
  }

  @Test("A text that is longer than the width is cut and ends in an ellipsis")
  func cut() {
    #expect("abcd".cut(to: 4) == "abcd")
    #expect("abcde".cut(to: 4) == "abc…")
    #expect("abc".cut(to: 0) == "…")
    #expect("a b  ".withoutEndSpaces == "a b")
    #expect("  ".withoutEndSpaces == "")
  }

  @Test("Wrapping breaks a text at spaces and keeps a long word whole")
  func wrapped() {
    #expect("".wrapped(to: 5) == [""])
    #expect("aa bb cc".wrapped(to: 5) == ["aa bb", "cc"])
    #expect("aaaaaaa b".wrapped(to: 5) == ["aaaaaaa", "b"])
    #expect("aa bb cc".wrapped(to: 8, first: "> ", rest: "    ") == ["> aa bb", "    cc"])
  }

  @Test("A counted noun is in the plural unless the count is one")
  func plural() {
    #expect([0, 1, 2].map { $0.counted("move") } == ["0 moves", "1 move", "2 moves"])
    #expect(2.counted("class", "classes") == "2 classes")
  }

  @Test("A list has its conjunction before the last item")
  func list() {
    #expect([].listed(with: "or") == "")
    #expect(["a"].listed(with: "or") == "a")
    #expect(["a", "b", "c"].listed(with: "and") == "a, b and c")
  }

  @Test("Escaping replaces markup characters, even before a combining accent")
  func markup() {
    #expect("<a b=\"c\">&".escapedForHTML == "&lt;a b=&quot;c&quot;&gt;&amp;")
    #expect("<\u{301}".escapedForHTML == "&lt;\u{301}")
    #expect("\u{0}\u{1B}\r\u{FFFE}\n\t<".escapedForXML == "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\n\t&lt;")
  }
}
