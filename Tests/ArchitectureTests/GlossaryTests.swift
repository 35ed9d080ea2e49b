import Foundation
import TestMachine
import Testing

/// Words with several meanings stay out of the names in Sources. The glossary in CONTRIBUTING states their meanings.
@Suite(.computing) struct GlossaryTests {
  struct Word: Sendable {
    /// The word and its forms.
    let forms: Set<String>
    /// The modules in which the word has the meaning of the glossary.
    let modules: Set<String>
    /// The term to use elsewhere.
    let instead: String

    init(_ forms: String..., in modules: Set<String> = [], instead: String) {
      (self.forms, self.modules, self.instead) = (Set(forms), modules, instead)
    }
  }

  private static let words = [
    Word("place", "places", "placed", instead: "scheduler, location, position, index or permit"),
    Word("move", "moves", instead: "item or advance"),
    Word("turn", "turns", in: ["ScenarioEngine", "Commands"], instead: "item, or the name of what is next"),
    Word("ticket", "tickets", instead: "subscriptionID or JoinedRequest"),
    Word("notice", "notices", "noticed", instead: "update"),
    Word("interest", "interests", "interested", instead: "waiter"),
    Word("adopt", "adopts", "adopted", instead: "install, activate or accept"),
    Word("sweep", "sweeps", "sweeping", instead: "remove"),
    Word("seam", "seams", instead: "the name of the protocol"),
    Word(
      "lane", "lanes", in: ["ScenarioFormat", "ScenarioEngine", "RunPages", "LivePages"],
      instead: "scheduler, pool, queue, mailbox or column"),
    Word(
      "program", "programs",
      in: ["ScenarioFormat", "ScenarioEngine", "ScheduleExplorer", "RunPages", "LivePages", "Commands", "Comparison"],
      instead: "executable, process or application"),
    Word(
      "check", "checks", "checked", in: ["CommandLineTool", "Commands", "ScheduleExplorer"],
      instead: "validate, verify or test"),
    Word(
      "item", "items", in: ["VirtualTime", "ScheduleExplorer", "ScenarioEngine", "RunPages", "Commands"],
      instead: "element or entry"),
    Word("settle", "settles", "settled", "settling", in: ["FetcherModel"], instead: "what ends: delivery, batch, wait"),
  ]

