import Foundation
import Testing

extension BuiltProgram {
  /// `fetcher explore`: what it finds, replays and refuses.
  @Suite struct ExploreTests {
    /// Two answers of which the file expects one order: it holds first in, first out, and not in every schedule.
    private static let race = #"""
      {"scenario": 1, "name": "race", "timing": "any",
       "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
       "origin": {"default": {"latency": "60ms"}},
       "steps": [
        {"at": "0ms", "do": "appear", "view": "left"}, {"at": "0ms", "do": "select", "image": "A", "view": "left"},
        {"at": "0ms", "do": "appear", "view": "right"}, {"at": "0ms", "do": "select", "image": "B", "view": "right"}],
       "expect": [{"order": [{"event": "fetch.done", "image": "A"}, {"event": "fetch.done", "image": "B"}]}]}
      """#

    private func explore(_ words: String..., in folder: TemporaryFolder) async throws -> Program.Outcome {
      _ = try folder.write(Self.race, to: "race.json")
      return try await Program(workingDirectory: folder.url).run(["explore"] + words)
    }

    @Test("The smallest schedule that breaks an expectation is shown, and its token replays it")
    func finding() async throws {
      let folder = try TemporaryFolder()
      let outcome = try await explore("race.json", "--budget", "500", in: folder)
      #expect(outcome.code == 1)
      #expect(outcome.output.hasPrefix("broken    race  dataTask  fixed\n  order: expected fetch.done image=B"))
      #expect(outcome.output.contains("minimal: no schedule with fewer than"))
      let token = try #require(outcome.output.firstMatch(of: /--replay (\S+)/)).1
      let replay = try await explore("race.json", "--replay", String(token), in: folder)
      #expect(replay.code == 1)
      #expect(replay.output.contains("order: expected fetch.done image=B"))
      let bent = try await explore("race.json", "--replay", "E1.900:1", in: folder)
      #expect(bent.code == 5)
      #expect(bent.notes.contains("fewer than the token"))
    }

    @Test("Where the file expects nothing of the order, every schedule survives, and JSON has the figures")
    func surviving() async throws {
      let folder = try TemporaryFolder()
      let text = Self.race.replacing(#""timing": "any""#, with: #""timing": "exact""#)
      _ = try folder.write(text.replacing("race", with: "calm"), to: "calm.json")
      let outcome = try await explore("calm.json", "--bound", "1", "--json", in: folder)
      #expect(outcome.code == 0)
      let json = try #require(
        try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: [[String: Any]]])
      let run = try #require(json["runs"]?.first)
      #expect(run["ok"] as? Bool == true)
      #expect(run["strategy"] as? String == "dataTask")
      let figures = try #require(run["statistics"] as? [String: Any])
      #expect(figures["failing"] as? Int == 0)
      #expect((figures["bound"] as? String)?.hasSuffix("with at most 1 deviation") == true)
    }

    @Test(
      "What cannot be understood is a usage error",
      arguments: [
        ["--replay", "what"], ["--shard", "5/4"], ["--loose"], ["--variant", "careless"], ["--budget", "none"],
      ])
    func usage(_ words: [String]) async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(Self.race, to: "race.json")
      let outcome = try await Program(workingDirectory: folder.url).run(["explore", "race.json"] + words)
      #expect(outcome.code == 2)
      #expect(outcome.output == "")
    }

    @Test("Four shards together run what one search runs")
    func shards() async throws {
      let folder = try TemporaryFolder()
      let counts = { (words: [String]) async throws -> Int in
        _ = try folder.write(Self.race.replacing("\"any\"", with: "\"exact\""), to: "race.json")
        let outcome = try await Program(workingDirectory: folder.url)
          .run(["explore", "race.json", "--bound", "2", "--json"] + words)
        let match = try #require(outcome.output.firstMatch(of: /"schedules" : (\d+)/))
        return Int(match.1) ?? 0
      }
      var sum = 0
      for shard in 1...4 { sum += try await counts(["--shard", "\(shard)/4"]) }
      #expect(sum == (try await counts([])))
    }
  }
}
