import Foundation
import OriginServer
import ScenarioSamples
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

extension RunsOverSockets {
  /// The promises of the two photo systems for every strategy, as counted by the origin.
  @Suite struct PhotoSystemTests {
    private static let steps = #"""
      {"at": "0ms", "do": "appear", "view": "photos"}, {"at": "0ms", "do": "wait-idle"},
      {"at": "0ms", "do": "select", "image": "B", "view": "photos"}, {"at": "0ms", "do": "wait-idle"},
      {"at": "0ms", "do": "select", "image": "A", "view": "photos"}, {"at": "0ms", "do": "wait-idle"},
      {"at": "0ms", "do": "tap", "control": "reload", "view": "photos"}, {"at": "0ms", "do": "wait-idle"},
      {"at": "0ms", "do": "tap", "control": "upload", "view": "photos"}, {"at": "0ms", "do": "wait-idle"},
      {"at": "0ms", "do": "tap", "control": "upload", "view": "photos"}
      """#

    private func scenario(_ program: String) throws -> Scenario {
      let photos = ["A", "B"].map {
        #"{"id": "\#($0)", "title": "\#($0)", "datetaken": "2017-01-01 12:32:06", "url_h": "{origin}/\#($0).png"}"#
      }
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "program": "\#(program)", "limits": {"deadline": "600s"},
         "images": [{"id": "A", "path": "/A.png"}, {"id": "B", "path": "/B.png"}],
         "origin": {"routes": [
           {"path": "/services/rest", "responses": [{"body": {"json": {"photos": {"photo": [\#(photos.joined(separator: ","))]}}}}]},
           {"path": "/upload", "responses": [
             {"status": 201, "headers": {"Content-Type": "text/html"}, "body": {"file": "sign-in.html"}},
             {"status": 201, "body": {"json": {"stored": true}}}]}]},
         "steps": [\#(Self.steps)]}
        """#, vocabulary: .shipped)
      return try #require(file.scenario, "\(file.diagnostics.map(\.message))")
    }

    @Test(
      "A photo system requests each photo once, and reports an unexpected upload response as an error",
      arguments: ["photorama", "soogreyhounds"], Vocabulary.shipped.strategies)
    func photos(_ program: String, _ strategy: String) async throws {
      let scenario = try scenario(program)
      let origin = try OriginServer(content: OriginContent())
      // Other tests may hold all threads for longer than a usual deadline, so the timeout is long.
      let real = await ScenarioRunner(
        scenario: scenario, folder: ShippedScenario.folder, origin: origin, runtime: UncrowdedRuntime(),
        timeout: .seconds(120)
      ).run(strategy)
      let counts = origin.counters.requestsByPath
      #expect(counts == ["/services/rest": 2, "/A.png": 1, "/B.png": 1, "/upload": 2])
      for record in [real, scenario.runVirtually(strategy)] {
        #expect(record.termination == nil)
        #expect(record.events.count { $0.kind == .requestBegin } == 6)
        let uploads = record.events.filter { $0.kind == .pageShow }.suffix(2)
        #expect(uploads.map { $0[.error] } == ["unexpectedAnswer", nil])
        #expect(uploads.last?[.text] == "uploaded, status 201")
        #expect(record.final.images == ["A": .loaded, "B": .loaded])
      }
    }
  }
}
