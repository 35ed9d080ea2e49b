import Foundation
import ScenarioSamples
import TestMachine
import Testing

@testable import ScenarioFormat

@Suite(.computing) struct JSONParserTests {
  private func parse(_ bytes: [UInt8]) -> (node: JSONNode?, problems: [String]) {
    let source = SourceText(path: "x.json", bytes: bytes)
    var diagnostics = Diagnostics()
    let node = JSONParser.parse(source, &diagnostics)
    let problems = diagnostics.all.map { diagnostic in
      let place = source.position(of: diagnostic.range.lowerBound)
      return "\(place.line):\(place.column) \(diagnostic.code.rawValue) \(diagnostic.message)"
    }
    return (node, problems)
  }

  private func parse(_ text: String) -> (node: JSONNode?, problems: [String]) { parse(Array(text.utf8)) }

  @Test(
    "The parser reads strict JSON as Foundation does",
    arguments: [
      "null", "[]", "{}", "[true,false,null]", "-0.5e+3", "[1, 2 ,3\n]", #""\u00e9\n\t\"\\\/ \ud83d\ude00""#,
      #"{"a": {"b": [1, {"c": "d"}]}, "e": "ü"}"#, "12345678901234567890", " \t\r\n[0] ",
    ])
  func valid(_ text: String) throws {
    let (node, problems) = parse(text)
    #expect(problems == [])
    let ours = try JSONEncoder().encode([JSONValue(try #require(node))])
    let theirs = try JSONSerialization.jsonObject(with: Data("[\(text)]".utf8)) as? NSArray
    #expect(try JSONSerialization.jsonObject(with: ours) as? NSArray == theirs)
  }

  @Test("Every key and value records its byte range")
  func ranges() throws {
    let text = #"{"ä": [10, "x"], "b": {}}"#
    let node = try #require(parse(text).node)
    guard case .object(let object) = node.content else {
      Issue.record("the node is not an object")
      return
    }
    let source = SourceText(path: "", bytes: Array(text.utf8))
    #expect(object.members.map { source.text($0.keyRange) } == [#""ä""#, #""b""#])
    #expect(object.members.map { source.text($0.value.range) } == [#"[10, "x"]"#, "{}"])
    #expect(node["ä"]?.elements.map { source.text($0.range) } == ["10", #""x""#])
    #expect(source.text(node.range) == text)
  }

  @Test(
    "A syntax error has its position, and parsing continues after it",
    arguments: [
      ("", ["1:1 E01 the file is empty"]),
      ("   \n ", ["2:2 E01 the file is empty"]),
      ("[1 2]", ["1:4 E01 expected \",\" before another value"]),
      (#"{"a": 1 "b": 2}"#, ["1:9 E01 expected \",\" before another key"]),
      (#"{"a" 1}"#, ["1:6 E01 expected \":\" after the key, found a number"]),
      (#"{"a": }"#, ["1:7 E01 expected a value, found \"}\""]),
      ("[1,,2]", ["1:4 E01 expected a value, found \",\""]),
      ("[:]", ["1:2 E01 expected a value, found \":\""]),
      ("{a: 1}", ["1:2 E01 a key without quotes"]),
      ("{'a': 1}", ["1:2 E01 a string has single quotes"]),
      (
        "[01, +1, .5, 1., 1e]",
        [
          "1:2 E01 \"01\" is not a JSON number", "1:6 E01 \"+1\" is not a JSON number",
          "1:10 E01 \".5\" is not a JSON number", "1:14 E01 \"1.\" is not a JSON number",
          "1:18 E01 \"1e\" is not a JSON number",
        ]
      ),
      ("[1e999]", ["1:2 E01 the number \"1e999\" is too large"]),
      ("[tru, True]", ["1:2 E01 \"tru\" is not a value", "1:7 E01 \"True\" is not a value"]),
      ("[1, // one\n 2 /* two */]", ["1:5 E01 JSON has no comments", "2:4 E01 JSON has no comments"]),
      (
        "[\"a\nb\"]",
        ["1:2 E01 the string is not closed on its line", "2:1 E01 a quote is missing in this line"]
      ),
      (
        #"[{"do": "select, "image": "B"}"# + "\n]",
        ["1:19 E01 a quote is missing in this line"]
      ),
      (
        #"["\x", "\u12", "\ud800"]"#,
        [
          "1:3 E01 \"\\x\" is not a JSON escape sequence", "1:9 E01 \"\\u\" needs four hexadecimal digits",
          "1:17 E01 this is only half of a surrogate pair",
        ]
      ),
      ("[\"a\u{01}b\"]", ["1:4 E01 a control character in a string"]),
      (#"{"a": [1, 2}"#, ["1:12 E01 expected \"]\", found \"}\""]),
      (#"{"a": 1]"#, ["1:8 E01 expected \"}\", found \"]\""]),
      ("{\"a\": [\n\"x, \"b\"]\n}", ["2:6 E01 a quote is missing in this line"]),
      (#"{"a": "x, "b": "/c"}"#, ["1:12 E01 a quote is missing in this line"]),
      (#"{"a": [{"b": 1], "c": 2}"#, ["1:15 E01 expected \"}\", found \"]\""]),
      (#"{"a": {"b": 1}, {"c": 2}], "d": 3}"#, [#"1:2 E01 "a" has several values without a list"#]),
      (#"{"a": {"b": 1}, {"c": 2}, "d": 3}"#, [#"1:2 E01 "a" has several values without a list"#]),
      ("[[1, 2]", ["1:1 E01 this \"[\" is not closed"]),
      ("[1] 2", ["1:5 E01 expected the end of the file, found a number"]),
      ("[1,]", ["1:3 E10 a comma before the closing bracket"]),
      (#"{"a": 1, "a": 2}"#, ["1:10 E09 the key \"a\" appears twice"]),
      ("[1, é, 2]", ["1:5 E01 unexpected \"é\"", "1:6 E01 expected a value, found \",\""]),
      (
        #"{"a\q": "x", "b": 1, }"#,
        ["1:4 E01 \"\\q\" is not a JSON escape sequence", "1:20 E10 a comma before the closing bracket"]
      ),
    ])
  func mistakes(_ text: String, _ expected: [String]) {
    #expect(parse(text).problems.sorted() == expected.sorted())
  }

  @Test("An object with an unreadable part reports no missing keys")
  func noFollowUps() {
    let file = SampleScenario.file(#"{"scenario": 1, name "x", "steps": [{"at": "0ms", "do": "appear"}]}"#)
    #expect(file.diagnostics.map(\.code) == [.syntax, .syntax])
  }

  @Test("The parser accepts UTF-8 without a byte order mark, up to 1 MiB and 64 levels deep")
  func limits() {
    #expect(
      parse([0xEF, 0xBB, 0xBF] + Array("[]".utf8)).problems == ["1:1 E01 the file begins with a byte order mark"])
    #expect(parse(Array("[\n\"a".utf8) + [0xFF, 0x22, 0x5D]).problems == ["2:3 E01 this byte is not valid UTF-8"])
    let deep = { (depth: Int) in
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(parse(deep(64)).problems == [])
    #expect(parse(deep(65)).problems == ["1:65 E01 objects and lists are nested deeper than 64 levels"])
    #expect(parse(deep(100_000)).problems == ["1:65 E01 objects and lists are nested deeper than 64 levels"])
    let padded = { (size: Int) in "[]" + String(repeating: " ", count: size - 2) }
    #expect(parse(padded(1 << 20)).problems == [])
    #expect(parse(padded(1 << 20 + 1)).problems == ["1:1 E01 the file is larger than 1 MiB"])
  }

  @Test("A megabyte of mistakes yields a bounded number of diagnostics", .timeLimit(.minutes(10)))
  func manyMistakes() {
    let mistakes = { (piece: String, bytes: Int) in
      parse(String(repeating: piece, count: bytes / piece.count - 1)).problems.count
    }
    for piece in ["}", "[", "\"", "1 ", "x,", "{\"a\":", "{\"a\":1,\"a\":1},", "/", "\\u"] {
      #expect((1...Diagnostics.most + 1).contains(mistakes(piece, LongTests.times(1 << 13, long: 1 << 16))))
    }
    #expect((1...Diagnostics.most + 1).contains(mistakes("}", 1 << 20)))
    let keys = (0..<6_000).map { "\"k\($0)\": 1" }.joined(separator: ",")
    #expect(SampleScenario.file("{\(keys)}").scenario == nil)
  }
}
