import ScheduleExplorer
import ScheduleExplorerTesting
import TestMachine
import Testing
import VirtualTime

@Suite("Guarantees of unmodified code in a search", .childProcesses, .exploresSwift) struct SemanticsTests {
  @TaskLocal static var user = "nobody"

  @Test("In a search, tasks keep their task-local values, priority, name, cancellation and isolation")
  func semantics() async {
    await #expect(processExitsWith: .success) {
      try exploreSwift(schedules: 50) { @MainActor in
        MainActor.preconditionIsolated()
        assumeMain()
        let values = await Self.$user.withValue("Ada") {
          async let child = Self.user
          let task = Task(name: "loader", priority: .high) { (Self.user, Task.name, Task.currentPriority) }
          let detached = Task.detached { Self.user }
          let value = await task.value
          return (await child, value, await detached.value)
        }
        try check(values.0 == "Ada" && values.1.0 == "Ada" && values.2 == "nobody")
        try check(values.1.1 == "loader" && values.1.2 == .high)
        let sleeper = Task { try await Task.sleep(for: .seconds(100)) }
        sleeper.cancel()
        let result = await sleeper.result
        try check(isCancellation(result))
        MainActor.assertIsolated()
      }
    }
  }

  @Test("Code outside the main actor fails a check of main-actor isolation")
  func isolation() async {
    await #expect(processExitsWith: .failure) {
      try exploreSwift { MainActor.preconditionIsolated() }
    }
  }

  @Test("Sleeps end in the order of their lengths, or in any order with any timing")
  func sleeps() async {
    await #expect(processExitsWith: .success) {
      let exact = try exploreSwift(schedules: 300) { await sleepers() }.statistics.outcomes
      #expect(Set(exact.keys) == ["123"])
      let any = try exploreSwift(schedules: 600, timing: .any) { await sleepers() }.statistics.outcomes
      #expect(Set(any.keys) == ["123", "132", "213", "231", "312", "321"])
    }
  }

  @Test("Equal sleeps end in any order, and the jobs after them interleave")
  func equalSleeps() async {
    await #expect(processExitsWith: .success) {
      let outcomes = try exploreSwift(schedules: 1000) { @MainActor in
        let order = Order()
        async let one: Void = sleepThenAdd("1", to: order)
        async let two: Void = sleepThenAdd("2", to: order)
        _ = await (one, two)
        return order.names.joined()
      }.statistics.outcomes
      #expect(Set(outcomes.keys) == ["1122", "1212", "1221", "2112", "2121", "2211"])
    }
  }

  @Test("untilIdle also waits for tasks to which the test has no reference")
  func idle() async {
    await #expect(processExitsWith: .success) {
      try exploreSwift(schedules: 300) { @MainActor in
        var steps: [String] = []
        Task {
          try? await Task.sleep(for: .seconds(1))
          steps.append("slept")
          Task { steps.append("more") }
        }
        await untilIdle()
        try check(steps == ["slept", "more"], "\(steps)")
        Task { steps.append("again") }
        await untilIdle()
        try check(steps.count == 3)
      }
    }
  }

  @Test("The report shows the name of a task that sleeps in an actor")
  func sleepInActor() async {
    await #expect(processExitsWith: .success) {
      let failure = try #require(throws: ExplorationFailure.self) {
        try exploreSwift(timing: .any) { @MainActor in
          let server = SleepyServer()
          var last = ""
          for name in ["moon", "sun"] { Task(name: "load \(name)") { last = await server.answer(name) } }
          await untilIdle()
          try check(last == "sun", last)
        }
      }
      #expect(failure.scheduleTable.contains("load sun wakes"), "\(failure)")
    }
  }

  @Test("A row names its task, and numbers a task without a name") func names() async {
    await #expect(processExitsWith: .success) {
      let failure = try #require(throws: ExplorationFailure.self) {
        try exploreSwift {
          let oven = Task(name: "oven") { try? await Task.sleep(for: .seconds(1)) }
          let tray = Task(name: "tray", priority: .high) {
            await withTaskCancellationHandler {
              await oven.value
            } onCancel: {
            }
            exploredRuntime.note("cake")
          }
          let nobody = Task(name: "") { await tray.value }
          await nobody.value
          try check(false)
        }
      }
      for row in ["3  0.0 s  tray", "tray: cake", "task 4"] {
        #expect(failure.scheduleTable.contains(row), "\(row)\n\(failure)")
      }
      #expect(!failure.scheduleTable.contains("task 3"), "\(failure)")
    }
  }

  @Test("Each note names its task if an actor runs several tasks in one turn") func notesOfATurn() async {
    await #expect(processExitsWith: .success) {
      let failure = try #require(throws: ExplorationFailure.self) {
        try exploreSwift {
          let office = TicketOffice()
          for name in ["Oslo", "Rome"] { Task(name: name) { await office.note("ticket to \(name)") } }
          await untilIdle()
          try check(false)
        }
      }
      #expect(failure.scheduleTable.contains("Oslo: ticket to Oslo; Rome: ticket to Rome"), "\(failure)")
    }
  }

  @Test("Rows have no control characters, shorten long names, and show local functions")
  func hostileNames() async {
    await #expect(processExitsWith: .success) {
      let failure = try #require(throws: ExplorationFailure.self) { try exploreSwift { try await sayNames() } }
      for row in [
        "red [31m: local() in sayNames() SemanticsTests.swift:", "long…: sayNames() SemanticsTests.swift:",
      ] {
        #expect(failure.scheduleTable.contains(row), "\(row)\n\(failure)")
      }
      #expect(!"\(failure)".contains("\u{1B}"))
    }
  }

  @Test("A row names the function in which its task resumes, and the function that created it")
  func schedulers() async {
    await #expect(processExitsWith: .success) {
      let failure = try #require(throws: ExplorationFailure.self) { try exploreSwift { try await drawTwice() } }
      let file = "SemanticsTests.swift"
      for row in [
        "task 2: drawTwice() \(file):", ": TicketOffice.draw() \(file):", "task 3 has yielded",
        "task 1: drawTwice() \(file):",
      ] { #expect(failure.scheduleTable.contains(row), "\(row)\n\(failure)") }
      #expect(failure.scheduleTable.contains(/task 3 of drawTwice\(\):\d+: TicketOffice.draw\(\)/), "\(failure)")
      #expect(!failure.scheduleTable.contains("job after"), "\(failure)")
    }
  }

  @Test("The report of a program that never ends names the awaiting function and its caller") func awaited() async {
    await #expect(processExitsWith: .success) {
      let failure = try #require(throws: ExplorationFailure.self) { try exploreSwift { await waitForTurn() } }
      let line = try #require(
        failure.scheduleTable.split(separator: "\n").first { $0.contains("it awaits") }, "\(failure)")
      let file = "SemanticsTests.swift"
      #expect(line.hasPrefix("  it awaits in Turnstile.pass() \(file):"), "\(line)")
      #expect(line.contains(", called by waitForTurn() \(file):"), "\(line)")
    }
  }

  @Test(
    "The report of a task that never ends shows the chain of tasks that it awaits",
    arguments: [true, false])
  func awaitedTasks(inGroup: Bool) async {
    await #expect(processExitsWith: .success) { [inGroup] in
      let failure = try #require(throws: ExplorationFailure.self) {
        try exploreSwift {
          if inGroup {
            await withTaskGroup { group in
              group.addTask {}
              group.addTask(name: "guest") { await waitForTurn() }
            }
          } else {
            await waitForEachOther()
          }
        }
      }
      let lines = failure.scheduleTable.split(separator: "\n").filter { $0.contains(" awaits ") }
      let file = "SemanticsTests.swift"
      let expected =
        inGroup
        ? ["  it awaits guest", "  guest awaits in Turnstile.pass() \(file):"]
        : [
          "  it awaits one in waitForEachOther() \(file):", "  one awaits two in waitForEachOther() \(file):",
          "  two awaits one in waitForEachOther() \(file):",
        ]
      #expect(lines.count == expected.count, "\(failure)")
      for (line, start) in zip(lines, expected) { #expect(line.hasPrefix(start), "\(failure)") }
    }
  }

  @Test("The report contains the names of tasks, their notes, the deciding pair and a token")
  func report() async {
    await #expect(processExitsWith: .success) {
      let failure = try #require(throws: ExplorationFailure.self) {
        try exploreSwift(timing: .any) { @MainActor in
          var last = ""
          for name in ["moon", "sun"] {
            Task(name: "load \(name)") {
              try? await Task.sleep(for: .seconds(1))
              exploredRuntime.note("show \(name)")
              last = name
            }
          }
          await untilIdle()
          try check(last == "sun", last)
        }
      }
      #expect(failure.scheduleTable.contains("load sun: show sun"), "\(failure)")
      #expect(failure.scheduleTable.contains("load sun wakes"), "\(failure)")
      #expect("\(failure)".contains(#"exploreSwift(timing: .any, replaying: "\#(failure.token)")"#), "\(failure)")
      #expect(failure.flippedPair?.hasPrefix("Fails if “load sun") == true, "\(failure)")
    }
  }
}

