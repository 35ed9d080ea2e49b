import Foundation
import ScheduleExplorerTesting
import Synchronization
import Testing

/// Tests that the suites of this target run in child processes. `Fixtures.variable` enables them.
enum Fixtures {
  /// The number of runs of a test that outlives each of them.
  @MainActor static var runs = 0
  static let variable = "EXPLORED_FIXTURES"
  static let areEnabled = ProcessInfo.processInfo.environment[variable] != nil
}

final class SharedJournal: Sendable {
  private let entries = Mutex("")
  var text: String { entries.withLock { $0 } }

  func add(_ entry: String) { entries.withLock { $0 += entry } }
}

// MARK: The model from the guide

protocol ForecastService: Sendable { func forecast(for city: String) async throws -> String }

struct SlowService: ForecastService {
  func forecast(for city: String) async throws -> String {
    try await Task.sleep(for: .milliseconds(city == "Oslo" ? 10 : 50))
    return "sunny in \(city)"
  }
}

@MainActor final class ForecastModel {
  private(set) var city = ""
  private(set) var text = ""
  private let service: any ForecastService
  private let isFixed: Bool

  init(service: any ForecastService, isFixed: Bool = false) {
    self.service = service
    self.isFixed = isFixed
  }

  func select(_ city: String) {
    self.city = city
    Task(name: "load \(city)") {
      let text = try await service.forecast(for: city)
      if !isFixed || self.city == city { self.text = text }
    }
  }
}

// MARK: Tools

@MainActor final class Journal {
  var text = ""

  func add(_ word: String) { text += word }
}

actor Counter {
  private(set) var value = 0

  func add() { value += 1 }

  /// Reads and writes in two turns.
  func addSlowly() async {
    let old = value
    await Task.yield()
    value = old + 1
  }
}

struct Late: Error {}

/// A trait that binds a task-local value around a test.
struct SignedIn: TestTrait, TestScoping {
  @TaskLocal static var user = "nobody"

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Self.$user.withValue("Ada") { try await function() }
  }
}

// MARK: The table