  /// Regular expressions, built once per file: building them for each line takes most of the time.
  private struct Names {
    private let comment = /\/\/.*|"[^"]*"/
    private let declared = [
      /\b(?:func|var|let|struct|class|enum|protocol|actor|case|typealias|for)\s+`?(\w+)/,
      /\b(?:var|let|for)\s+\(([\w, ]+)\)/, /(?:^|[(,])\s*(\w+(?:\s+\w+)?)\s*: (?=[A-Z@(\[]|any |some |inout |sending )/,
      /\{\s*(?:\[[^\]]*\]\s*)?\(?([\w, ]+?)\)?\s+in\b/,
    ]
    private let word = /\w+/
    private let part = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/

    /// The names that a line declares: types, members, variables, parameters and parameters of closures.
    func declared(in line: String) -> [String] {
      let code = line.replacing(comment, with: "")
      return declared.flatMap { code.matches(of: $0) }.flatMap { $0.1.matches(of: word) }.map { String($0.0) }
    }

    func parts(of name: String) -> Set<String> { Set(name.matches(of: part).map { $0.0.lowercased() }) }
  }

  /// Finds the lines to parse. Matching every line of Sources with a Swift regular expression takes half a minute.
  private static let suspect = Result {
    try NSRegularExpression(pattern: words.flatMap(\.forms).sorted().joined(separator: "|"), options: .caseInsensitive)
  }

  /// The violations in a source of a module, as `file:line: name` and the term to use.
  private static func findings(_ module: String, _ file: String, _ source: String) throws -> [String] {
    let text = source as NSString
    let matches = try suspect.get().matches(in: source, range: NSRange(location: 0, length: text.length))
    let lines = Set(matches.map { text.lineRange(for: $0.range) }).sorted { $0.location < $1.location }
    let names = Names()
    return lines.flatMap { line in
      let code = text.substring(with: line)
      guard !code.drop(while: \.isWhitespace).hasPrefix("//") else { return [String]() }
      return names.declared(in: code).flatMap { name in
        let parts = names.parts(of: name)
        return words.filter { !$0.modules.contains(module) && !$0.forms.isDisjoint(with: parts) }.map {
          "\(file):\(text.substring(to: line.location).count { $0 == "\n" } + 1): \(name): use \($0.instead)"
        }
      }
    }
  }

  /// The Swift files of Sources, by their paths in it.
  private static func sources() throws -> [(path: String, text: String)] {
    let folder = packageRoot.appending(path: "Sources")
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".swift") }
      .map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
  }

  private static func glossary() throws -> Substring {
    let page = try String(contentsOf: packageRoot.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
    let start = try #require(page.firstRange(of: "\n| word | type |")?.lowerBound)
    let end = try #require(page[start...].firstRange(of: "\n## ")?.lowerBound)
    return page[start..<end]
  }

  @Test("No name in Sources uses a word outside its meaning")
  func names() throws {
    let sources = try Self.sources()
    #expect(sources.count > 300)
    let found = try sources.flatMap { path, text in
      let parts = path.split(separator: "/").map(String.init)
      return try Self.findings(parts[parts[0] == "Laboratory" ? 1 : 0], "Sources/\(path)", text)
    }
    #expect(found == [])
  }

  @Test(
    "A name with a retired word is found",
    arguments: [
      ("EventBus", "  let placeInLine = 1"), ("VirtualTime", "public struct Place: Hashable {"),
      ("FetcherModel", "  init(_ url: URL, lane: String) {"), ("OriginServer", "  func adopt(_ descriptor: Int32) {"),
      ("EventBus", "  case ticket(UInt64)"), ("FetcherModel", "    for item in items {"),
      ("HTTPWire", "  private var checksHead = false"), ("VirtualTime", "  func run(on place: Int) {}"),
      ("EventBus", "    let (first, place) = pair"), ("EventBus", "    list.map { place in 1 }"),
      ("OriginServer", "    lane: Int, count: Int"), ("EventBus", "    if let place = found {"),
      ("EventBus", "  func post(place index: Int) {}"), ("ScenarioFormat", "  enum `Place` {}"),
      ("HTTPWire", "  case next(turn: Int)"), ("Comparison", "    rows.sort { (place, other) in true }"),
    ])
  func retired(_ module: String, _ line: String) throws {
    let found = try Self.findings(module, "A.swift", "\n\(line)")
    #expect(found.count == 1)
    #expect(found.allSatisfy { $0.hasPrefix("A.swift:2: ") && $0.contains(": use ") })
  }

  @Test(
    "A name that contains only the letters of a word is allowed",
    arguments: [
      "let placeholder = 1", "func replace() {}", "var checksum = 0", "let x = place", "// let place = 1",
      "print(\"let place\")",
      "let returns = 1", "    items: list.map(make))",
    ])
  func allowed(_ line: String) throws { #expect(try Self.findings("EventBus", "A.swift", line) == []) }

  @Test("The glossary of CONTRIBUTING has a row for each tested word")
  func rows() throws {
    let glossary = try Self.glossary()
    let missing = Self.words.filter { word in !word.forms.contains { glossary.contains("| \($0) |") } }
    #expect(missing.map(\.forms) == [])
  }

  @Test("Each type that the glossary names is declared in Sources")
  func types() throws {
    let named = try Self.glossary().matches(of: /`([A-Z]\w+)(?:\.([A-Z]\w+))?[.\w]*`/)
      .flatMap { [$0.1, $0.2].compactMap(\.self) }.map(String.init)
    #expect(named.count > 20)
    // Swift regular expressions take too long for all of Sources.
    let declaration = try NSRegularExpression(pattern: "\\b(?:class|struct|enum|protocol|actor|typealias) (\\w+)")
    let declared = try Self.sources().flatMap { _, text in
      declaration.matches(in: text, range: NSRange(text.startIndex..., in: text))
        .compactMap { Range($0.range(at: 1), in: text).map { String(text[$0]) } }
    }
    #expect(Set(named).subtracting(declared) == [])
  }
}
