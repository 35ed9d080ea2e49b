import Foundation
import TestMachine
import Testing

extension BuiltProgram {
  /// The command `fetcher lesson`, as a learner sees it.
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

    /// Tests `lesson solve` with unchanged code, with code that does not compile, and with the repair.
    private func solve(_ id: String) async throws {
      let state = try TemporaryFolder()
      let untouched = try await lesson(["solve", id], state: state)
      #expect(untouched.code == 1)
      #expect(untouched.output.hasPrefix("You have not changed \(id)Broken.swift since fetcher was compiled.\n\n✗ "))
      // The page shows the last line of the learner's file that ran.
      #expect(untouched.output.contains("/\(id)Broken.swift:") && untouched.output.contains("\n> "))
      #expect(untouched.output.contains("✗ after item"))
      #expect(try await !lesson(["list"], state: state).output.contains("✓ \(id)"))

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
      let order = "the only possible order\nThe search never interrupts an item. "
      #expect(solved.output.hasPrefix("✓ passes in " + (id == "L01" ? order : "")))
      #expect(solved.output.contains("\nNext lesson: "))
      #expect(try await lesson(["list"], state: state).output.contains("✓ \(id)"))
    }

    @Test("`lesson solve` shows a failing order, compiler errors and success")
    func solving() async throws { try await solve("L03") }

    @Test(
      "`lesson solve` works in the same way for other lessons", .long,
      arguments: ["L01", "L04", "L06", "L17", "L18", "L21"])
    func solvingMore(_ id: String) async throws { try await solve(id) }

    @Test("`lesson solve` rejects code that drops work or uses a forbidden import")
    func cheating() async throws {
      let state = try TemporaryFolder()
      let code = try Self.code("Broken", of: "L03")
      let idle = try state.write(code.replacing("    screen.show(image)\n", with: "    _ = image\n"), to: "idle.swift")
      let lazy = try await lesson(["solve", "L03", "--file", idle], state: state)
      #expect(lazy.code == 1)
      #expect(lazy.output.contains("A was selected, but never shown"))
      let leaving = try state.write(
        code.replacing("import Lessons", with: "import Lessons\nimport Foundation"), to: "a.swift")
      let refused = try await lesson(["solve", "L03", "--file", leaving], state: state)
      #expect(refused.code == 1)
      #expect(refused.output.contains("line 3 uses `import Foundation`"))
    }

