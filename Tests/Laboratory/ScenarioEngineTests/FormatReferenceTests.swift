import FetcherModel
import Foundation
import TestMachine
import Testing
import VirtualTime

@testable import ScenarioEngine
@testable import ScenarioFormat

/// scenarios/README.md, as far as it is for looking up.
@Suite struct FormatReferenceTests {
  private let lines: [String]

  init() throws {
    let page = packageRoot.appending(path: "scenarios/README.md")
    lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
  }

  @Test("The page's tables of keys match the table of fields")
  func shippedKeys() throws {
    let start = try #require(lines.firstIndex(of: "<!-- keys -->"))
    let end = try #require(lines.firstIndex(of: "<!-- end of keys -->"))
    #expect(
      Array(lines[(start + 1)..<end]) == FormatReference.lines, "put what `fetcher check --keys` prints between the two"
    )
  }

  @Test("The tables list each key of each object, and each word")
  func everyKey() {
    let rows = Set(FormatReference.lines)
    func look(at schema: Schema) {
      for key in schema.keys + schema.keysOfWords {
        let found = rows.contains { $0.contains("| `\(key.name)` | ") && $0.hasSuffix(" | \(key.help) |") }
        #expect(found, "\(key.name): \(key.help)")
        look(at: key.schema)
      }
      // The events have a table of their own.
      for word in schema.words where TraceKind(rawValue: word.name) == nil {
        let found = rows.contains { $0.hasPrefix("| `\(word.name)` | ") && $0.hasSuffix(" | \(word.help) |") }
        #expect(found, "\(word.name): \(word.help)")
      }
    }
    look(at: ScenarioForm.scenario.schema)
    for fault in Scenario.Response.Fault.allCases {
      #expect(rows.contains("| `\(fault.rawValue)` | \(fault.row.help) |"))
    }
    for invariant in Invariant.allCases { #expect(rows.contains("| `\(invariant.rawValue)` | \(invariant.help) |")) }
  }

  @Test("The page has every event with its attributes, and every code")
  func eventsAndCodes() {
    for kind in TraceKind.allCases {
      let known = kind.row.attributes.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      #expect(lines.contains("| `\(kind.rawValue)` | \(kind.row.help) | \(known) |"), "\(kind.rawValue)")
    }
    for code in Diagnostic.Code.allCases {
      #expect(lines.contains { $0.hasPrefix("| \(code.rawValue) | ") }, "\(code.rawValue)")
    }
  }

  @Test("The limits on the page are those of the program")
  func limits() {
    let mebibytes = SourceText.largest >> 20
    let limits = [
      "a file | \(mebibytes) MiB of UTF-8 without a byte order mark, \(JSONParser.deepest) nested objects and lists",
      "mistakes that are shown | \(Diagnostics.most) per file",
      "the last step of a scenario for the real clock | \(ScenarioRules.longestReal.spelled) after the start",
      "the events of a run | \(RunLength.maximumEvents(steps: 0)), plus \(RunLength.eventsOfStep) for each step",
      "the closures of a run on the virtual clock | \(VirtualRuntime.standardMostStepsAtOnce) while its time stands still, "
        + "\(VirtualRuntime.standardMostSteps) in all",
      "a fetch | \(FetchLimits().deadline?.spelled ?? "")",
    ]
    for limit in limits { #expect(lines.contains("| \(limit) |"), "\(limit)") }
  }
}
