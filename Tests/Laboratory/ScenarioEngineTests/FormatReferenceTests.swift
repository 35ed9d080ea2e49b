import FetcherModel
import Foundation
import TestMachine
import Testing
import VirtualTime

@testable import ScenarioEngine
@testable import ScenarioFormat

/// The pages of scenarios/reference.
@Suite struct FormatReferenceTests {
  private let pages: [String: [String]]
  private var lines: [String] { pages.values.flatMap(\.self) }

  init() throws {
    let folder = packageRoot.appending(path: "scenarios/reference")
    pages = try Dictionary(
      uniqueKeysWithValues: FileManager.default.contentsOfDirectory(atPath: folder.path).map { name in
        (name, try String(contentsOf: folder.appending(path: name), encoding: .utf8).components(separatedBy: "\n"))
      })
  }

  @Test("The tables of keys in scenarios/reference match the tables that the program generates")
  func shippedKeys() throws {
    for part in FormatReference.parts {
      let lines = try #require(pages[part.page], "\(part.page)")
      let start = try #require(lines.firstIndex(of: "<!-- keys -->"), "\(part.page)")
      let end = try #require(lines.firstIndex(of: "<!-- end of keys -->"), "\(part.page)")
      #expect(
        Array(lines[(start + 1)..<end]) == part.lines, "put the part of `fetcher check --keys` between the two markers")
    }
    #expect(FormatReference.parts.map(\.page) == ["file.md", "origin.md", "steps.md", "expectations.md", "search.md"])
  }

  @Test("The generated tables list every key of every object, and every allowed word")
  func everyKey() {
    let rows = Set(FormatReference.lines)
    func look(at schema: Schema) {
      for key in schema.keys + schema.keysOfWords {
        let found = rows.contains { $0.contains("| `\(key.name)` | ") && $0.hasSuffix(" | \(key.help) |") }
        #expect(found, "\(key.name): \(key.help)")
        look(at: key.schema)
      }
      // The events have a separate table.
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

  @Test("The reference pages list every event with its attributes, and every diagnostic code")
  func eventsAndCodes() {
    for kind in TraceKind.allCases {
      let known = kind.row.attributes.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      #expect(lines.contains("| `\(kind.rawValue)` | \(kind.row.help) | \(known) |"), "\(kind.rawValue)")
    }
    for code in Diagnostic.Code.allCases {
      #expect(lines.contains { $0.hasPrefix("| \(code.rawValue) | ") }, "\(code.rawValue)")
    }
  }

  @Test("The limits on the reference pages equal the limits of the program")
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