    @Test("`lesson interface` lists what a program implements, and what it can call, in 80 columns")
    func interface() async throws {
      let state = try TemporaryFolder()
      let runtime = try await lesson(["interface", "L03"], state: state)
      #expect(runtime.code == 0)
      for row in [
        "    func select(_ picture: String)", "  func show(_ text: String)", "  ) -> Request", "    case offline",
        "  workers.schedule { }                   calls it on a thread of the pool",
      ] { #expect(runtime.output.contains("\n\(row)\n"), "\(row)") }
      // Neither the stage's own code nor what the compiler fills in.
      for row in ["verify", "fileID", "private", "static"] { #expect(!runtime.output.contains(row), "\(row)") }
      let plain = try await lesson(["interface", "L23"], state: state)
      #expect(plain.output.contains("    func picture(_ name: String) async -> String?\n"))
      #expect(plain.output.contains("It may also use `Task { }`") && !plain.output.contains("PictureServer"))
      #expect(runtime.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(runtime.output)")
      let isolated = try await lesson(["interface", "L19"], state: state).output
      #expect(isolated.contains("\n  @MainActor protocol Program: AnyObject, Sendable\n"), "\(isolated)")
      #expect(isolated.contains("\n    func search(_ text: String)\n"))
      #expect(
        try await lesson(["interface", "L07"], state: state).output.contains("\n  subscribe(to: T.self, on: .main)"))
    }

    @Test("The output of a learner's code is shown before the verdict")
    func printing() async throws {
      let state = try TemporaryFolder()
      let code = try Self.code("Fixed", of: "L03").replacing(
        "screen.show(image)\n", with: "screen.show(image)\n    for _ in 1...2 { print(\"{ shows \\(image)\") }\n")
      let once = try state.write(code, to: "once.swift")
      let solved = try await lesson(["solve", "L03", "--file", once], state: state)
      #expect(solved.code == 0, "\(solved.output)\(solved.notes)")
      #expect(solved.output.hasPrefix("once.swift prints (the search runs it many times):\n{ shows A\n{ shows A\n"))
      #expect(solved.output.contains("\n... (further output is omitted)\n\n✓ passes in "))
    }

    @Test("A force unwrap and a loop that polls are one sentence with the line of the learner's file")
    func crashAndLoop() async throws {
      let state = try TemporaryFolder()
      let judged = { (name: String, line: String) in
        let code = try Self.code("Broken", of: "L18").replacing(
          "    let thumbnail = await fetch(picture)\n", with: "\(line)    let thumbnail = await fetch(picture)\n"
        ).replacing("  private var thumbnails", with: "  private var busy: Set<String> = []\n  private var thumbnails")
        return try await lesson(["solve", "L18", "--file", try state.write(code, to: name)], state: state)
      }
      let crashed = try await judged("crash.swift", "    print(\"last words\"); print(thumbnails[picture]!)\n")
      #expect(crashed.code == 1)
      #expect(
        crashed.output.hasPrefix(
          "crash.swift prints (the search runs it many times):\nlast words\n\n"
            + "✗ line 13 of crash.swift crashed: Unexpectedly found nil while unwrapping an Optional value\n"),
        "\(crashed.output)")
      #expect(crashed.notes == "")
      let polls = try await judged(
        "loop.swift", "    while busy.contains(picture) { await Task.yield() }\n    busy.insert(picture)\n")
      let output = polls.output
      #expect(output.hasPrefix("✗ the program polls without end: line 13 runs again and again\n"), "\(output)")
      #expect(output.contains("\n> 13      while busy.contains(picture) { await Task.yield() }\n"), "\(output)")
      #expect(output.contains("\n*    4 "), "\(output)")
      #expect(output.split(separator: "\n").count < 40 && !output.contains("maximumSteps"), "\(output)")
    }

    @Test("A failed table has no rows for the stage, and tells items with the same name apart by their numbers")
    func tableOfTasks() async throws {
      let state = try TemporaryFolder()
      for id in ["L18", "L27"] {
        let output = try await lesson(["break", id], state: state).output
        for word in ["LessonPlay", "protocol witness", "PictureServer.", "VirtualRuntime", "token", "WhatItCannotFind"]
        {
          #expect(!output.contains(word), "\(word) in \(output)")
        }
      }
      let shared = try await lesson(["break", "L04"], state: state).output
      #expect(shared.components(separatedBy: "  request A\n").count == 3, "\(shared)")
      #expect(shared.contains("“the page wants A” on main runs before “request A” (item 3) on workers"), "\(shared)")
      #expect(shared.contains("(a deviation runs an item before those that wait longer)"))
      let step = try await Program(executable: URL(filePath: "/bin/sh"), workingDirectory: Program.packageRoot)
        .run("-c", "'\(Program.built.path)' lesson step L18 </dev/null")
      #expect(step.output.contains("row 1 wants A") && !step.output.contains("job #"), "\(step.output)")
      #expect(!step.output.contains("of the scenario"))
    }

