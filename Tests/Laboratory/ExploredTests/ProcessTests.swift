#if SwiftExecutors && os(Linux) && compiler(>=6.3) && compiler(<6.4)
  import Foundation
  import TestMachine
  import Testing

  @testable import ScheduleExplorerTesting

  /// A run of this test program, as a user starts it.
  struct TestRun {
    let code: Int32
    let output: String

    /// Runs the tests that the filter selects.
    init(_ filter: String, _ variables: [String: String] = [:], _ arguments: [String] = []) async throws {
      (code, output) = try await onThread {
        let process = Self.process(filter, variables, arguments)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
      }
    }

    static func process(_ filter: String, _ variables: [String: String], _ arguments: [String] = []) -> Process {
      let process = Process()
      process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["--testing-library", "swift-testing", "--filter", filter] + arguments
      // A build server sets variables that change the output.
      let own = ProcessInfo.processInfo.environment.filter { name, _ in
        name != "CI" && !name.hasPrefix("GITHUB") && !name.hasPrefix("EXPLORE")
      }
      process.environment = own.merging([Fixtures.variable: "1", "EXPLORE_RECORD": "off"]) { $1 }.merging(variables) {
        $1
      }
      return process
    }
  }

  /// A folder that exists as long as the object.
  final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
      path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func text(_ name: String) throws -> String { try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }
  }

  /// One run of a failing test, with all the settings of a build server.
  struct ServerRun {
    static let shared = Task.detached { try await ServerRun() }

    let run: TestRun
    let folder: TemporaryFolder

    init() async throws {
      folder = try TemporaryFolder()
      let path = folder.path
      try "".write(toFile: "\(path)/summary", atomically: true, encoding: .utf8)
      run = try await TestRun(
        "TableFixtures/findsLastSelection",
        [
          "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "\(path)/summary",
          "EXPLORE_REPORT": "\(path)/reports",
          "EXPLORE_RECORD": "\(path)/orders",
        ], ["--xunit-output", "\(path)/results.xml", "--attachments-path", path])
    }
  }

  @Suite("Explored tests in a test run", .exploresSwift) struct ProcessTests {
    @Test("The report of a failure shows its values, its order and the replay command in at most 40 lines")
    func failure()
      async throws
    {
      let output = try await ServerRun.shared.value.run.output
      #expect(try await ServerRun.shared.value.run.code != 0)
      let lines = output.split(separator: "\n").filter { !$0.hasPrefix("::error") }
      #expect(lines.count <= 40)
      #expect(lines.count { $0.contains("recorded an issue at Fixtures.swift:") } == 1)
      #expect(output.contains(#"Expectation failed: (model.text → "sunny in Oslo") == "sunny in Rome""#))
      #expect(output.contains("load Rome: SlowService.forecast(for:) Fixtures.swift:"))
      #expect(
        output.contains("Fails if “load Rome wakes” on tasks runs before “load Oslo wakes” on tasks; passes if after."))
      #expect(output.contains("Replay: EXPLORE_REPLAY='O1."), "\(output)")
    }

    @Test("On GitHub, a failure has three annotations, and the first states the failed expectation") func annotations()
      async throws
    {
      let output = try await ServerRun.shared.value.run.output
      let lines = output.split(separator: "\n").filter { $0.hasPrefix("::error file=") }
      #expect(lines.count == 3)
      #expect(lines.allSatisfy { $0.contains("ExploredTests/Fixtures.swift,line=") })
      #expect(lines.first?.contains("title=TableFixtures/findsLastSelection()::Expectation failed") == true)
    }

    @Test("The job summary, the report file and the attachment show the table of the failing order") func files()
      async throws
    {
      let folder = try await ServerRun.shared.value.folder
      for name in ["summary", "reports/TableFixtures.findsLastSelection.txt", "TableFixtures.findsLastSelection.txt"] {
        #expect(try folder.text(name).contains("load Rome wakes"), "\(name)")
      }
    }

    @Test("A run on a build server does not store the failing order") func server() async throws {
      let folder = try await ServerRun.shared.value.folder
      #expect(!FileManager.default.fileExists(atPath: folder.path + "/orders"))
    }

    @Test("The xUnit file counts a failing explored test once") func xunit() async throws {
      let text = try await ServerRun.shared.value.folder.text("results.xml")
      #expect(text.contains(#"failures="1""#), "\(text)")
      #expect(text.contains("findsLastSelection"))
    }

    @Test("The printed token replays the failing order, and the repaired test passes in that order") func replay()
      async throws
    {
      let output = try await ServerRun.shared.value.run.output
      let token = try #require(output.firstMatch(of: /EXPLORE_REPLAY='([^']+)'/)).1
      let run = try await TestRun("TableFixtures/findsLastSelection", ["EXPLORE_REPLAY": String(token)])
      #expect(run.code != 0)
      #expect(
        run.output.contains(#"(model.text → "sunny in Oslo")"#) && run.output.contains("Replayed this order."),
        "\(run.output)")
      let fixed = try await TestRun("TableFixtures/lastSelection", ["EXPLORE_REPLAY": String(token)])
      #expect(fixed.code == 0, "\(fixed.output)")
      #expect(fixed.output.contains("… TableFixtures/lastSelection(): the replayed order passes\n"), "\(fixed.output)")
    }

    @Test("The printed token replays random numbers, and the same seed is in the stored order") func numbers()
      async throws
    {
      let folder = try TemporaryFolder()
      let variables = ["EXPLORE_RECORD": folder.path]
      let found = try await TestRun("TableFixtures/findsRandomDelayThatIsTooLong", variables)
      let token = String(try #require(found.output.firstMatch(of: /EXPLORE_REPLAY='([^']+)'/)).1)
      #expect(token.contains("~"))
      #expect(try folder.text("TableFixtures.findsRandomDelayThatIsTooLong.txt").contains(token))
      for _ in 1...3 {
        let run = try await TestRun("TableFixtures/findsRandomDelayThatIsTooLong", ["EXPLORE_REPLAY": token])
        #expect(run.code != 0 && run.output.contains(#"(journal.text → "") == "loaded""#), "\(run.output)")
      }
    }

    @Test("If the replayed order can no longer happen, the closest one runs, and a warning says so") func changed()
      async throws
    {
      let run = try await TestRun("TableFixtures/lastSelection", ["EXPLORE_REPLAY": "E1.-~8.1785316b"])
      #expect(run.code == 0, "\(run.output)")
      #expect(run.output.contains("The replayed order can no longer happen, so the closest one ran."), "\(run.output)")
      #expect(run.output.contains("The chosen items differ") && !run.output.contains("--loose"), "\(run.output)")
      #expect(run.output.contains("… TableFixtures/lastSelection(): the closest order passes\n"), "\(run.output)")
      let broken = try await TestRun("TableFixtures/findsLastSelection", ["EXPLORE_REPLAY": "E1.0:1,1:1.1785316b"])
      #expect(broken.output.contains("can no longer happen"), "\(broken.output)")
    }

    @Test("A test that is not deterministic fails without a token, and no order is stored") func nondeterminism()
      async throws
    {
      let folder = try TemporaryFolder()
      let run = try await TestRun("ProcessFixtures/remembersRuns", ["EXPLORE_RECORD": folder.path + "/orders"])
      #expect(run.code != 0 && run.output.contains("the same schedule led to a different run"), "\(run.output)")
      #expect(!run.output.contains("EXPLORE_REPLAY") && !run.output.contains("Replayed this order"), "\(run.output)")
      #expect(!FileManager.default.fileExists(atPath: folder.path + "/orders"))
    }

    @Test("A passing test states how many orders ran") func passing() async throws {
      let run = try await TestRun("TableFixtures/actor")
      #expect(run.code == 0)
      #expect(
        run.output.contains(/… TableFixtures\/actor\(\): passes in \d+ orders, among them all \d+ orders of jobs/))
    }

    @Test("A stored order runs first, and an order that can no longer happen is reported") func stored() async throws {
      let folder = try TemporaryFolder()
      let variables = ["EXPLORE_RECORD": folder.path]
      let name = "TableFixtures.findsLastSelection.txt"
      _ = try await TestRun("TableFixtures/findsLastSelection", variables)
      let stored = try folder.text(name)
      #expect(stored.split(separator: "\n").count == 1)
      #expect(stored.contains("load Rome") && stored.contains("sunny in Oslo"))
      try ("O1.no such item@tasks<other@tasks\t0\t2026-01-01\tgone\n" + stored)
        .write(toFile: "\(folder.path)/\(name)", atomically: true, encoding: .utf8)
      let again = try await TestRun("TableFixtures/findsLastSelection", variables)
      #expect(again.output.contains("This order is stored in .explored"), "\(again.output)")
      #expect(again.output.contains("A stored order can no longer happen"))
      #expect(again.output.contains("no item that ran matches “no such item” on tasks"))
      #expect(try folder.text(name).split(separator: "\n").count == 2)
    }

    @Test("EXPLORE=off runs each test once, and one note says so") func off() async throws {
      let run = try await TestRun("(TableFixtures/lastSelection|ProcessFixtures/passes)", ["EXPLORE": "off"])
      #expect(run.code == 0)
      #expect(run.output.components(separatedBy: "Each explored test runs once.").count == 2)
    }

    @Test("EXPLORE=virtual runs each test in one order, on virtual time") func virtual() async throws {
      let run = try await TestRun("TableFixtures/(findsLastSelection|timeLimit)", ["EXPLORE": "virtual"])
      #expect(run.code == 0, "\(run.output)")
    }

    @Test("An invalid environment variable fails the run with a one-sentence error") func wrongVariable() async throws {
      let run = try await TestRun("ProcessFixtures/passes", ["EXPLORE_SCHEDULES": "many"])
      #expect(run.code != 0)
      #expect(run.output.contains("EXPLORE_SCHEDULES is “many”, but must be a number above zero."))
    }

    @Test("A call to exploreSwift in an ordinary test fails, and suggests the trait `.explored`") func misuse()
      async throws
    {
      let run = try await TestRun("ProcessFixtures/(plainSearch|searchInSearch|passes)")
      #expect(run.output.contains("Mark the test with @Test(.explored)"), "\(run.output)")
      #expect(run.output.contains("exploreSwift is already running in this process"))
      #expect(run.output.contains("Test passes() passed"))
      #expect(run.output.contains("2 issues"))
    }

    @Test("If the test process is killed, its child processes end as well") func interrupt() async throws {
      let process = TestRun.process("ProcessFixtures/endless", [:])
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      let child = try await onThread { try firstChild(of: process.processIdentifier) }
      // The children do not receive this signal. A terminal sends Ctrl-C to them as well.
      kill(process.processIdentifier, SIGKILL)
      try await onThread {
        process.waitUntilExit()
        // One second on an idle machine. A process that has ended remains until the system collects it.
        let end = ContinuousClock.now + .seconds(10)
        while isRunning(child), .now < end { usleep(10_000) }
      }
      #expect(!isRunning(child))
    }

    @Test("A child process that exceeds its time limit is killed") func late() async throws {
      let search = ChildSearch(
        name: "endless", filter: "ProcessFixtures/endless", isParameterized: false, limit: .milliseconds(700),
        isCancelled: Flag(), variables: [Fixtures.variable: "1"])
      let result = try await onThread { search.run() }
      #expect(result.problems.count == 1 && result.problems[0].hasPrefix("Time limit was exceeded: 0.7 seconds"))
    }

    @Test("A test that exceeds its .timeLimit fails with an issue that names the limit", .long) func timeLimit()
      async throws
    {
      let begin = ContinuousClock.now
      let run = try await TestRun("ProcessFixtures/overTime")
      #expect(run.code != 0 && run.output.contains("Time limit was exceeded: 60"), "\(run.output)")
      #expect(run.output.split(separator: "\n").count <= 40, "\(run.output)")
      #expect(begin.duration(to: .now) < .seconds(90))
    }

    @Test("A search in a child process maps no file in this one") func maps() async throws {
      let isMapped = Flag()
      let search = ChildSearch(
        name: "endless", filter: "ProcessFixtures/endless", isParameterized: false, limit: .milliseconds(300),
        isCancelled: Flag(), variables: [Fixtures.variable: "1"])
      let isOver = Flag()
      let watch = Thread {
        while !isOver.isRaised {
          let maps = FileManager.default.contents(atPath: "/proc/self/maps") ?? Data()
          if String(decoding: maps, as: UTF8.self).contains("/explored-") { isMapped.raise() }
          Thread.sleep(forTimeInterval: 0.01)
        }
      }
      watch.start()
      _ = try await onThread { search.run() }
      isOver.raise()
      #expect(!isMapped.isRaised)
    }

    @Test("A cancelled test kills its child process") func cancel() async throws {
      let flag = Flag()
      flag.raise()
      let search = ChildSearch(
        name: "endless", filter: "ProcessFixtures/endless", isParameterized: false, limit: nil, isCancelled: flag,
        variables: [Fixtures.variable: "1"])
      let result = try await onThread { search.run() }
      #expect(result.problems.isEmpty && result.reports.isEmpty)
    }

    @Test("The number of concurrent child processes stays within its limit") func seats() async {
      let seats = ChildSeats(2)
      let counter = Maximum()
      await withTaskGroup { group in
        for _ in 0..<20 {
          group.addTask {
            await seats.withSeat {
              await counter.begin()
              for _ in 0..<9 { await Task.yield() }
              await counter.end()
            }
          }
        }
      }
      #expect(await counter.most == 2)
    }

    @Test("Environment variables change the settings of the search") func variables() {
      let environment = ExploredEnvironment([
        "EXPLORE_SCHEDULES": "7", "EXPLORE_SECONDS": "3", "EXPLORE_SEED": "5", "EXPLORE_SHARD": "2/8",
      ])
      let settings = ExploredTrait.explored.settings.changed(by: environment)
      #expect(settings.schedules == 7 && settings.time == .seconds(3) && settings.seed == 5 && settings.shard == "2/8")
      #expect(environment.records && environment.problems.isEmpty)
      #expect(!ExploredEnvironment(["CI": "true", "EXPLORE_RECORD": "on"]).records)
      #expect(ExploredEnvironment(["EXPLORE": "maybe", "EXPLORE_SHARD": "9/8"]).problems.count == 2)
    }
  }

  /// Waits for the first child of a process, and returns it.
  private func firstChild(of process: pid_t) throws -> pid_t {
    while true {
      let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
      for thread in threads {
        let text = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)
        if let child = text?.split(separator: " ").first.flatMap({ pid_t($0) }) { return child }
      }
      usleep(10_000)
    }
  }

  /// Returns whether a process exists that has not ended.
  private func isRunning(_ process: pid_t) -> Bool {
    let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return status.map { !$0.contains(") Z ") } ?? false
  }

  private actor Maximum {
    private var current = 0
    private(set) var most = 0

    func begin() {
      current += 1
      most = max(most, current)
    }

    func end() { current -= 1 }
  }

  /// The trait, as a user writes it.
  @Suite("The trait `.explored` in the tests of this process", .exploresSwift) struct TraitTests {
    @Test("The sum of a group is the same in every order of its tasks", .explored) func group() async {
      let sum = await withTaskGroup(of: Int.self) { group in
        for number in 1...2 { group.addTask { number } }
        return await group.reduce(0, +)
      }
      #expect(sum == 3)
    }

    @Test("The trait `.explored` applies to each argument of a test", .explored, arguments: [1, 2]) func arguments(
      _ number: Int
    ) async {
      async let value = number
      #expect(await value == number)
    }
  }
#endif
