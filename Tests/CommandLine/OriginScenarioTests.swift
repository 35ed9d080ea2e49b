import Foundation
import Testing

extension BuiltProgram {
  /// The command `fetcher origin --scenario`, which serves the responses of a scenario to any client.
  @Suite struct OriginScenarioTests {
    private static let scenario = #"""
      {
        "scenario": 1, "name": "shop", "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
        "origin": {
          "default": {"status": 410, "body": {"json": {"gone": true}}},
          "routes": [
            {"path": "/b.png", "then": "cycle", "responses": [
              {"status": 503, "body": {"bytes": 7}}, {"body": "B", "latency": "20ms", "headers": {"X-Try": "2"}}
            ]},
            {"path": "/note.txt", "responses": [{"body": {"file": "note.txt"}}]},
            {"path": "/cut.png", "responses": [{"body": "A", "fault": "truncate", "after": 50}]},
            {"path": "/closed.png", "responses": [{"fault": "refuse"}]},
            {"path": "/once", "then": "error", "responses": [{"status": 204}]}
          ]
        },
        "steps": []
      }
      """#

    /// Starts the origin, reads its first line, and returns it with its address.
    private func serve(_ folder: TemporaryFolder) async throws -> (RunningProgram, String) {
      _ = try folder.write(Self.scenario, to: "shop.json")
      _ = try folder.write("A note.", to: "note.txt")
      let program = try Program(workingDirectory: folder.url).start(["origin", "--scenario", "shop.json"])
      let line = await program.line()
      let address = try #require(line.wholeMatch(of: /serving shop\.json at (http:\/\/127\.0\.0\.1:\d+)\//)).1
      return (program, String(address))
    }

    private func curl(_ words: String...) async throws -> Program.Outcome {
      try await Program(executable: URL(filePath: "/usr/bin/env")).run(["curl", "-s", "--max-time", "20"] + words)
    }

    @Test("`origin` lists the address and the responses of each path")
    func addresses() async throws {
      let folder = try TemporaryFolder()
      let (program, base) = try await serve(folder)
      #expect(await program.noteLine() == "Ctrl-C stops the server.")
      program.interrupt()
      let rest = String(decoding: await program.restOfOutput(), as: UTF8.self)
      let rows = rest.split(separator: "\n").map { $0.replacing(/\s{2,}/, with: "  ") }
      #expect(
        rows == [
          "address  answers", "\(base)/a.png  410, JSON",
          "\(base)/b.png  503, 7 bytes; then 200, \"B\", in 20ms; then from the beginning",
          "\(base)/note.txt  200, \"note.txt\"", "\(base)/cut.png  200, \"A\", truncate after 50 bytes",
          "http://127.0.0.1:1/closed.png  refuse", "\(base)/once  204; then 500", "every other path  410, JSON",
        ])
      #expect(await program.code() == 130)
    }

    @Test("Each request gets the next response of its path")
    func responses() async throws {
      let folder = try TemporaryFolder()
      let (program, base) = try await serve(folder)
      #expect(try await curl(base + "/").output.contains(/\/note\.txt\s+200, "note\.txt"\n/))
      let first = try await curl("-w", " %{http_code}", base + "/b.png")
      #expect(first.output.hasSuffix(" 503"))
      #expect(first.bytes.count == 7 + 4)
      let second = try await curl("-i", base + "/b.png")
      #expect(second.output.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(second.output.contains("X-Try: 2\r\n"))
      #expect(try await curl("-w", "%{http_code}", "-o", "/dev/null", base + "/b.png").output == "503")
      #expect(try await curl(base + "/note.txt").output == "A note.")
      let other = try await curl("-w", "%{http_code}", base + "/nowhere")
      #expect(other.output == "{\n  \"gone\" : true\n}410")
      let incomplete = try await curl(base + "/cut.png")
      #expect(incomplete.code == 18, "curl exits with 18 for a body that stops early")
      #expect(incomplete.bytes.count == 50)
      #expect(try await curl("-w", "%{http_code}", base + "/once").output == "204")
      #expect(try await curl("-w", "%{http_code}", "-o", "/dev/null", base + "/once").output == "500")
      program.interrupt()
      #expect(await program.code() == 130)
    }

    @Test("If a body file becomes a link that leaves the folder, its path returns status 500")
    func bodyFileOutside() async throws {
      let folder = try TemporaryFolder()
      let elsewhere = try TemporaryFolder()
      let outside = try elsewhere.write("secret", to: "secret.txt")
      let (program, base) = try await serve(folder)
      let note = folder.url.appending(path: "note.txt")
      _ = try folder.write("Inside.", to: "other.txt")
      for (target, status) in [("other.txt", "200"), (outside, "500"), ("/dev/zero", "500")] {
        try FileManager.default.removeItem(at: note)
        try FileManager.default.createSymbolicLink(atPath: note.path, withDestinationPath: target)
        let answer = try await curl("-w", "%{http_code}", base + "/note.txt").output
        #expect(answer.hasSuffix(status))
        #expect(answer.hasPrefix("Inside.") == (status == "200"))
        #expect(!answer.contains("secret"))
      }
      program.interrupt()
      #expect(await program.code() == 130)
    }

    @Test("The index of a folder lists exactly the files that origin serves")
    func index() async throws {
      let (folder, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
      for name in ["a.txt", ".hidden", "50% of?#.txt", "x\u{1B}[2J\n\u{9B}y.txt"] {
        _ = try folder.write("text", to: name)
      }
      let outside = try elsewhere.write("secret", to: "secret.txt")
      for (name, target) in [("inside", "a.txt"), ("outside", outside), ("nowhere", "missing"), ("null", "/dev/null")] {
        let link = folder.url.appending(path: name).path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      }
      try #require(mkfifo(folder.url.appending(path: "pipe").path, 0o600) == 0)
      // This folder is not an index, so it does not hide the list.
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: "index.html"), withIntermediateDirectories: false)
      let program = try Program(workingDirectory: folder.url).start(["origin", "--directory", "."])
      let line = await program.line()
      let base = String(try #require(line.firstMatch(of: /http:.*[^\/]/)).output)
      let paths = try await curl(base + "/").output.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(paths == ["/50%25%20of%3F%23.txt", "/a.txt", "/inside", "/x%1B%5B2J%0A%C2%9By.txt", ""])
      for path in paths.dropLast() { #expect(try await curl(base + path).output == "text") }
      program.interrupt()
      #expect(await program.code() == 130)
    }

    @Test("A request for another host gets 421, unless --host allows the host")
    func hosts() async throws {
      let folder = try TemporaryFolder()
      let program = try Program(workingDirectory: folder.url).start(["origin", "--host", "lab.test,[fe80::1]"])
      let line = await program.line()
      let base = String(try #require(line.firstMatch(of: /http:.*/)).output)
      let status = { (host: String) in
        try await curl("-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: \(host)", base).output
      }
      for host in ["localhost", "LAB.test:1", "[fe80::1]:80"] { #expect(try await status(host) == "200") }
      #expect(try await status("evil.example") == "421")
      #expect(try await curl(base).output.contains("/sunset-10.jpeg\n"))
      program.interrupt()
      #expect(await program.code() == 130)
      for wrong in ["lab.test:80", "http://lab.test", "lab.test/"] {
        let outcome = try await Program(workingDirectory: folder.url).run("origin", "--host", wrong)
        #expect(outcome.code == 2)
        #expect(
          outcome.notes.hasPrefix("error: --host accepts names without a scheme, port or path, not \"\(wrong)\"\n"))
      }
    }

    @Test("`origin` serves pictures that fetch accepts")
    func pictures() async throws {
      let folder = try TemporaryFolder()
      let (program, base) = try await serve(folder)
      #expect(try await curl("-o", "/dev/null", base + "/b.png").code == 0)
      let fetch = try await Program(workingDirectory: folder.url).run("fetch", base + "/b.png")
      #expect(fetch.code == 0, "\(fetch.notes)")
      #expect(fetch.output.contains("b.png  64 x 64 png  "))
      program.interrupt()
      #expect(await program.code() == 130)
    }

    @Test("`origin` exits with 3 for an invalid file, 4 for a missing file, and 2 for a usage error")
    func refused() async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(Self.scenario.replacing("latency", with: "latncy"), to: "shop.json")
      let program = Program(workingDirectory: folder.url)
      let invalid = try await program.run("origin", "--scenario", "shop.json")
      #expect(invalid.code == 3)
      #expect(invalid.output == "")
      #expect(invalid.notes.hasPrefix("error[E07]: unknown key \"latncy\"\n  --> shop.json:7:"))
      let missing = try await program.run("origin", "--scenario", "nowhere.json")
      #expect(missing.code == 4)
      #expect(missing.notes == "error: nowhere.json: the file does not exist; check the path\n")
      let both = try await program.run("origin", "--scenario", "shop.json", "--directory", ".")
      #expect(both.code == 2)
      #expect(both.notes.hasPrefix("error: origin serves a --directory or a --scenario, not both\n"))
    }
  }
}
