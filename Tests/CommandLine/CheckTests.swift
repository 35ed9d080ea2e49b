import Foundation
import Testing

extension BuiltProgram {
  /// The command `fetcher check`: its exit code, standard output and standard error.
  @Suite struct CheckTests {
    private let valid = #"{"scenario": 1, "name": "good", "steps": [{"at": "0ms", "do": "appear"}]}"#
    private let invalid = """
      {"scenario": 1, "name": "bad",
       "steps": [{"at": "0ms", "do": "apear"}]}
      """
    private let complaint = """
      error[E15]: unknown step "apear"; choose from appear, disappear, select, deselect, switch, cancel, drop-model, \
      publish, subscribe, unsubscribe, memory-warning, origin, network, send, busy, wait-idle, tap, note
        --> bad.json:2:32
         |
       2 |  "steps": [{"at": "0ms", "do": "apear"}]}
         |                                ^^^^^^^ did you mean "appear"?


      """

    private func check(_ words: String..., in folder: TemporaryFolder) async throws -> Program.Outcome {
      try await Program(workingDirectory: folder.url).run(["check"] + words)
    }

    @Test("A check of a valid scenario exits with 0 and prints one line")
    func validFile() async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(valid, to: "good.json")
      let outcome = try await check("good.json", in: folder)
      #expect(outcome.code == 0)
      #expect(outcome.output == "valid    good.json\n")
      #expect(outcome.notes == "")
      #expect(try await check("--quiet", "good.json", in: folder).output == "")
    }