/// The tests of the table. A test whose name begins with `finds` fails in one order, and every other test passes in all.
@Suite(.enabled(if: Fixtures.areEnabled)) struct TableFixtures {
  @Test(.explored, arguments: ["AB", "BA"]) @MainActor func findsBothArguments(_ forbidden: String) async {
    let journal = Journal()
    async let one: Void = journal.add("A")
    async let two: Void = journal.add("B")
    _ = await (one, two)
    #expect(journal.text != forbidden)
  }

  @Test(.explored) func findsConfirmation() async {
    await confirmation("told once") { told in
      let counter = Counter()
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            await counter.addSlowly()
            if await counter.value == 1 { told() }
          }
        }
      }
    }
  }

  @Test(.explored) func confirmed() async {
    await confirmation("told twice", expectedCount: 2) { told in
      await withTaskGroup { group in for _ in 0..<2 { group.addTask { told() } } }
    }
  }

  @Test(.explored) @MainActor func findsKnownIssueThatIsAbsent() async {
    let order = await twoTasks()
    withKnownIssue("the order is wrong") { #expect(order == "BA") }
  }

  @Test(.explored) @MainActor func knownIssue() async {
    let order = await twoTasks()
    withKnownIssue("the order may be wrong", isIntermittent: true) { #expect(order == "BA") }
  }

  @Test(.explored) @MainActor func findsRequirement() async throws {
    let order = await twoTasks()
    let index = try #require(order.firstIndex(of: "A") == order.startIndex ? 0 : nil)
    #expect(index == 0)
  }

  @Test(.explored) @MainActor func findsThrownError() async throws {
    if await twoTasks() == "BA" { throw Late() }
  }

  @Test(.explored, .timeLimit(.minutes(1))) func timeLimit() async throws {
    try await Task.sleep(for: .seconds(3_600))
  }

  @Test(.explored, SignedIn()) func taskLocals() async {
    let name = Test.current?.name
    #expect(name == "taskLocals()")
    await withTaskGroup { group in for _ in 0..<2 { group.addTask { #expect(SignedIn.user == "Ada") } } }
    await Task { #expect(SignedIn.user == "Ada" && Test.current?.name == name) }.value
    await Task.detached { #expect(SignedIn.user == "nobody") }.value
  }

  @Test(.explored) func findsLostUpdateOfActor() async {
    let counter = Counter()
    await withTaskGroup { group in for _ in 0..<2 { group.addTask { await counter.addSlowly() } } }
    #expect(await counter.value == 2)
  }

  @Test(.explored) func actor() async {
    let counter = Counter()
    await withTaskGroup { group in for _ in 0..<2 { group.addTask { await counter.add() } } }
    #expect(await counter.value == 2)
  }

  @Test(.explored) @MainActor func findsLastSelection() async throws {
    let model = ForecastModel(service: SlowService())
    model.select("Oslo")
    model.select("Rome")
    try await Task.sleep(for: .milliseconds(500))
    #expect(model.text == "sunny in Rome")
  }

  @Test(.explored) @MainActor func lastSelection() async throws {
    let model = ForecastModel(service: SlowService(), isFixed: true)
    model.select("Oslo")
    model.select("Rome")
    try await Task.sleep(for: .milliseconds(500))
    #expect(model.text == "sunny in Rome")
  }

  @Test(.explored, arguments: ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"])
  func findsEachOrderOfGroup(_ forbidden: String) async {
    let order = await withTaskGroup(of: String.self) { group in
      for name in ["A", "B", "C"] {
        group.addTask {
          try? await Task.sleep(for: .seconds(1))
          return name
        }
      }
      return await group.reduce(into: "") { $0 += $1 }
    }
    #expect(order != forbidden)
  }

  @Test(.explored, arguments: ["ab", "ba"]) func findsEachOrderOfStream(_ forbidden: String) async {
    let (stream, source) = AsyncStream<String>.makeStream()
    for name in ["a", "b"] { Task { source.yield(name) } }
    var order = ""
    for await name in stream {
      order += name
      if order.count == 2 { break }
    }
    #expect(order != forbidden)
  }

  /// A chain of sleeps is due before the test's own sleep, although another sleep has advanced the clock.
  @Test(.explored) @MainActor func ownSleepIsLast() async throws {
    let journal = Journal()
    Task {
      for _ in 0..<4 { try await Task.sleep(for: .milliseconds(100)) }
      journal.add("chain ")
    }
    Task {
      try await Task.sleep(for: .milliseconds(490))
      journal.add("long ")
    }
    try await Task.sleep(for: .milliseconds(500))
    #expect(journal.text == "chain long " || journal.text == "long chain ")
  }

  @Test(.explored) @MainActor func ownSleepEndsBeforeLongerOnes() async throws {
    let journal = Journal()
    Task {
      try await Task.sleep(for: .milliseconds(200))
      journal.add("loaded")
    }
    try await Task.sleep(for: .milliseconds(100))
    #expect(journal.text == "")
    try await Task.sleep(for: .milliseconds(200))
    #expect(journal.text == "loaded")
  }

  /// The fake network takes a random time, and the test waits long enough for most of them.
  @Test(.explored) @MainActor func findsRandomDelayThatIsTooLong() async throws {
    let journal = Journal()
    Task {
      try await Task.sleep(for: .milliseconds(.random(in: 1...20)))
      journal.add("loaded")
    }
    try await Task.sleep(for: .milliseconds(18))
    #expect(journal.text == "loaded")
  }

  @Test(.explored) @MainActor func randomDelays() async throws {
    let journal = Journal()
    for name in ["a", "b"].shuffled() {
      Task {
        try await Task.sleep(for: .milliseconds(.random(in: 1...5)))
        journal.add(name)
      }
    }
    try await Task.sleep(for: .milliseconds(8))
    #expect(["ab", "ba"].contains(journal.text))
  }

  @Test(.explored(timing: .any)) @MainActor func findsOwnSleepThatEndsEarly() async throws {
    let journal = Journal()
    Task {
      try await Task.sleep(for: .milliseconds(100))
      journal.add("loaded")
    }
    try await Task.sleep(for: .milliseconds(500))
    #expect(journal.text == "loaded")
  }

  /// Fails only if the test's own job is interrupted after it has started the task.
  @Test(.explored) func findsTaskThatRunsFirst() async {
    let journal = SharedJournal()
    let task = Task.detached { journal.add("task ") }
    journal.add("test ")
    await task.value
    #expect(journal.text == "test task ")
  }

  /// The loop never ends, but its order ends with the test.
  @Test(.explored) @MainActor func workThatNeverEnds() async throws {
    let journal = Journal()
    Task {
      while true {
        try await Task.sleep(for: .seconds(1))
        journal.add(".")
      }
    }
    try await Task.sleep(for: .milliseconds(2_500))
    #expect(journal.text == "..")
  }

  @Test(.explored) @MainActor func cancellation() async {
    let sleeper = Task { try await Task.sleep(for: .seconds(100)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test(.virtualTime) func virtualTime() async throws {
    try await Task.sleep(for: .seconds(86_400))
  }

  @MainActor private func twoTasks() async -> String {
    let journal = Journal()
    async let one: Void = journal.add("A")
    async let two: Void = journal.add("B")
    _ = await (one, two)
    return journal.text
  }
}

@Suite(.explored(schedules: 100), .serialized, .enabled(if: Fixtures.areEnabled)) struct SuiteFixtures {
  final class Box { var isUsed = false }

  let box = Box()
  static let instances = Atomic(0)

  init() { Self.instances.add(1, ordering: .relaxed) }

  @Test func freshInstance() async {
    #expect(!box.isUsed)
    box.isUsed = true
    await withTaskGroup { group in for _ in 0..<3 { group.addTask { await Task.yield() } } }
  }

  @Test(arguments: 1...2) func serialized(_ number: Int) async {
    async let value = number
    #expect(await value == number)
  }

  @Test(.explored(schedules: 7)) func innermostTrait() async {
    await withTaskGroup { group in for _ in 0..<4 { group.addTask { await Task.yield() } } }
  }
}

/// Its process ends after the test, because a task of the test never ends.
@Suite(.enabled(if: Fixtures.areEnabled)) struct StuckFixtures {
  @Test(.explored) @MainActor func findsContinuationThatIsNeverResumed() async {
    var waiting: CheckedContinuation<Void, Never>?
    Task(name: "resume") {
      try? await Task.sleep(for: .milliseconds(20))
      waiting?.resume()
    }
    await Task(name: "prepare") { try? await Task.sleep(for: .milliseconds(10)) }.value
    await withCheckedContinuation { waiting = $0 }
  }
}

// MARK: Tests that run in their own process

/// Each test traps if its second delay ends before its first one.
@Suite(.explored, .enabled(if: Fixtures.areEnabled)) @MainActor struct TrapFixtures {
  @Test func forcedUnwrap() async {
    var name: String? = "Ada"
    let first = Task(name: "show") {
      await delay(10)
      _ = name!.count
    }
    let second = Task(name: "erase") {
      await delay(20)
      name = nil
    }
    await first.value
    await second.value
  }

  @Test func failedPrecondition() async {
    var isOpen = true
    let first = Task(name: "read") {
      await delay(10)
      precondition(isOpen, "read after close")
    }
    let second = Task(name: "close") {
      await delay(20)
      isOpen = false
    }
    await first.value
    await second.value
  }

  @Test func resumedTwice() async {
    var waiting: CheckedContinuation<Void, Never>?
    let first = Task(name: "answer") {
      let answered = waiting
      await delay(10)
      answered?.resume()
      waiting = nil
    }
    let second = Task(name: "timeout") {
      await delay(20)
      waiting?.resume()
      waiting = nil
    }
    await withCheckedContinuation { waiting = $0 }
    await first.value
    await second.value
  }

  @Test func overlappingAccesses() async {
    let numbers = Numbers()
    let first = Task(name: "double") {
      await delay(10)
      if numbers.isShared { numbers.change { numbers.value = $0 * 2 } }
    }
    let second = Task(name: "share") {
      await delay(20)
      numbers.isShared = true
    }
    await first.value
    await second.value
  }

  final class Numbers {
    var value = 1
    var isShared = false

    func change(_ body: (inout Int) -> Void) { body(&value) }
  }

  private func delay(_ milliseconds: Int) async { try? await Task.sleep(for: .milliseconds(milliseconds)) }
}

@Suite(.enabled(if: Fixtures.areEnabled)) struct ProcessFixtures {
  @Test(.explored) func passes() async { await Task.yield() }

  /// Starts more tasks in each run.
  @Test(.explored) @MainActor func remembersRuns() async {
    Fixtures.runs += 1
    for number in 1...Fixtures.runs { await Task { _ = number }.value }
  }

  @Test func plainSearch() throws { try exploreSwift { await Task.yield() } }

  @Test(.explored) func searchInSearch() throws { try exploreSwift { await Task.yield() } }

  /// Runs until its time limit.
  @Test(.explored(schedules: .max, for: .seconds(600), search: .random), .timeLimit(.minutes(1)))
  func overTime() async { await endless() }

  /// Runs until its process is killed.
  @Test(.explored(schedules: .max, for: .seconds(600), search: .random)) func endless() async {
    await withTaskGroup { group in for _ in 0..<9 { group.addTask { for _ in 0..<99 { await Task.yield() } } } }
  }
}
