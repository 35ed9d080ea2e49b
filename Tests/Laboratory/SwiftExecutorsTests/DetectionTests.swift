import Dispatch
import EventBus
import Foundation
import ScheduleExplorer
import ScheduleExplorerTesting
import TestMachine
import Testing
import VirtualTime

@Suite("Detection of work that a search does not control", .childProcesses, .exploresSwift) struct DetectionTests {
  @Test("A search reports a task that starts on a dispatch queue, with its function and line")
  func foreignTask() async {
    await #expect(processExitsWith: .success) {
      let finding = finding {
        startFromQueue()
        await Task.yield()
      }
      #expect(finding?.kind == .escape)
      #expect(finding?.message.contains("from startFromQueue() DetectionTests.swift:") == true, "\(finding as Any)")
      #expect(finding?.message.contains("starts a task from outside") == true)
    }
  }

  @Test("A search reports a continuation that a dispatch queue resumes, and suggests External.call")
  func foreignResume() async {
    await #expect(processExitsWith: .success) {
      let finding = finding { await withCheckedContinuation { answerFromQueue($0) } }
      #expect(finding?.kind == .escape)
      #expect(finding?.message.contains("answerFromQueue") == true)
      #expect(finding?.message.contains("resumes what the explored code awaits") == true)
      #expect(finding?.message.contains("External.call") == true)
    }
  }

  @Test("A search reports tasks from short-lived threads, with the function that starts them")
  func foreignThreads() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<10 {
        let finding = finding {
          startFromThreads()
          await Task.yield()
        }
        #expect(finding?.kind == .escape)
        #expect(finding?.message.contains("startFromThreads") == true)
      }
    }
  }

  @Test("A search reports an actor with a custom executor")
  func ownExecutor() async {
    await #expect(processExitsWith: .success) {
      let finding = finding { await QueueActor().work() }
      #expect(finding?.kind == .escape)
      #expect(finding?.message.contains("an actor with a custom executor") == true)
    }
  }

  @Test("The report of a trap shows its order and the line that trapped")
  func trap() async {
    await withKnownIssue {
      await #expect(processExitsWith: .success) {
        exploringSwift(timing: .any) { await eraseWhileShowing() }
      }
    } matching: { issue in
      let text = "\(issue)"
      return text.contains("trap in ") && text.contains("DetectionTests.swift:") && text.contains("erase wakes")
    }
  }

  @Test("A thread that blocks for too long fails its own search, but not the next one")
  func blocked() async {
    await #expect(processExitsWith: .success) {
      let semaphore = DispatchSemaphore(value: 0)
      let finding = finding(timeout: .seconds(2)) { take(semaphore) }
      #expect(finding?.kind == .blocked)
      #expect(finding?.message.contains("item 1 of run 1") == true)
      semaphore.signal()
      #expect(throws: Never.self) { try exploreSwift { await Task.yield() } }
      // The executors of the platform work as well.
      await Task.yield()
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  @Test("A schedule that blocks a thread is reported with its items and a token")
  func blockedInOneOrder() async {
    await #expect(processExitsWith: .success) {
      let body: @Sendable () async -> Void = {
        let isFilled = DispatchSemaphore(value: 0)
        let filling = Task(name: "fill") { @MainActor in _ = isFilled.signal() }
        let taking = Task(name: "take") { take(isFilled) }
        await filling.value
        await taking.value
      }
      func failure(replaying token: String? = nil) throws -> ExplorationFailure {
        try #require(throws: ExplorationFailure.self) {
          try exploreSwift(timeout: .seconds(1), replaying: token, body)
        }
      }
      let found = try failure()
      let replayed = try failure(replaying: "\(found.token)")
      #expect(found.finding.kind == .blocked && replayed.finding.kind == .blocked)
      #expect(found.token == replayed.token)
      #expect(found.token.deviations.cost == 1)
      #expect(found.scheduleTable.contains("2:1"))
      #expect(found.description.contains("Replay this schedule with: "))
      #expect(found.schedulesRun > 1)
    }
  }

  @Test("An abandoned thread does not affect the next search")
  func givenUpThread() async {
    await #expect(processExitsWith: .success) {
      let semaphore = DispatchSemaphore(value: 0)
      let finding = finding(timeout: .milliseconds(500)) {
        take(semaphore)
        Task {}
        exploredRuntime.note("late")
        await Task.yield()
      }
      #expect(finding?.kind == .blocked)
      #expect(throws: Never.self) {
        try exploreSwift(schedules: 200) {
          semaphore.signal()
          for _ in 0..<20 { await Task.yield() }
        }
      }
    }
  }

  @Test("A thread that is abandoned after a gate, and the work of its run, do not affect the next search")
  func givenUpBehindGate() async {
    await #expect(processExitsWith: .success) {
      let (semaphore, later) = (DispatchSemaphore(value: 0), Locked<[String]>([]))
      let finding = finding(timeout: .milliseconds(500)) {
        let (first, second) = (exploredRuntime.gate(), exploredRuntime.gate())
        async let other: Void = { first.wait() }()
        async let stuck: Void = {
          second.wait()
          take(semaphore)
        }()
        async let opening: Void = { second.open() }()
        await stuck
        later.withLock { $0.append("job") }
        exploredRuntime.note("late")
        _ = await (other, opening)
      }
      #expect(finding?.kind == .blocked)
      let closures = blockedClosures(semaphore, later)
      #expect(closures?.kind == .blocked)
      #expect(throws: Never.self) {
        try exploreSwift(schedules: 500) {
          for _ in 0..<4 { semaphore.signal() }
          for _ in 0..<20 { await Task.yield() }
        }
      }
      #expect(later.withLock { $0 } == [])
    }
  }

  @Test("Many short closures and waits at gates do not count as a blocked thread")
  func shortItems() async {
    await #expect(processExitsWith: .success) {
      let finding = finding(schedules: 1, timeout: .milliseconds(700)) {
        let (serial, gate) = (exploredRuntime.serial("serial"), exploredRuntime.gate())
        for _ in 0..<20 { serial.schedule { pause(milliseconds: 50) } }
        await untilIdle()
        async let opening: Void = {
          pause(milliseconds: 500)
          gate.open()
        }()
        wait(at: gate)
        pause(milliseconds: 500)
        await opening
      }
      #expect(finding == nil, "\(finding as Any)")
    }
  }

  @Test("The report names work on another queue, and does not claim to cover all orders") func otherQueue() async {
    await #expect(processExitsWith: .success) {
      let exploration = try exploreSwift { startOnQueue() }
      #expect("\(exploration)".contains("when the work of DispatchQueue.async in startOnQueue() DetectionTests.swift:"))
      #expect(exploration.statistics.bound?.description == "1 order of jobs")
    }
  }

  @Test("A search runs a block of the main queue as an item of the main scheduler") func mainQueue() async {
    await #expect(processExitsWith: .success) {
      let statistics = try exploreSwift {
        let order = Locked<[String]>([])
        DispatchQueue.main.async { order.withLock { $0.append(MainActor.assumeIsolated { "block" }) } }
        await MainActor.run { order.withLock { $0.append("task") } }
        await untilIdle()
        return order.withLock { $0 }.joined(separator: " ")
      }.statistics
      #expect(Set(statistics.outcomes.keys) == ["block task"])
    }
  }

  @Test("A search reports a deadlock of two locks with its schedule") func lockDeadlock() async {
    await #expect(processExitsWith: .success) {
      let failure = try #require(throws: ExplorationFailure.self) {
        try exploreSwift {
          let (one, two) = (Locked(0), Locked(0))
          let task = Task {
            two.withLock { _ in
              Task {}; one.withLock { $0 += 1 }
            }
          }
          one.withLock { _ in
            Task {}; two.withLock { $0 += 1 }
          }
          await task.value
        }
      }
      #expect(failure.finding.kind == .deadlock)
      #expect(failure.finding.message == "deadlock: 2 items on tasks wait for locks that nothing can release")
      #expect(failure.scheduleTable.contains("*"))
    }
  }

  @Test("The time that a search needs between runs does not count as a blocked thread") func slowSearch() async {
    await #expect(processExitsWith: .success) {
      struct Slow: Sendable, CustomStringConvertible {
        var description: String {
          Thread.sleep(forTimeInterval: 0.5)
          return "slow"
        }
      }
      let exploration = try? exploreSwift(schedules: 1, timeout: .milliseconds(100)) { Slow() }
      #expect(exploration?.statistics.outcomes.keys.first == "slow")
    }
  }

  @Test("A search reports a program whose continuation is never resumed")
  func stuck() async {
    await #expect(processExitsWith: .success) {
      let finding = finding(timeout: .seconds(1)) {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
      #expect(finding?.kind == .deadlock)
      #expect(finding?.message.contains("nothing resumes what it awaits") == true)
    }
  }

  @Test("A search inside another search throws an error")
  func nested() async {
    await #expect(processExitsWith: .success) {
      try exploreSwift {
        #expect(throws: ExploringSwiftUnavailable.self) { try exploreSwift {} }
      }
    }
  }
}

