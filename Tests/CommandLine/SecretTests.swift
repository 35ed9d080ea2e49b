import Foundation
import TestMachine
import Testing

extension BuiltProgram {
  /// Addresses with credentials in every output of the program. By default, one of the four shards runs, with every seventh of
  /// its addresses.
  @Suite struct SecretTests {
    private static let shards = 4

    private static func part<Text>(_ texts: [Text], _ shard: Int) -> [Text] {
      let step = LongTests.times(7, long: 1)
      return stride(from: shard * step, to: texts.count, by: shards * step).map { texts[$0] }
    }

    private func texts(_ shard: Int) -> [String] { Self.part(SecretAddresses.texts, shard) }

    @Test(
      "The output of a run does not contain the password of an address",
      arguments: LongTests.some(of: Array(0..<shards), every: 4))
    func run(_ shard: Int) async throws {
      let notes = texts(shard).map { ["at": "0ms", "do": "note", "text": $0] }
      let scenario: [String: Any] = [
        "scenario": 1, "name": "notes", "title": notes[0]["text"] ?? "",
        "images": [["id": "A", "path": "/a.png"]],
        "steps": notes, "expect": [["count": ["event": "note", "equals": 0], "why": notes[1]["text"] ?? ""]],
      ]
      let folder = try TemporaryFolder()
      _ = try folder.write(
        String(decoding: try JSONSerialization.data(withJSONObject: scenario), as: UTF8.self), to: "notes.json")
      let program = Program(workingDirectory: folder.url)
      let files = ["trace.json", "junit.xml", "page.html"]
      let words = ["run", "notes.json", "--trace", files[0], "--junit", files[1], "--html", files[2]]
      let json = try await program.run(words + ["--json", "--events"])
      let text = try await program.run("run", "notes.json", "--timeline")
      #expect(json.code == 1 && text.code == 1, "\(json.notes)")
      let written = try files.map { try String(contentsOf: folder.url.appending(path: $0), encoding: .utf8) }
      for output in [json.output, json.notes, text.output, text.notes] + written {
        #expect(!output.contains(SecretAddresses.secret))
      }
      let least = LongTests.times(20_000, long: 100_000)
      #expect(json.output.utf8.count > least && text.output.utf8.count > least)
      #expect(written.allSatisfy { $0.contains("note") })
    }

    @Test(
      "A message about a file or an address does not contain a password",
      arguments: LongTests.some(of: Array(0..<shards), every: 4))
    func messages(_ shard: Int) async throws {
      let folder = try TemporaryFolder()
      let keys = Dictionary(texts(shard).prefix(15).map { ($0, 1) }, uniquingKeysWith: +)
      let json = try JSONSerialization.data(withJSONObject: keys, options: shard == 0 ? .prettyPrinted : [])
      _ = try folder.write(String(decoding: json, as: UTF8.self), to: "keys.json")
      let program = Program(workingDirectory: folder.url)
      // These schemes are rejected, so no request is sent.
      let addresses = SecretAddresses.valid.map(\.text).filter { !$0.hasPrefix("https") && !$0.contains("127.0.0.1") }
      let some = Self.part(addresses, shard)
      for words in [["check", "keys.json"], ["fetch", "--json"] + some, ["fetch"] + some] {
        let outcome = try await program.run(words)
        #expect(outcome.code != 0)
        #expect(!(outcome.output + outcome.notes).contains(SecretAddresses.secret))
      }
    }
  }
}