    @Test("A check of an invalid scenario exits with 3 and explains the mistake on standard error")
    func invalidFile() async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(invalid, to: "bad.json")
      let outcome = try await check("bad.json", in: folder)
      #expect(outcome.code == 3)
      #expect(outcome.output == "invalid  bad.json\n")
      #expect(outcome.notes == complaint)
    }

    @Test("A scenario may name only a lesson that exists")
    func lesson() async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(valid.replacing(#""steps""#, with: #""lesson": "L03", "steps""#), to: "good.json")
      #expect(try await check("good.json", in: folder).code == 0)
      _ = try folder.write(valid.replacing(#""steps""#, with: #""lesson": "L99", "steps""#), to: "good.json")
      let outcome = try await check("good.json", in: folder)
      #expect(outcome.code == 3)
      #expect(outcome.notes.hasPrefix("error[E15]: unknown lesson \"L99\"; choose from L01, "))
    }

    @Test("`check` reads every given file and folder, but skips the schema file")
    func severalFiles() async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(valid, to: "good.json")
      _ = try folder.write(invalid, to: "bad.json")
      _ = try folder.write("{}", to: "scenario.schema.json")
      let outcome = try await check(".", "good.json", in: folder)
      #expect(outcome.code == 3)
      #expect(outcome.output == "invalid  ./bad.json\nvalid    ./good.json\nvalid    good.json\n3 files, 1 invalid\n")
      #expect(outcome.notes == complaint.replacing("bad.json", with: "./bad.json"))
    }

    @Test("A warning is printed, but does not make a scenario invalid")
    func warning() async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(
        #"""
        {"scenario": 1, "name": "good", "images": [{"id": "A", "path": "/a.png"}],
         "origin": {"routes": [{"path": "/A.png", "responses": [{}]}]},
         "steps": [{"at": "0ms", "do": "select", "image": "A"}]}
        """#, to: "good.json")
      let outcome = try await check("good.json", in: folder)
      #expect(outcome.code == 0)
      #expect(outcome.output == "valid    good.json\n")
      #expect(outcome.notes.hasPrefix("warning[W03]: "))
    }

    @Test("With --json, the problems are printed as JSON")
    func json() async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(invalid, to: "bad.json")
      let outcome = try await check("--json", "bad.json", in: folder)
      #expect(outcome.code == 3)
      #expect(outcome.notes == "")
      let json = try #require(try JSONSerialization.jsonObject(with: outcome.bytes) as? [String: [[String: Any]]])
      let file = try #require(json["files"]?.first)
      #expect(file["file"] as? String == "bad.json")
      #expect(file["ok"] as? Bool == false)
      let problem = try #require((file["problems"] as? [[String: Any]])?.first)
      #expect(problem["code"] as? String == "E15")
      #expect(problem["line"] as? Int == 2)
      #expect(problem["column"] as? Int == 32)
      #expect(problem["advice"] as? String == "did you mean \"appear\"?")
    }

    @Test("A check of a missing file or of a folder without scenarios exits with 4")
    func unreadable() async throws {
      let folder = try TemporaryFolder()
      let missing = try await check("nowhere.json", in: folder)
      #expect(missing.code == 4)
      #expect(missing.notes == "error: nowhere.json: the file does not exist; check the path\n")
      let empty = try await check(".", in: folder)
      #expect(empty.code == 4)
      #expect(empty.notes == "error: .: the folder contains no .json file\n")
    }

    @Test("In a folder, `check` reads only visible regular files and links to files")
    func whatIsNoFile() async throws {
      let folder = try TemporaryFolder()
      for name in [".hidden", "folder.json", "below"] {
        let place = folder.url.appending(path: name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      }
      _ = try folder.write(invalid, to: ".hidden/bad.json")
      _ = try folder.write(invalid, to: ".bad.json")
      _ = try folder.write(valid, to: "folder.json/good.json")
      _ = try folder.write(valid.replacing("good", with: "link"), to: "below/text.txt")
      let link = folder.url.appending(path: "link.json").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "below/text.txt")
      let pipe = folder.url.appending(path: "pipe.json").path
      try #require(mkfifo(pipe, 0o600) == 0)
      let outcome = try await check(".", in: folder)
      #expect(outcome.code == 0, "\(outcome.notes)")
      #expect(outcome.output == "valid    ./folder.json/good.json\nvalid    ./link.json\n2 files, 0 invalid\n")
      let alone = try await check("pipe.json", in: folder)
      #expect(alone.code == 4)
      #expect(alone.notes == "error: pipe.json: the file cannot be read: it is not a regular file\n")
    }

    @Test("`check` follows a symbolic link to a folder")
    func linkedFolder() async throws {
      let folder = try TemporaryFolder()
      let real = folder.url.appending(path: "real")
      try FileManager.default.createDirectory(at: real, withIntermediateDirectories: false)
      _ = try folder.write(valid, to: "real/good.json")
      let link = folder.url.appending(path: "link").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real")
      let outcome = try await check("link", in: folder)
      #expect(outcome.code == 0, "\(outcome.notes)")
      #expect(outcome.output == "valid    link/good.json\n")
    }

    @Test("A file of 60,000 semicolons does not affect the check of other files")
    func semicolons() async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(String(repeating: ";", count: 60_000), to: "bad.json")
      _ = try folder.write(valid, to: "good.json")
      let outcome = try await check("bad.json", "good.json", in: folder)
      #expect(outcome.code == 3)
      #expect(outcome.output == "invalid  bad.json\nvalid    good.json\n2 files, 1 invalid\n")
    }

    @Test("A check of a broken link exits with 4, whether the link is given directly or in a folder")
    func danglingLink() async throws {
      let folder = try TemporaryFolder()
      let link = folder.url.appending(path: "link.json").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere.json")
      for (word, name) in [("link.json", "link.json"), (".", "./link.json")] {
        let outcome = try await check(word, in: folder)
        #expect(outcome.code == 4)
        let reason = "it is a broken link"
        #expect(outcome.notes == "error: \(name): the file cannot be read: \(reason)\n")
      }
    }

    @Test("`check` without a file is a usage error, but `check --schema` needs no file")
    func usage() async throws {
      let nothing = try await Program().run("check")
      #expect(nothing.code == 2)
      #expect(nothing.notes.hasPrefix("error: check needs at least one FILE"))
      let schema = try await Program().run("check", "--schema")
      #expect(schema.code == 0)
      let shipped = Program.packageRoot.appending(path: "scenarios/scenario.schema.json")
      #expect(schema.bytes == (try Data(contentsOf: shipped)))
    }

    @Test("The shipped scenarios are valid")
    func shipped() async throws {
      let outcome = try await Program().run("check", Program.packageRoot.appending(path: "scenarios").path)
      #expect(outcome.code == 0, "\(outcome.notes)")
      #expect(outcome.notes == "")
    }
  }
}
