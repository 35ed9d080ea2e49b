import Foundation
import TestMachine
import Testing

extension BuiltProgram {
  /// The command `fetcher explore`: what it finds, replays and rejects.
  @Suite struct ExploreTests {
    /// Two responses for which the file expects an order. The order holds in the default schedule, but not in every
    /// schedule.
    private static let race = #"""
      {"scenario": 1, "name": "race", "timing": "any",
       "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
       "origin": {"default": {"latency": "60ms"}},
       "steps": [
        {"at": "0ms", "do": "appear", "view": "left"}, {"at": "0ms", "do": "select", "image": "A", "view": "left"},
        {"at": "0ms", "do": "appear", "view": "right"}, {"at": "0ms", "do": "select", "image": "B", "view": "right"}],
       "expect": [{"order": [{"event": "fetch.done", "image": "A"}, {"event": "fetch.done", "image": "B"}]}]}
      """#

    private static let page = "ScheduleExplorer.docc/WhatItCannotFind.md"

    private func explore(_ words: String..., in folder: TemporaryFolder) async throws -> Program.Outcome {
      _ = try folder.write(Self.race, to: "race.json")
      return try await Program(workingDirectory: folder.url).run(["explore"] + words)
    }

    /// The report of one search, which several tests read.
    private static let found = Task {
      let folder = try TemporaryFolder()
      _ = try folder.write(race, to: "race.json")
      return try await Program(workingDirectory: folder.url).run("explore", "race.json", "--budget", "500")
    }

    @Test("A fetch whose request a schedule delays past the deadline is not called lost")
    func delayedRequest() async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(
        #"""
        {"scenario": 1, "name": "quick", "limits": {"deadline": "5s"},
         "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
         "steps": [
          {"at": "0ms", "do": "appear"}, {"at": "100ms", "do": "select", "image": "A"},
          {"at": "3s", "do": "select", "image": "B"}, {"at": "6s", "do": "select", "image": "A"},
          {"at": "9s", "do": "wait-idle"}]}
        """#, to: "quick.json")
      let outcome = try await Program(workingDirectory: folder.url).run(
        "explore", "quick.json", "--strategy", "dataTask", "--budget", "500")
      #expect(outcome.code == 0, "\(outcome.output)")
      // The report lists the outcomes, the most frequent one first.
      #expect(
        outcome.output.contains(/outcomes;.*(\n.*)?\n    \d+ schedules: detail: A, A: loaded, B: loaded\n/),
        "\(outcome.output)")
    }

    @Test("A search that its time limit ends says so")
    func timeLimit() async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(
        Self.race.replacing(/,\s*"expect".*\]\}/, with: "}"), to: "race.json")
      let outcome = try await Program(workingDirectory: folder.url).run(
        "explore", "race.json", "--seconds", "1", "--budget", "1000000000")
      #expect(outcome.code == 0, "\(outcome.output)")
      #expect(outcome.output.contains("The time limit of 1s ended the search; a larger --seconds continues it"))
    }

    @Test("The report describes the smallest failing schedule, and a token that does not fit is rejected")
    func finding() async throws {
      let folder = try TemporaryFolder()
      let outcome = try await Self.found.value
      #expect(outcome.code == 1)
      // The message begins with the place of the expectation, and a mark follows the item that shows the failure.
      #expect(
        outcome.output.contains(/^broken    race  dataTask\n  race\.json:\d+:\d+: order: expected fetch.done image=B/))
      #expect(
        outcome.output.contains(/\n +(\d+)  fetch\.done B dataTask\n  ✗ item \1: order: expected/), "\(outcome.output)")
      #expect(outcome.output.contains("minimal: no schedule with fewer than"))
      #expect(outcome.output.contains("step 4: view.select B right; ui.update B right placeholder\n"))
      #expect(
        outcome.output.contains("Fails if “answer B” on network runs before “answer A” on network; passes if after."))
      #expect(
        outcome.output.contains("\n  This is based on one comparison, with a schedule that swaps these two items."))
      let token = try #require(outcome.output.firstMatch(of: /--replay (E1\S+)/)).1
      let bent = try await explore("race.json", "--replay", "E1.900:1", in: folder)
      #expect(bent.code == 5)
      #expect(bent.notes.hasPrefix("error: --replay: the token does not fit race.json ("))
      #expect(bent.notes.contains("fewer than the token"))
      #expect(!bent.notes.contains("ended early"))
      // The requests of socket are answered in the same pieces, so the schedule fits.
      let other = try await explore("race.json", "--strategy", "socket", "--replay", String(token), in: folder)
      #expect(other.code == 5)
      #expect(other.notes.contains("the program has changed, or the token belongs to another one"))
    }

    @Test(
      "The printed commands replay the smallest failing schedule if they are pasted into a shell",
      arguments: LongTests.some(of: [#"-x $(touch x) it's "x""#, "a\u{1B}[31mb\nc"], every: 2))
    func pasted(_ name: String) async throws {
      let folder = try TemporaryFolder()
      let inner = folder.url.appending(path: name)
      try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
      try Data(Self.race.utf8).write(to: inner.appending(path: "race.json"))
      let program = Program(workingDirectory: folder.url)
      let page = "\(name)/page\u{1B}.html"
      let outcome = try await program.run([
        "explore", "--strategy", "async", "--html=\(page)", "--", "\(name)/race.json",
      ])
      let printed = outcome.output + outcome.notes
      #expect(!printed.contains("\u{1B}"))
      let commands = outcome.output.matches(of: #/  (fetcher explore .+)/#).map { String($0.1) }
      #expect(commands.count == 2, "\(printed)")
      var shell = Program(executable: URL(filePath: "/bin/sh"), workingDirectory: folder.url)
      shell.environment = ["PATH": Program.built.deletingLastPathComponent().path + ":/usr/bin:/bin"]
      for command in commands {
        let replay = try await shell.run("-c", command)
        #expect(replay.code == 1, "\(command): \(replay.notes)")
        #expect(replay.output.contains("order: expected fetch.done image=B"))
      }
      #expect(folder.names == [name])
    }

    @Test("A report is 100 columns wide, but its commands do not wrap")
    func width() async throws {
      let outcome = try await Self.found.value
      let lines = outcome.output.split(separator: "\n")
      #expect(
        lines.allSatisfy { $0.count <= 100 || $0.hasPrefix("    fetcher explore race.json ") }, "\(outcome.output)")
      #expect(outcome.output.replacing(/\n +/, with: " ").contains("but it happened earlier (event"))
    }

    @Test("The finding is the step whose awaited event never comes, not what follows from it")
    func waitingInVain() async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(
        #"""
        {"scenario": 1, "name": "vain", "timing": {"slack": "100ms"}, "images": [{"id": "A", "path": "/a.png"}],
         "origin": {"routes": [{"path": "/a.png", "responses": [{"status": 503, "latency": "50ms"}, {}]}]},
         "steps": [
          {"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A"},
          {"at": "40ms", "do": "note", "text": "x"},
          {"after": {"event": "fetch.failed", "image": "A"}, "plus": "100ms", "do": "select", "image": "A"}],
         "expect": [{"final": {"detail.shown": "A"}}]}
        """#, to: "vain.json")
      let outcome = try await explore("vain.json", "--budget", "500", in: folder)
      #expect(outcome.code == 1)
      #expect(
        outcome.output.hasPrefix(
          "broken    vain  dataTask\n  vain.json:6:3: step 4 of the file: it waits for fetch.failed image=A, which had already"
        ),
        "\(outcome.output)")
    }

    @Test("The report prints the reason of the expectation, and that a search does not measure the longest time")
    func reasonAndTimes() async throws {
      let folder = try TemporaryFolder()
      let reason = Self.race.replacing(#"{"order": ["#, with: #"{"why": "A was first.", "order": ["#)
      _ = try folder.write(reason.replacing("race", with: "reason"), to: "reason.json")
      let broken = try await explore("reason.json", "--strategy", "dataTask", in: folder)
      #expect(
        broken.output.contains(/but it happened\s+earlier \(event .*\)\n    A was first\.\n  found by/),
        "\(broken.output)")
      _ = try folder.write(
        #"""
        {"scenario": 1, "name": "limit", "timing": {"slack": "100ms"}, "images": [{"id": "A", "path": "/a.png"}],
         "origin": {"default": {"latency": "250ms"}},
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}],
         "expect": [{"within": {"event": "ui.update", "shown": "A", "limit": "300ms"}}]}
        """#, to: "limit.json")
      let limit = try await explore("limit.json", "--budget", "200", in: folder)
      #expect(limit.code == 0)
      #expect(limit.output.contains("so the search does not find the\n    longest time"), "\(limit.output)")
    }

    @Test("The report states that a search with exact timing judges only the invariants")
    func invariantsOnly() async throws {
      let folder = try TemporaryFolder()
      let calm = Self.race.replacing(#""timing": "any""#, with: #""timing": "exact""#)
      _ = try folder.write(calm.replacing("race", with: "calm"), to: "calm.json")
      let line =
        "Only the invariants were judged. To judge the file's expectations as well, set \"timing\" to"
        + "\n    {\"slack\": \"100ms\"} or \"any\"\n"
      let outcome = try await explore("calm.json", "--bound", "0", in: folder)
      #expect(outcome.code == 0)
      #expect(outcome.output.contains(line), "\(outcome.output)")
      #expect(outcome.output.contains(/^survived  calm .*  \(expectations not judged\)\n/), "\(outcome.output)")
      let small = try await explore("calm.json", "--small-scope", "1", in: folder)
      #expect(small.output.contains(/^survived  calm .*  \(expectations not judged\)\n/), "\(small.output)")
      let judged = try await explore("race.json", "--bound", "0", in: folder)
      #expect(!judged.output.contains("Only the invariants") && !judged.output.contains("not judged"))
    }

    @Test("The JSON report states that a file without an expected order survives all schedules")
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
      #expect((figures["bound"] as? [String: Any])?["deviations"] as? Int == 1)
      #expect(run["notVaried"] as? String == Self.page)
    }

    @Test("A report states what the search ordered, and names the page about its limits once")
    func limits() async throws {
      let folder = try TemporaryFolder()
      let line = "what the search does not vary: \(Self.page)\n"
      let calm = Self.race.replacing(#""timing": "any""#, with: #""timing": "exact""#)
      for name in ["one", "other"] { _ = try folder.write(calm.replacing("race", with: name), to: "\(name).json") }
      let both = try await explore("one.json", "other.json", "--bound", "1", in: folder)
      #expect(both.output.hasSuffix(" broken\n\(line)") && both.output.components(separatedBy: line).count == 2)
      #expect(both.output.contains(/all \d+ orders of whole items with at most 1 deviation;/))
      #expect(try await explore("one.json", "--bound", "0", "--quiet", in: folder).output == "")
      for shard in ["1", "2"] {
        let part = try await explore("one.json", "--bound", "1", "--json", "--shard", "\(shard)/2", in: folder)
        _ = try folder.write(part.output.replacing(#/\n *"notVaried" : ".*",/#, with: ""), to: "\(shard).report")
      }
      let merged = try await explore("--merge", "1.report", "2.report", in: folder)
      #expect(merged.output.hasSuffix(line))
      #expect(merged.output.contains(/all \d+ orders of whole items with at most 1 deviation;/))
      let json = try await explore("--merge", "--json", "1.report", "2.report", in: folder)
      #expect(json.output.replacing("\\/", with: "/").contains("\"notVaried\" : \"\(Self.page)\""))
    }

    @Test(
      "An invalid flag or value for `explore` is a usage error",
      arguments: [
        ["--replay", "E1.-", "--bound", "2"], ["--step", "--replay", "E1.-"],
        ["--shard", "5/4"], ["--loose"], ["--variant", "careless"], ["--budget", "none"],
      ])
    func usage(_ words: [String]) async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(Self.race, to: "race.json")
      let outcome = try await Program(workingDirectory: folder.url).run(["explore", "race.json"] + words)
      #expect(outcome.code == 2)
      #expect(outcome.output == "")
    }

    @Test("A report cannot overwrite a scenario", arguments: ["--trace", "--junit", "--html"])
    func overwriting(_ option: String) async throws {
      let folder = try TemporaryFolder()
      let outcome = try await explore("race.json", option, "./race.json", in: folder)
      #expect(outcome.code == 2)
      #expect(outcome.notes.contains("\(option) would overwrite the scenario ./race.json; choose another file"))
      #expect(try String(contentsOf: folder.url.appending(path: "race.json"), encoding: .utf8) == Self.race)
    }

    @Test(
      "A text that is not a token is rejected, and the error states the reason",
      arguments: [
        ("what", "E1.DECISIONS.CHECK"), ("L1.3:1", "E1.DECISIONS.CHECK"), ("E1.3:0", "the decisions “3:0” are not"),
        ("E1.3:1,2:1", "with ascending choices"), ("E1.3:1.xyz", "the checksum “xyz” is not a hexadecimal number"),
        ("O1.a@b", "“a@b” does not have the form BEFORE<AFTER"),
      ])
    func malformed(_ token: String, _ reason: String) async throws {
      let folder = try TemporaryFolder()
      let outcome = try await explore("race.json", "--replay", token, in: folder)
      #expect(outcome.code == 2)
      let start = "error: --replay takes a token that `fetcher explore` printed, not \"\(token)\": "
      #expect(outcome.notes.hasPrefix(start))
      #expect(outcome.notes.contains(reason))
    }

    /// Returns the JSON report without the values that differ between runs.
    private func report(_ output: String) throws -> String {
      let object = try JSONSerialization.jsonObject(with: Data(output.utf8))
      let runs = try #require((object as? [String: Any])?["runs"] as? [[String: Any]]).map { run in
        var run = run
        var figures = run["statistics"] as? [String: Any]
        figures?["schedulesPerSecond"] = nil
        run["statistics"] = figures
        return run
      }
      let data = try JSONSerialization.data(withJSONObject: runs, options: [.sortedKeys, .prettyPrinted])
      return String(decoding: data, as: UTF8.self)
    }

    @Test(
      "Four merged shard reports equal the report of one search",
      arguments: LongTests.some(of: ["exact", "any"], every: 2))
    func merge(_ timing: String) async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(Self.race.replacing("\"any\"", with: "\"\(timing)\""), to: "race.json")
      let program = Program(workingDirectory: folder.url)
      let bound = timing == "exact" && LongTests.areEnabled ? "2" : "1"
      let words = ["explore", "race.json", "--bound", bound, "--json"]
      for shard in 1...4 {
        let part = try await program.run(words + ["--shard", "\(shard)/4"])
        _ = try folder.write(part.output, to: "\(shard).report")
      }
      let reports = (1...4).map { "\($0).report" }
      let merged = try await program.run(["explore", "--merge", "--json"] + reports)
      let whole = try await program.run(words)
      #expect(merged.code == whole.code)
      if timing == "exact" {
        #expect(try report(merged.output) == report(whole.output))
      } else {
        let token = /"token" : "(\S+)"/
        #expect(try #require(merged.output.firstMatch(of: token)).1 == #require(whole.output.firstMatch(of: token)).1)
      }
      let missing = try await program.run(["explore", "--merge"] + reports.dropLast())
      #expect(missing.code == 4)
      #expect(missing.notes.contains("cover the shards 1/4, 2/4, 3/4; pass one report for each shard"))
    }

    @Test("Reports from different searches cannot be merged")
    func strangers() async throws {
      let folder = try TemporaryFolder()
      let calm = Self.race.replacing(#""timing": "any""#, with: #""timing": "exact""#)
      _ = try folder.write(calm.replacing("race", with: "calm"), to: "calm.json")
      for (shard, seed) in [("1/2", "1"), ("2/2", "7")] {
        let part = try await explore(
          "calm.json", "--bound", "1", "--json", "--shard", shard, "--seed", seed, in: folder)
        _ = try folder.write(part.output, to: "\(seed).report")
      }
      let merged = try await Program(workingDirectory: folder.url).run("explore", "--merge", "1.report", "7.report")
      #expect(merged.code == 4)
      #expect(
        merged.notes.contains(
          "the reports come from different searches: bounded(1) with seed 1, bounded(1) with seed 7; create all"))
    }

    @Test("The smallest failing run is also written as a diagram, a trace and a JUnit report")
    func otherShapes() async throws {
      let folder = try TemporaryFolder()
      let outcome = try await explore(
        "race.json", "--bound", "1", "--mermaid", "--trace", "trace.json", "--junit", "report.xml", in: folder)
      #expect(outcome.code == 1)
      let diagram = outcome.output.split(separator: "\n").filter { !$0.hasPrefix("%%") }
      #expect(diagram.first == "sequenceDiagram")
      // In the failing run, the second image arrives first.
      let done = diagram.filter { $0.contains("fetch.done") }
      #expect(
        done.first?.hasSuffix("fetch.done B dataTask") == true && done.last?.hasSuffix("fetch.done A dataTask") == true)
      let trace = try String(contentsOf: folder.url.appending(path: "trace.json"), encoding: .utf8)
      #expect(trace.contains("traceEvents") && trace.contains("race  dataTask  fixed"))
      let report = try String(contentsOf: folder.url.appending(path: "report.xml"), encoding: .utf8)
      #expect(report.contains("<testsuite name=\"fetcher explore\" tests=\"1\" failures=\"1\">"))
      #expect(report.contains("minimal: no schedule with fewer than"))
      #expect(report.contains("\nwhat the search does not vary: \(Self.page)"))
    }

    @Test(
      "Mutually exclusive flags of `explore` are a usage error",
      arguments: [["--merge", "--shard", "1/2"], ["--merge", "--mermaid"], ["--json", "--mermaid"]])
    func together(_ words: [String]) async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(Self.race, to: "race.json")
      let outcome = try await Program(workingDirectory: folder.url).run(["explore", "race.json"] + words)
      #expect(outcome.code == 2)
      #expect(outcome.notes.contains(words.contains("--merge") ? "--merge does not search" : "not both"))
    }

    @Test("With --step, the user chooses and undoes steps, and receives the token of the schedule")
    func step() async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(Self.race, to: "race.json")
      let token = try #require(try await Self.found.value.output.firstMatch(of: /--replay E1\.(\d+):(\d+)/))
      let (before, index) = (try #require(Int(token.1)), String(token.2))
      let step = { (lines: [String]) in
        _ = try folder.write(lines.joined(separator: "\n") + "\n", to: "answers")
        let command = "'\(Program.built.path)' explore race.json --strategy dataTask --step <answers"
        return try await Program(executable: URL(filePath: "/bin/sh"), workingDirectory: folder.url).run("-c", command)
      }
      let first = Array(repeating: "", count: before)
      let broken = try await step(first + [index, "f"])
      #expect(broken.code == 1)
      #expect(broken.output.contains("The run fails: order: expected fetch.done image=B"))
      #expect(broken.output.hasSuffix("--replay E1.\(before):\(index)\n"))
      #expect(broken.output.contains("     ran answer B\n"))
      let undone = try await step(first + [index, "u", "nonsense", "0", "f"])
      #expect(undone.code == 0)
      #expect(undone.output.contains("The run passes."))
      #expect(undone.output.contains(", u, f or q"))
      #expect(undone.output.hasSuffix("--replay E1.-\n"))
      #expect(undone.output.contains(" steps of the scenario done\n"), "\(undone.output)")
      let later = try await step(["f", "u", "q"])
      #expect(later.code == 0)
      #expect(later.output.contains("There is no choice to undo."))
      let other = try await explore("race.json", "--step", "--json", in: folder)
      #expect(other.code == 2)
    }

    @Test(
      "With slack, a search judges the expectations for responses that are late by up to the slack",
      arguments: [("1s", 1), ("100ms", 0)])
    func slack(_ slack: String, code: Int32) async throws {
      let folder = try TemporaryFolder()
      let shipped = Program.packageRoot.appending(path: "scenarios/trusts-the-order.json")
      let text = try String(contentsOf: shipped, encoding: .utf8)
        .replacing("\"timing\": \"any\"", with: "\"timing\": {\"slack\": \"\(slack)\"}")
      _ = try folder.write(text, to: "trusts-the-order.json")
      let outcome = try await explore("trusts-the-order.json", "--bound", "1", in: folder)
      #expect(outcome.code == code)
      #expect(!outcome.output.contains("Only the invariants were judged"))
    }

    @Test(
      "With any timing, a deadline expires early only if the file sets it",
      arguments: [("", 0), (#""limits": {"deadline": "60s"},"#, 1)])
    func deadline(_ limits: String, code: Int32) async throws {
      let folder = try TemporaryFolder()
      let text = Self.race.replacing(#""origin""#, with: #"\#(limits) "origin""#)
        .replacing(/"expect": .*/, with: #""expect": [{"never": {"event": "fetch.failed"}}]}"#)
      _ = try folder.write(text.replacing("race", with: "short"), to: "short.json")
      let outcome = try await explore("short.json", "--bound", "1", in: folder)
      #expect(outcome.code == code, "\(outcome.output)\(outcome.notes)")
      #expect(outcome.output.contains("timedOut") == (code == 1))
    }

    @Test("With --step, items that only queue are labeled, and time checks are omitted")
    func queueing() async throws {
      let command =
        "printf '1\\nf\\n' | '\(Program.built.path)' explore scenarios/bus-late-listener.json --strategy dataTask "
        + "--step"
      let outcome = try await Program(executable: URL(filePath: "/bin/sh"), workingDirectory: Program.packageRoot)
        .run("-c", command)
      #expect(
        outcome.output.contains(
          "\n  1  step 2: bus.post saved arrives at main, behind is it time for step 2?\n     step 2: bus.post "
            + "saved arrived"
        ))
      #expect(outcome.output.contains("\n     ran step 2: bus.post saved\n"))
      #expect(!outcome.output.contains("ran is it"))
    }

    @Test("After Ctrl-C, a search exits with 130 and reports the completed searches")
    func interrupted() async throws {
      let folder = try TemporaryFolder()
      let calm = Self.race.replacing(#""timing": "any""#, with: #""timing": "exact""#)
      _ = try folder.write(calm.replacing("race", with: "calm"), to: "calm.json")
      _ = try folder.write(
        #"{"scenario": 1, "name": "one", "steps": [{"at": "0ms", "do": "publish", "topic": "t"}]}"#, to: "one.json")
      let program = try Program(workingDirectory: folder.url).start([
        "explore", "one.json", "calm.json", "--strategy", "dataTask", "--budget", "1000000000",
      ])
      #expect(await program.interruptAtLine() == "survived  one  dataTask")
      #expect(await program.code() == 130)
      #expect(await String(decoding: program.restOfNotes(), as: UTF8.self) == "ended early: 1 of 2 searches are done\n")
    }

    @Test(
      "A search ends if its results cannot be written",
      .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"))
    )
    func full() async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(
        #"{"scenario": 1, "name": "one", "steps": [{"at": "0ms", "do": "publish", "topic": "t"}]}"#, to: "one.json")
      _ = try folder.write(Self.race.replacing(#""timing": "any""#, with: #""timing": "exact""#), to: "race.json")
      let command = "'\(Program.built.path)' explore one.json race.json --budget 1000000000 >/dev/full"
      let outcome = try await Program(executable: URL(filePath: "/bin/sh"), workingDirectory: folder.url)
        .run("-c", command)
      #expect(outcome.code == 1)
      #expect(outcome.notes.contains("cannot write the results"))
    }

    @Test("`--smaller` names the steps and images that the failure does not need")
    func smaller() async throws {
      let folder = try TemporaryFolder()
      let appear = #"{"at": "0ms", "do": "appear", "view": "left"},"#
      let note = #"{"at": "0ms", "do": "note", "text": "of no use"},"# + "\n"
      let text = Self.race.replacing(appear, with: note + appear)
        .replacing(#""images": ["#, with: #""images": [{"id": "C", "path": "/c.png"}, "#)
      _ = try folder.write(text, to: "race.json")
      let program = Program(workingDirectory: folder.url)
      let outcome = try await program.run(["explore", "race.json", "--bound", "1", "--smaller"])
      let line = try #require(text.split(separator: "\n").firstIndex { $0.contains("of no use") }) + 1
      #expect(outcome.code == 1)
      #expect(outcome.output.contains("The failure also occurs without the steps at race.json:\(line):"))
      #expect(outcome.output.matches(of: /race\.json:\d+:\d+\b(?!: order)/).count == 1, "\(outcome.output)")
      #expect(outcome.output.contains("The failure does not need the images \"C\"."), "\(outcome.output)")
      let printed = try #require(outcome.output.firstMatch(of: /The smaller scenario:\n\n((?s:.)*\n {2}\})\n/)).1
      _ = try folder.write(String(printed), to: "race.json")
      let smaller = try await program.run(["explore", "race.json", "--bound", "1"])
      #expect(smaller.code == 1, "\(smaller.notes)")
      #expect(!printed.contains("of no use") && !printed.contains("c.png"))
    }
  }
}
