import Foundation
import PlainText
import Testing

@Suite struct ShellWordTests {
  private static let words = [
    "", "a", "my dir/x.json", "$(touch x)/`touch y`", "it's", #"a"b"#, #"\n\\"#, "*?[a]{b,c}~!#;&|<>()", "-x", "a=b",
    "%s%d",
    "\u{1B}[31mred", "a\u{1B}'$(touch x)'%s\\-!", "two\nlines", "\u{202E}abc\u{2028}", "-\u{7F}", "ü 日本",
  ]

  @Test("A shell reads a quoted word back as the original word", arguments: words)
  func read(_ word: String) throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", #"printf '<%s>' "# + word.shellQuoted]
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(Array(bytes) == Array("<\(word)>".utf8), "\(word.shellQuoted)")
  }

  @Test("A quoted word contains no control character", arguments: words)
  func visible(_ word: String) {
    #expect(!word.shellQuoted.unicodeScalars.contains { $0.properties.generalCategory == .control })
  }

  @Test("A word of harmless characters is not quoted")
  func plain() { #expect("scenarios/late-response.json".shellQuoted == "scenarios/late-response.json") }
}
