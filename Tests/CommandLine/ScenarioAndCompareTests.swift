import Foundation
import Testing

extension BuiltProgram {
  @Suite struct ScenarioAndCompareTests {
    private let shipped = Program.packageRoot.appending(path: "scenarios/late-response.json").path

    @Test func aScenarioThatHoldsEndsWith0AndTheOutcomeIsJSON() async throws {
      let outcome = try await Program().run("run", "--strategy", "async", "--json", shipped)
      #expect(outcome.code == 0, "\(outcome.output)\(outcome.notes)")
      let json = try #require(try JSONSerialization.jsonObject(with: outcome.bytes) as? [String: [[String: Any]]])
      let run = try #require(json["runs"]?.first)
      #expect(run["scenario"] as? String == "late-response")
      #expect(run["strategy"] as? String == "async")
      #expect(run["ok"] as? Bool == true)
      #expect((run["failures"] as? [Any])?.isEmpty == true)
    }

    @Test func anExpectationThatFailsEndsWith1() async throws {
      let folder = try TemporaryFolder()
      let text = try String(contentsOfFile: shipped, encoding: .utf8)
        .replacing(#""detail.shown": "B""#, with: #""detail.shown": "A""#)
      let file = try folder.write(text, to: "late-response.json")
      let outcome = try await Program().run("run", "--strategy", "dataTask", file)
      #expect(outcome.code == 1)
      #expect(outcome.output.contains("\(file): expect[0].final: final detail.shown: expected \"A\", got \"B\""))
    }

    @Test func anInvalidFileEndsWith3AndTheReason() async throws {
      let folder = try TemporaryFolder()
      let text = try String(contentsOfFile: shipped, encoding: .utf8).replacing("latency", with: "latncy")
      let file = try folder.write(text, to: "late-response.json")
      let outcome = try await Program().run("run", shipped, file)
      #expect(outcome.code == 3)
      #expect(outcome.output == "", "nothing runs before all files are read")
      #expect(outcome.notes.contains("\(file): origin.routes[0].responses[0]: unknown key \"latncy\""))
    }

    @Test func theComparisonMeasuresEachStrategyInAChild() async throws {
      let outcome = try await Program().run("compare", "--images", "20", "--in-flight", "4", "--json")
      #expect(outcome.code == 0, "\(outcome.notes)")
      let json = try #require(try JSONSerialization.jsonObject(with: outcome.bytes) as? [String: [[String: Any]]])
      let rows = try #require(json["rows"])
      #expect(rows.map { $0["strategy"] as? String } == ["blocking", "dataTask", "downloadTask", "async"])
      for sample in try #require(json["samples"]) {
        #expect(sample["failed"] as? Int == 0)
        #expect(sample["requests"] as? Int == 20)
        #expect((sample["connections"] as? Int ?? 0) > 0)
      }
    }
  }
}