private func isCancellation(_ result: Result<Void, any Error>) -> Bool {
  if case .failure(let error) = result { error is CancellationError } else { false }
}

private func assumeMain() { MainActor.assumeIsolated {} }

private func sleepers() async -> String {
  await withTaskGroup(of: Int.self) { group in
    group.addTask { await slept(3, on: .continuous) }
    group.addTask { await slept(1, on: .suspending) }
    group.addTask { await slept(2, on: .continuous) }
    return await group.reduce(into: "") { $0 += "\($1)" }
  }
}

private func slept(_ seconds: Int, on clock: some Clock<Duration>) async -> Int {
  try? await Task.sleep(for: .seconds(seconds), clock: clock)
  return seconds
}

private actor SleepyServer {
  func answer(_ name: String) async -> String {
    try? await Task.sleep(for: .seconds(1))
    return name
  }
}

@MainActor private final class Order {
  var names: [String] = []
}

private func sleepThenAdd(_ name: String, to order: Order) async {
  try? await Task.sleep(for: .seconds(1))
  for _ in 0..<2 { await MainActor.run { order.names.append(name) } }
}

private func drawTwice() async throws {
  let office = TicketOffice()
  async let one = office.draw()
  async let two = office.draw()
  let tickets = await [one, two]
  try check(tickets[0] != tickets[1], "\(tickets)")
}

private actor TicketOffice {
  private var last = 0

  func draw() async -> Int {
    let ticket = last + 1
    await Task.yield()
    last = ticket
    return ticket
  }

  func note(_ text: String) { exploredRuntime.note(text) }
}

private func sayNames() async throws {
  func local() async { await Task.yield() }
  await Task(name: "red\u{1B}[31m") { await local() }.value
  await Task(name: String(repeating: "long ", count: 40)) { await Task.yield() }.value
  try check(false)
}

private func waitForTurn() async { await Turnstile().pass() }

@MainActor private func waitForEachOther() async {
  var two: Task<Void, Never>?
  let one = Task(name: "one") { await two?.value }
  two = Task(name: "two") { await one.value }
  await one.value
}

private actor Turnstile {
  private var waiting: [UnsafeContinuation<Void, Never>] = []

  func pass() async { await withUnsafeContinuation { waiting.append($0) } }
}
