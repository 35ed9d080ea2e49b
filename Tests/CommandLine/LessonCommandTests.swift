import Foundation
import TestMachine
import Testing

extension BuiltProgram {
  /// `fetcher lesson`: what a learner sees.
  @Suite struct LessonCommandTests {
    private static let lessons = Program.packageRoot.appending(path: "scenarios/lessons")

    private func lesson(
      _ words: [String], state: TemporaryFolder, in folder: URL = Program.packageRoot
    ) async throws -> Program.Outcome {
      try await Program(
        workingDirectory: folder, environment: ["XDG_STATE_HOME": state.url.path]
      ).run(["lesson"] + words)
    }

    private static func code(_ variant: String, of id: String) throws -> String {
      let folder = try #require(
        try FileManager.default.contentsOfDirectory(atPath: lessons.path).first { $0.hasPrefix(id) })
      return try String(contentsOf: lessons.appending(path: "\(folder)/\(id)\(variant).swift"), encoding: .utf8)
    }

    /// Untouched, repaired, and with code that does not compile.
    private func solve(_ id: String) async throws {
      let state = try TemporaryFolder()
      let untouched = try await lesson(["solve", id], state: state)
      #expect(untouched.code == 1)
      #expect(untouched.output.hasPrefix("✗ "))
      #expect(untouched.output.contains("✗ after step"))
      #expect(try await !lesson(["list"], state: state).output.contains("✓"))

      let mistake = try state.write(
        try Self.code("Broken", of: id) + "\nlet mistake: Int = \"\"\n", to: "mistake.swift")
      let refused = try await lesson(["solve", id, "--file", mistake], state: state)
      #expect(refused.code == 1)
      #expect(refused.output.hasPrefix(mistake))
      #expect(refused.output.contains("error: cannot convert value of type 'String' to specified type 'Int'"))
      #expect(!refused.output.contains("main.swift") && !refused.output.contains("Attempt"))
      #expect(refused.notes == "")

      let repaired = try state.write(try Self.code("Fixed", of: id), to: "repaired.swift")
      let solved = try await lesson(["solve", id, "--file", repaired], state: state)
      #expect(solved.code == 0, "\(solved.output)\(solved.notes)")
      #expect(solved.output.hasPrefix("✓ survives: "))
      #expect(try await lesson(["list"], state: state).output.contains("✓ \(id)"))
    }

    @Test("An untouched lesson fails with its table, a mistake shows the compiler's error, and the repair is solved")
    func solving() async throws { try await solve("L03") }

    @Test("So it is for other lessons", .long, arguments: ["L01", "L04", "L06", "L17", "L18", "L21"])
    func solvingMore(_ id: String) async throws { try await solve(id) }

    @Test("A version that drops the work, or that leaves the stage, does not solve the lesson")
    func cheating() async throws {
      let state = try TemporaryFolder()
      let code = try Self.code("Broken", of: "L03")
      let idle = try state.write(code.replacing("    screen.show(image)\n", with: "    _ = image\n"), to: "idle.swift")
      let lazy = try await lesson(["solve", "L03", "--file", idle], state: state)
      #expect(lazy.code == 1)
      #expect(lazy.output.contains("A was selected, and never shown"))
      let leaving = try state.write(
        code.replacing("import Lessons", with: "import Lessons\nimport Foundation"), to: "a.swift")
      let refused = try await lesson(["solve", "L03", "--file", leaving], state: state)
      #expect(refused.code == 1)
      #expect(refused.output.contains("line 3 uses `import Foundation`"))
    }

    @Test("Hints come one at a time, and are forgotten with the lesson")
    func hints() async throws {
      let state = try TemporaryFolder()
      for number in [1, 2, 3, 3] {
        #expect(try await lesson(["hint", "L03"], state: state).output.hasPrefix("Hint \(number) of 3: "))
      }
      #expect(try await lesson(["reset", "L03"], state: state).output.contains("git checkout scenarios/lessons/L03"))
      #expect(try await lesson(["hint", "L03"], state: state).output.hasPrefix("Hint 1 of 3: "))
    }

    @Test("What a lesson prints fits 80 columns", arguments: ["start", "run", "break", "show", "check"])
    func width(_ action: String) async throws {
      let state = try TemporaryFolder()
      for id in ["L03", "L13", "L18"] {
        let outcome = try await lesson([action, id], state: state)
        #expect(outcome.code == 0)
        for line in outcome.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
      }
    }

    @Test("Without a checkout the program says where it looked", arguments: [["list"], ["start", "L03"]])
    func noCheckout(_ words: [String]) async throws {
      let folder = URL(filePath: "/tmp/lesson-test-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let copy = try await Program.copied(to: folder)
      let outcome = try await Program(executable: copy, workingDirectory: folder).run(["lesson"] + words)
      #expect(outcome.code == 4)
      #expect(outcome.notes.contains("scenarios/lessons"))
    }
  }
}