private func startOnQueue() { DispatchQueue.global().async {} }

func finding<Outcome: Sendable>(
  schedules: Int = 10_000, timeout: Duration = .seconds(10), _ body: @escaping @Sendable () async throws -> Outcome
) -> Finding? {
  do {
    try exploreSwift(schedules: schedules, timeout: timeout, body)
    return nil
  } catch {
    return (error as? ExplorationFailure)?.finding
  }
}

/// Returns once the queue has started the task.
@inline(never) private func startFromQueue() {
  let isStarted = DispatchSemaphore(value: 0)
  DispatchQueue.global().async {
    Task {}
    isStarted.signal()
  }
  isStarted.wait()
}

private func take(_ semaphore: DispatchSemaphore) { semaphore.wait() }

@inline(never) private func answerFromQueue(_ continuation: CheckedContinuation<Void, Never>) {
  // A resume before the task suspends needs no job, so the search would not detect it.
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { continuation.resume() }
}

private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "own")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

private actor QueueActor {
  private let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func work() {}
}

/// Returns once the threads have started their tasks.
@inline(never) private func startFromThreads() {
  let isStarted = DispatchSemaphore(value: 0)
  let threads = 8
  for _ in 0..<threads {
    Thread {
      Task {}
      isStarted.signal()
    }.start()
  }
  for _ in 0..<threads { isStarted.wait() }
}

private func pause(milliseconds: Int) { Thread.sleep(forTimeInterval: Double(milliseconds) / 1000) }

private func wait(at gate: any Gate) { gate.wait() }

private func blockedClosures(_ semaphore: DispatchSemaphore, _ later: Locked<[String]>) -> Finding? {
  finding(timeout: .milliseconds(500)) {
    let serial = exploredRuntime.serial("serial")
    serial.schedule { take(semaphore) }
    serial.schedule { later.withLock { $0.append("closure") } }
    await untilIdle()
  }
}

/// Traps if the sleep of `erase` ends first. Code in an exit test has the line numbers of the macro's expansion, so
/// this function is outside of the test.
@MainActor private func eraseWhileShowing() async {
  var name: String? = "Ada"
  let showing = Task(name: "show") {
    try? await Task.sleep(for: .milliseconds(10))
    _ = name!.count
  }
  let erasing = Task(name: "erase") {
    try? await Task.sleep(for: .milliseconds(20))
    name = nil
  }
  await showing.value
  await erasing.value
}
