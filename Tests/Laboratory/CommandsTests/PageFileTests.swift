import RunPages
import ScenarioFormat
import Testing

@testable import Commands

@Suite struct PageFileTests {
  @Test(
    "A page quotes the line to which a position refers",
    arguments: ["\u{2028}", "\u{2029}", "\u{85}", "\u{B}", "\u{C}", "\n", "\r", "\r\n"])
  func marked(_ separator: String) throws {
    let bytes = Array("// a\(separator)b\n// c\r\n// d\r// marked\n".utf8)
    let source = SourceText(path: "x.json", bytes: bytes)
    let offset = try #require(bytes.firstIndex(of: UInt8(ascii: "m")))
    let lines = PageFile(source).lines
    #expect(lines[source.position(of: offset).line - 1] == "// marked")
    #expect(lines.joined().allSatisfy { !$0.isNewline })
  }
}