    @Test("A failed run in order shows the time of each item and the requests without an answer")
    func delayedRepair() async throws {
      let state = try TemporaryFolder()
      let code = try Self.code("Fixed", of: "L01").replacing(
        "runtime.main.schedule {", with: "runtime.main.schedule(after: .seconds(1)) {")
      let output = try await lesson(
        ["solve", "L01", "--file", try state.write(code, to: "delay.swift"), "--seed", "7"], state: state
      ).output
      #expect(output.contains("\nin a run with pictures that never arrive or cannot be loaded, in order:\n"))
      #expect(output.contains("\n  0.0 s  main     select dune; request dune, never answered\n"), "\(output)")
      #expect(output.contains("\n  2.1 s  main     show no picture\n"), "\(output)")
      #expect(
        output.contains("/delay.swift:23, the last place of this run in your file, not always the cause\n")
          && output.contains("\n> 23        screen.show(image"), "\(output)")
      #expect(output.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.contains("/delay.swift:23") })
    }

    @Test("A refusal marks the line of an item whose order decides, instead of the last line of the run")
    func placeOfPair() async throws {
      let state = try TemporaryFolder()
      let output = try await lesson(
        ["solve", "L04", "--file", try state.write(try Self.code("HalfRepair", of: "L04"), to: "half.swift")],
        state: state
      ).output
      #expect(output.contains("\nFails if “the page wants A” on main runs before “after answer A” (item 5) on\n"))
      #expect(output.contains("/half.swift:43, where an item of this pair comes from\n"), "\(output)")
      #expect(output.contains("\n> 43      runtime.workers.schedule { [self] in\n"), "\(output)")
      let both = try await lesson(
        ["solve", "L12", "--file", try state.write(try Self.code("HalfRepair", of: "L12"), to: "late.swift")],
        state: state
      ).output
      #expect(both.contains("/late.swift:26 and 32, where the items of this pair come from\n"), "\(both)")
    }

    @Test("Without a Swift compiler, lesson solve names it and where to get it")
    func noCompiler() async throws {
      let state = try TemporaryFolder()
      let outcome = try await Program(
        workingDirectory: Program.packageRoot, environment: ["XDG_STATE_HOME": state.url.path, "PATH": state.url.path]
      ).run(["lesson", "solve", "L03"])
      #expect(outcome.code == 4)
      #expect(outcome.notes.contains("swiftc, which is not in PATH: install a Swift toolchain"), "\(outcome.notes)")
    }

    @Test("The question of a lesson that fails in order asks for an order or an input")
    func orderOrInput() async throws {
      let state = try TemporaryFolder()
      for id in ["L01", "L27"] {
        let start = try await lesson(["start", id], state: state).output
        #expect(start.contains("First predict: does it always work? If not, which order or input breaks it?\n"))
        let broken = try await lesson(["break", id], state: state).output
        #expect(
          broken.contains("\n  no deviation from first in, first out: the input or its timing is enough\n  "))
        #expect(broken.contains(id == "L01" ? " Here C is not in the cache.\n" : " Here it takes 0.3 seconds.\n"))
      }
    }

    @Test("`lesson break` and `lesson solve` work for a lesson in plain Swift")
    func plainSwift() async throws {
      let state = try TemporaryFolder()
      let broken = try await lesson(["break", "L18"], state: state)
      #expect(broken.code == 0 && broken.output.hasPrefix("✗ A is requested 2 times\n"), "\(broken.notes)")
      let repaired = try state.write(try Self.code("Fixed", of: "L18"), to: "repaired.swift")
      let solved = try await lesson(["solve", "L18", "--file", repaired, "--seed", "7"], state: state)
      #expect(solved.code == 0, "\(solved.output)\(solved.notes)")
      #expect(solved.output.contains("It also passes 9 runs with other data, which seed 7 generates.\n"))
    }

    @Test("`lesson solve` rejects a version that works only for the data of the lesson")
    func specialCase() async throws {
      let state = try TemporaryFolder()
      let code = try Self.code("Fixed", of: "L03").replacing(
        "guard selected.withLock({ $0 }) == picture else",
        with: "guard picture != \"A\" || selected.withLock({ $0 }) != \"B\" else")
      let outcome = try await lesson(
        ["solve", "L03", "--file", try state.write(code, to: "special.swift"), "--seed", "5"], state: state)
      #expect(outcome.code == 1)
      #expect(outcome.output.hasPrefix("✗ ") && outcome.output.contains("\nin a run with "), "\(outcome.output)")
      #expect(outcome.output.contains("`fetcher lesson solve L03 --seed 5` repeats"))
    }

    @Test("Concurrent processes do not overwrite each other's progress in lessons")
    func twoProcesses() async throws {
      for _ in 0..<LongTests.times(1, long: 20) {
        let state = try TemporaryFolder()
        let outcomes = try await ["L03", "L04", "L06"].concurrently { try await lesson(["hint", $0], state: state) }
        #expect(outcomes.map(\.code) == [0, 0, 0])
        for id in ["L03", "L04", "L06"] {
          #expect(try await lesson(["hint", id], state: state).output.hasPrefix("Hint 2 of 3: "), "\(id)")
        }
      }
    }

    @Test("A damaged progress file is reported, and the lesson continues")
    func damagedProgress() async throws {
      let state = try TemporaryFolder()
      let folder = state.url.appending(path: "swift-fetcher-lab")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(#"{"solved": ["L01"], "hints": {"L03": -1}}"#.utf8).write(to: folder.appending(path: "lessons.json"))
      let list = try await lesson(["list"], state: state)
      #expect(list.code == 0)
      #expect(list.notes.hasSuffix("the number of hints for L03 is negative. The file was not changed.\n"))
      let hint = try await lesson(["hint", "L03"], state: state)
      #expect(hint.code == 0)
      #expect(hint.output.hasPrefix("Hint 1 of 3: "))
      #expect(hint.notes.contains("The file is now \(folder.path)/lessons-damaged-1.json, and your progress restarts."))
      #expect(try await lesson(["hint", "L03"], state: state).notes == "")
    }

    @Test("`lesson step` compares the result with the minimum, and can undo a choice")
    func golf() async throws {
      let state = try TemporaryFolder()
      let step = { (id: String, lines: [String]) in
        let answers = try state.write(lines.joined(separator: "\n") + "\n", to: "answers")
        let command = "'\(Program.built.path)' lesson step \(id) <'\(answers)'"
        return try await Program(executable: URL(filePath: "/bin/sh"), workingDirectory: Program.packageRoot)
          .run("-c", command)
      }
      let found = try await step("L13", ["", "1"])
      #expect(found.code == 0)
      #expect(found.output.contains("✗ one download ends 2 times"))
      #expect(found.output.hasSuffix("You found it with 1 deviation; that is the minimum.\n"))
      let undone = try await step("L13", ["", "1", "u", "f"])
      #expect(undone.output.hasSuffix("An order with 1 deviation breaks the program; u undoes the last choice.\n"))
      #expect(undone.output.contains("✓ the program passes in this order"))
      let clumsy = try await step("L06", ["1", "1", "1"])
      #expect(
        clumsy.output.contains("You found it with 3 deviations; the minimum is 1. u undoes the last choice.\n"))
    }

    @Test(
      "`lesson step` offers only items that can overtake, and lists the rest of the order",
      arguments: ["f", nil])
    func overtaking(_ end: String?) async throws {
      let state = try TemporaryFolder()
      let answers = try state.write(["", "", "1", end].compactMap(\.self).map { $0 + "\n" }.joined(), to: "answers")
      let command = "'\(Program.built.path)' lesson step L06 <'\(answers)'"
      let outcome = try await Program(executable: URL(filePath: "/bin/sh"), workingDirectory: Program.packageRoot)
        .run("-c", command)
      #expect(outcome.output.contains("\n  1  close on main\n"))
      #expect(
        outcome.output.contains(
          "\n  0  show A on main\n  1  close on main\n     ran close\n     ran show A\n     ran disappear\n     ran check\n"
            + "✓ the program passes in this order"))
    }

    @Test("`lesson watch` judges a file again after each change, until Ctrl-C")
    func watching() async throws {
      let state = try TemporaryFolder()
      let file = try state.write("import Foundation\n", to: "mine.swift")
      let watch = try Program(workingDirectory: Program.packageRoot, environment: ["XDG_STATE_HOME": state.url.path])
        .start(["lesson", "watch", "L03", "--file", file])
      #expect(await watch.line().contains(": line 1 uses `import Foundation`"))
      #expect(await watch.line() == "")
      #expect(await watch.line() == "Save mine.swift to judge it again, or press Ctrl-C to stop.")
      _ = try state.write("\nimport Dispatch\n", to: "mine.swift")
      #expect(await watch.line().contains(": line 2 uses `import Dispatch`"))
      #expect(await watch.line() == "")
      #expect(await watch.line() == "Save mine.swift to judge it again, or press Ctrl-C to stop.")
      // The editor has saved only the first byte of a letter.
      try Data("// caf".utf8 + [0xC3]).write(to: URL(filePath: file))
      #expect(await watch.noteLine() == "error: \(file) is not UTF-8 text; save the file as UTF-8")
      #expect(await watch.line() == "")
      #expect(await watch.line() == "Save mine.swift to judge it again, or press Ctrl-C to stop.")
      _ = try state.write("import Glibc\n", to: "mine.swift")
      #expect(await watch.line().contains(": line 1 uses `import Glibc`"))
      watch.interrupt()
      #expect(await watch.code() == 130)
    }

    @Test("Ctrl-C during a compilation leaves no temporary files", .timeLimit(.minutes(10)))
    func interruptedWatch() async throws {
      let (state, temporary) = (try TemporaryFolder(), try TemporaryFolder())
      let watch = try Program(
        workingDirectory: Program.packageRoot,
        environment: ["XDG_STATE_HOME": state.url.path, "TMPDIR": temporary.url.path]
      ).start([
        "lesson", "watch", "L03", "--file", try state.write(try Self.code("Broken", of: "L03"), to: "mine.swift"),
      ])
      await watch.interrupt {
        // The program prints nothing when it starts to compile. This file is the first sign, and it disappears when the
        // compilation ends.
        let paths = FileManager.default.enumerator(atPath: temporary.url.path)?.compactMap { $0 as? String } ?? []
        return paths.contains { $0.hasSuffix("/main.swift") }
      }
      #expect(await watch.code() == 130)
      #expect(temporary.names == [])
    }

    @Test("Each call prints one more hint, and a reset of the lesson restarts the hints")
    func hints() async throws {
      let state = try TemporaryFolder()
      for number in [1, 2, 3, 3] {
        let output = try await lesson(["hint", "L03"], state: state).output
        #expect(output.hasPrefix("Hint \(number) of 3: "))
        #expect(output.contains("That was the last hint.") == (number == 3))
      }
      let reset = try await lesson(["reset", "L03"], state: state).output
      #expect(reset.hasPrefix("cleared your progress in L03\n") && reset.contains("git checkout scenarios/lessons/L03"))
      #expect(try await lesson(["hint", "L03"], state: state).output.hasPrefix("Hint 1 of 3: "))
    }

    /// Creates a checkout with one lesson, whose program the learner has changed.
    private static func checkout(_ id: String, _ program: String?) throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      let name = try #require(
        try FileManager.default.contentsOfDirectory(atPath: lessons.path).first { $0.hasPrefix(id) })
      let lesson = folder.url.appending(path: "scenarios/lessons")
      try FileManager.default.createDirectory(at: lesson, withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: lessons.appending(path: name), to: lesson.appending(path: name))
      _ = try folder.write("", to: "Package.swift")
      let file = lesson.appending(path: "\(name)/\(id)Broken.swift")
      try FileManager.default.removeItem(at: file)
      if let program { try Data(program.utf8).write(to: file) }
      return folder
    }

    @Test("A lesson runs the compiled program even if its source has changed, and says so")
    func changedProgram() async throws {
      let state = try TemporaryFolder()
      let code = try Self.code("Broken", of: "L03")
      let note =
        "This runs the compiled program, not your L03Broken.swift; `fetcher lesson solve\nL03` judges your file.\n"
      let original = try Self.checkout("L03", code)
      let untouched = try await lesson(["break", "L03"], state: state, in: original.url)
      let changed = try Self.checkout("L03", code.replacing("    screen.show(image)\n", with: "\n\n    _ = image\n"))
      let broken = try await lesson(["break", "L03"], state: state, in: changed.url)
      #expect(broken.code == 0, "\(broken.notes)")
      #expect(!untouched.output.contains("compiled"))
      #expect(untouched.output.contains("> 30      screen.show(image)\n"))
      #expect(broken.output == note + "\n" + untouched.output)
      #expect(try await lesson(["run", "L03"], state: state, in: changed.url).output.hasPrefix(note))
      #expect(try await lesson(["step", "L03"], state: state, in: changed.url).output.hasPrefix(note))
      for (folder, name) in [(original.url, "unchanged"), (changed.url, "kept; you have changed it")] {
        let start = try await lesson(["start", "L03"], state: state, in: folder).output
        #expect(
          start.contains("\nyour file: scenarios/lessons/L03-last-answer-wins/L03Broken.swift (\(name))\n"), "\(start)")
      }
    }

    @Test("A moved executable still runs a lesson, but without source lines")
    func movedExecutable() async throws {
      let folder = try TemporaryFolder()
      let moved = try await Program(executable: Program.copied(to: folder.url), workingDirectory: Program.packageRoot)
        .run(["lesson", "break", "L03"])
      #expect(moved.code == 0, "\(moved.notes)")
      #expect(moved.output.contains("✗ B is selected, but A is shown\n") && moved.output.contains("\nWhy: "))
      #expect(!moved.output.contains("\n>"))
    }

    @Test(
      "If a lesson's program is missing, the error names the command that restores it", arguments: ["start", "solve"])
    func missingProgram(_ action: String) async throws {
      let (state, checkout) = (try TemporaryFolder(), try Self.checkout("L03", nil))
      let outcome = try await lesson([action, "L03"], state: state, in: checkout.url)
      #expect(outcome.code == 4)
      #expect(outcome.notes.contains("the file does not exist. To restore it: git checkout scenarios/lessons/L03"))
    }

    @Test("`--file` accepts only a Swift file that exists", arguments: ["solve", "watch"])
    func wrongFile(_ action: String) async throws {
      let state = try TemporaryFolder()
      for (path, reason) in [(state.url.path, "is a folder"), (state.url.path + "none.swift", "does not exist")] {
        let outcome = try await lesson([action, "L03", "--file", path], state: state)
        #expect(outcome.code == 4)
        #expect(outcome.notes.hasPrefix("error: --file: \(path) \(reason); choose a Swift file"), "\(outcome.notes)")
      }
    }

    @Test("`lesson show --diff` labels both sides, and reports equal versions")
    func difference() async throws {
      let state = try TemporaryFolder()
      let original = try Self.checkout("L03", Self.code("Broken", of: "L03"))
      let repaired = try Self.checkout("L03", Self.code("Fixed", of: "L03"))
      let broken = try await lesson(["show", "L03", "--diff"], state: state, in: original.url)
      #expect(broken.output.contains("-  yours: ") && broken.output.contains("+  ours:  "))
      #expect(broken.output.contains("\n+      guard selected"))
      let same = try await lesson(["show", "L03", "--diff"], state: state, in: repaired.url)
      #expect(same.output == "Your version equals ours.\n")
    }

    @Test("A lesson can be started by its id or name, and each page names the next step")
    func wayOnward() async throws {
      let state = try TemporaryFolder()
      let edit =
        "\nNext: edit scenarios/lessons/L03-last-answer-wins/L03Broken.swift,\nthen `fetcher lesson solve L03`\n"
      let start = try await lesson(["start", "L03"], state: state)
      #expect(try await lesson(["l03"], state: state).output == start.output)
      #expect(start.output.hasSuffix("\nNext: `fetcher lesson predict L03`\n"))
      #expect(try await lesson(["break", "L03"], state: state).output.hasSuffix(edit))
      #expect(start.output.contains("First predict: does it always work? If not, which order"))
      #expect(start.output.contains("`runtime.workers.schedule { }`"))
      let end =
        "Begin with: fetcher lesson start L01\nIf you know queues and locks well, begin with L04, and go on with sitting 3.\n"
      #expect(try await lesson(["list"], state: state).output.hasSuffix(end))
      let number = try await lesson(["start", "3"], state: state)
      #expect(number.code == 2)
      #expect(number.notes.contains("did you mean \"L03\"?\n`fetcher lesson --help`"))
    }

    @Test("`lesson reset` counts the solved lessons and explains how to restore the files")
    func forgetting() async throws {
      let state = try TemporaryFolder()
      let folder = state.url.appending(path: "swift-fetcher-lab")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(#"{"solved": ["L01", "L03"], "hints": {}}"#.utf8).write(to: folder.appending(path: "lessons.json"))
      #expect(try await lesson(["list"], state: state).output.hasSuffix("Go on with: fetcher lesson start L02\n"))
      let outcome = try await lesson(["reset"], state: state)
      #expect(
        outcome.output
          == "cleared your progress in 2 solved lessons\n"
          + "Your files stay as before. To restore all files: git checkout 'scenarios/lessons/*Broken.swift'\n")
      #expect(try await lesson(["reset"], state: state).output.hasPrefix("cleared your progress in 0 solved lessons\n"))
    }

    @Test("A prediction is kept, and run and break compare it")
    func predicting() async throws {
      let state = try TemporaryFolder()
      #expect(try await !lesson(["break", "L03"], state: state).output.contains("predicted"))
      // The standard input is empty: the question is shown, and no prediction is recorded.
      let asked = try await lesson(["predict", "L03"], state: state)
      #expect(asked.output.contains("\n  3  B is selected, but A is shown\n  4  all checks pass, in every order\n"))
      #expect(asked.output.hasSuffix("No prediction was recorded.\n"))
      let kept = try await lesson(["predict", "L03", "3"], state: state)
      #expect(kept.output.hasPrefix("Your prediction is kept: B is selected, but A is shown\n"))
      #expect(
        try await lesson(["run", "L03"], state: state).output.contains(
          "You predicted: B is selected, but A is shown. This order does not show it.\n"))
      #expect(
        try await lesson(["break", "L03"], state: state).output.contains(
          "\n✓ You predicted: B is selected, but A is shown. You were right.\n"))
      _ = try await lesson(["predict", "L03", "A", "stays"], state: state)
      #expect(
        try await lesson(["break", "L03"], state: state).output.contains(
          "\nYou predicted: A stays. Compare this with the order above.\n"))
      let wrong = try await lesson(["predict", "L03", "9"], state: state)
      #expect(wrong.code == 2)
      #expect(wrong.notes.contains("choose an outcome from 1 to 4"))
      _ = try await lesson(["reset", "L03"], state: state)
      #expect(try await !lesson(["break", "L03"], state: state).output.contains("predicted"))
    }

    @Test("`lesson list` shows the course and the learner's position, as text or as JSON")
    func course() async throws {
      let state = try TemporaryFolder()
      let folder = state.url.appending(path: "swift-fetcher-lab")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // A file of an earlier version, without predictions.
      try Data(#"{"solved": ["L01"], "hints": {"L02": 2}}"#.utf8).write(to: folder.appending(path: "lessons.json"))
      _ = try await lesson(["predict", "L02", "1"], state: state)
      let list = try await lesson(["list"], state: state)
      #expect(list.output.contains("\n✓ L01 ") && list.output.contains("\n→ L02 "))
      #expect(list.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
      struct Course: Decodable {
        struct Lesson: Decodable {
          struct Prediction: Decodable { let isRight: Bool? }
          let id: String
          let solved: Bool
          let hints, minutes, sitting: Int
          let after: [String]
          let prediction: Prediction?
        }
        let lessons: [Lesson]
        let solved: Int
        let next: String
      }
      let json = try await lesson(["list", "--json"], state: state)
      let course = try JSONDecoder().decode(Course.self, from: Data(json.output.utf8))
      #expect(course.next == "L02" && course.solved == 1)
      let second = try #require(course.lessons.first { $0.id == "L02" })
      #expect(second.hints == 2 && !second.solved && second.sitting == 1 && second.after == ["L01"])
      #expect(second.prediction?.isRight == true)
      #expect(try await lesson(["run", "L03", "--json"], state: state).code == 2)
    }

    @Test(
      "The output of a lesson fits into 80 columns", arguments: ["start", "predict", "run", "break", "show", "check"])
    func width(_ action: String) async throws {
      let state = try TemporaryFolder()
      for id in LongTests.some(of: ["L03", "L11", "L13", "X2", "X3"], every: 3) {
        let outcome = try await lesson([action, id], state: state)
        #expect(outcome.code == 0)
        for line in outcome.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
      }
    }

    @Test(
      "Without a checkout, the error names the folder that the program searched",
      arguments: [["list"], ["start", "L03"]])
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
