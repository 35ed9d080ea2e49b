import Dispatch
import Foundation
import Synchronization
import TestMachine
import Testing

/// The claims of the lessons about tasks, actors, streams and Dispatch. Each test names the lessons with its claim.
@Suite struct SwiftClaimTests {
  private enum Failure: Error { case offline }

  /// A gate. A cancellation does not end a wait for it.
  private final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    func open() {
      let waiting = state.withLock { state in
        defer { state = (true, []) }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }

    func wait() async {
      await withCheckedContinuation { continuation in
        let isOpen = state.withLock { state in
          if !state.isOpen { state.waiting.append(continuation) }
          return state.isOpen
        }
        if isOpen { continuation.resume() }
      }
    }
  }

  private final class Log: Sendable {
    private let stored = Mutex<[String]>([])

    var entries: [String] { stored.withLock { $0 } }

    func add(_ entry: String) { stored.withLock { $0.append(entry) } }
  }

  // MARK: Cancellation

  @Test("L23: a cancellation sets a flag that stays set")
  func flag() async {
    let (begin, log) = (Gate(), Log())
    let task = Task {
      await begin.wait()
      log.add("\(Task.isCancelled)")
      await withTaskCancellationHandler {
        log.add("operation")
      } onCancel: {
        log.add("handler")
      }
      log.add("\(Task.isCancelled)")
    }
    task.cancel()
    begin.open()
    await task.value
    // A handler that is set after the cancellation is called at once, before its operation.
    #expect(log.entries == ["true", "handler", "operation", "true"])
  }

  @Test("L23: a cancellation handler runs once, even if the task is cancelled twice")
  func once() async {
    let (begin, end, log) = (Gate(), Gate(), Log())
    let task = Task {
      await withTaskCancellationHandler {
        begin.open()
        await end.wait()
      } onCancel: {
        log.add("handler")
      }
    }
    await begin.wait()
    task.cancel()
    task.cancel()
    end.open()
    await task.value
    #expect(log.entries == ["handler"])
  }

  @Test("L22, L24: a cancellation does not resume a continuation")
  func deaf() async {
    let (begin, end, log) = (Gate(), Gate(), Log())
    let task = Task {
      begin.open()
      await end.wait()
      log.add("resumed")
    }
    await begin.wait()
    task.cancel()
    log.add("opened")
    end.open()
    await task.value
    #expect(log.entries == ["opened", "resumed"])
  }

  @Test("L22: a cancelled Task.sleep throws a CancellationError")
  func sleep() async {
    let task = Task { try await Task.sleep(for: .seconds(3_600)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("L08: a task outlives the object that stores it, and is not cancelled")
  func unowned() async {
    final class Owner {
      let task: Task<Bool, Never>
      init(_ gate: Gate) {
        task = Task {
          await gate.wait()
          return Task.isCancelled
        }
      }
    }
    let gate = Gate()
    var owner: Owner? = Owner(gate)
    weak let released = owner
    let task = owner?.task
    owner = nil
    #expect(released == nil)
    gate.open()
    #expect(await task?.value == false)
  }

  // MARK: Groups

  @Test("L22: a task group returns only after its slowest child")
  func slowest() async {
    let (gate, log) = (Gate(), Log())
    let first = await withTaskGroup(of: String.self) { group in
      group.addTask {
        await gate.wait()
        log.add("slow child ends")
        return "slow"
      }
      group.addTask { "fast" }
      let first = await group.next()
      group.cancelAll()
      log.add("first result")
      gate.open()
      return first
    }
    log.add("group returns")
    #expect(first == "fast")
    #expect(log.entries == ["first result", "slow child ends", "group returns"])
  }

  @Test("L25: an error that the closure of a group catches does not cancel the children")
  func caught() async {
    let gate = Gate()
    let wasCancelled = await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask { throw Failure.offline }
      await #expect(throws: Failure.self) { try await group.next() }
      group.addTask {
        await gate.wait()
        return Task.isCancelled
      }
      gate.open()
      return (try? await group.next()) ?? true
    }
    #expect(!wasCancelled)
  }

  @Test("L25: a group ignores the error of a child whose result is not awaited")
  func ignored() async {
    let log = Log()
    await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { throw Failure.offline }
      group.addTask { log.add("\(Task.isCancelled)") }
    }
    #expect(log.entries == ["false"])
  }

  @Test("L25: an error that leaves the closure of a group cancels the children")
  func leaving() async {
    let log = Log()
    await #expect(throws: Failure.self) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          // The cancellation ends the sleep.
          try? await Task.sleep(for: .seconds(3_600))
          log.add("\(Task.isCancelled)")
        }
        group.addTask { throw Failure.offline }
        for try await _ in group {}
      }
    }
    #expect(log.entries == ["true"])
  }

  @Test("L25: a discarding group cancels its children when one of them throws")
  func discarding() async {
    let log = Log()
    await #expect(throws: Failure.self) {
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask {
          try? await Task.sleep(for: .seconds(3_600))
          log.add("\(Task.isCancelled)")
        }
        group.addTask { throw Failure.offline }
      }
    }
    #expect(log.entries == ["true"])
  }

  @Test("L25: a loop over `try? await next()` mistakes an error for the end of the group")
  func mistaken() async {
    let results = await withThrowingTaskGroup(of: String.self) { group in
      group.addTask { throw Failure.offline }
      var results: [String] = []
      while let result = try? await group.next() { results.append(result) }
      return (results, group.isEmpty)
    }
    #expect(results.0 == [])
    #expect(results.1)
  }

  // MARK: Actors and the order of tasks

  @Test("L18: an actor runs another call during an await")
  func reentrant() async {
    actor Cache {
      let gate = Gate()
      let log = Log()

      func load() async {
        log.add("load")
        await gate.wait()
        log.add("store")
      }

      func other() {
        log.add("other")
        gate.open()
      }
    }
    let cache = Cache()
    async let load: Void = cache.load()
    while cache.log.entries.isEmpty { await Task.yield() }
    await cache.other()
    await load
    #expect(cache.log.entries == ["load", "other", "store"])
  }

  private actor Page {
    private(set) var lines: [Int] = []

    func append(_ line: Int) { lines.append(line) }
  }

  @Test("L21: tasks that start on main reach an actor in the order of their creation")
  @MainActor func fromMain() async {
    for _ in 0..<1_000 {
      let page = Page()
      let tasks = (0..<4).map { line in Task { await page.append(line) } }
      for task in tasks { await task.value }
      #expect(await page.lines == [0, 1, 2, 3])
    }
  }

  @Test("L21: tasks that start in nonisolated code reach an actor in any order")
  func fromAnywhere() async {
    let isOutOfOrder = await Self.losesOrder()
    #expect(isOutOfOrder)
  }

  /// Writes lines into new pages, four pages at a time, until one line overtakes another.
  @concurrent private static func losesOrder() async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<100_000 where !Task.isCancelled {
            let page = Page()
            let tasks = (0..<4).map { line in Task { await page.append(line) } }
            for task in tasks { await task.value }
            if await page.lines != [0, 1, 2, 3] { return true }
          }
          return false
        }
      }
      defer { group.cancelAll() }
      return await group.contains(true)
    }
  }

  // MARK: Streams

  @Test("L26: AsyncStream(unfolding:) produces an element only when a reader requests it")
  func unfolding() async {
    let log = Log()
    let stream = AsyncStream {
      log.add("read")
      return log.entries.count
    }
    var reader = stream.makeAsyncIterator()
    #expect(log.entries == [])
    #expect(await reader.next() == 1)
    #expect(log.entries == ["read"])
    #expect(await reader.next() == 2)
  }

  @Test("L26: a full buffer of the newest elements drops the oldest one and reports it")
  func dropped() async {
    let (stream, source) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
    source.yield("A")
    guard case .dropped("A") = source.yield("B") else {
      Issue.record("A is not reported as dropped")
      return
    }
    source.finish()
    var read: [String] = []
    for await element in stream { read.append(element) }
    #expect(read == ["B"])
  }

  @Test("L26: each element of an AsyncStream reaches only one of its two readers")
  func shared() async {
    let (stream, source) = AsyncStream<Int>.makeStream()
    let readers = (0..<2).map { _ in
      Task {
        var read: Set<Int> = []
        for await element in stream { read.insert(element) }
        return read
      }
    }
    for element in 0..<100 { source.yield(element) }
    source.finish()
    let (one, other) = (await readers[0].value, await readers[1].value)
    #expect(one.isDisjoint(with: other))
    #expect(one.union(other) == Set(0..<100))
  }

  // MARK: NotificationCenter

  /// The conformance is unchecked because only the thread of the test uses this object.
  private final class Tokens: @unchecked Sendable {
    var list: [any NSObjectProtocol] = []
  }

  @Test("L09: NotificationCenter calls an observer that another observer of the same post has removed")
  func notifications() {
    let (center, log) = (NotificationCenter(), Log())
    let name = Notification.Name("news")
    let tokens = Tokens()
    for observer in ["one", "two"] {
      tokens.list.append(
        center.addObserver(forName: name, object: nil, queue: nil) { _ in
          log.add(observer)
          for token in tokens.list { center.removeObserver(token) }
        })
    }
    center.post(name: name, object: nil)
    // The first handler has removed both observers.
    #expect(log.entries.count == 2)
    center.post(name: name, object: nil)
    #expect(log.entries.count == 2)
  }
}

/// Claims about programs that end with a trap, or that occupy every thread of the process.
@Suite(.childProcesses) struct SwiftTrapTests {
  @Test("L15, L24: a second resume of a checked continuation ends the process")
  func resumedTwice() async {
    await #expect(processExitsWith: .failure) {
      await withCheckedContinuation { continuation in
        continuation.resume()
        continuation.resume()
      }
    }
  }

  @Test("L24: a checked continuation that is released without a resume prints a warning")
  func neverResumed() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) { @MainActor in
      Task { await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in } }
      // Main runs the task before the exit, because the task was enqueued first.
      await Task.yield()
      exit(0)
    }
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("leaked its continuation"))
  }

  @Test("L26: a second reader of a throwing stream ends the process")
  func twoReaders() async {
    await #expect(processExitsWith: .failure) {
      let (stream, _) = AsyncThrowingStream<Int, any Error>.makeStream()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 { group.addTask { do { for try await _ in stream {} } catch {} } }
      }
    }
  }

  @Test("L17: `DispatchQueue.main.sync` on the main thread ends the process")
  func syncOnMain() async {
    await #expect(processExitsWith: .failure) { @MainActor in
      DispatchQueue.main.sync {}
    }
  }

  @Test("L16: the pool of tasks has separate threads for different priorities")
  func threads() async {
    await #expect(processExitsWith: .success) {
      let cores = ProcessInfo.processInfo.activeProcessorCount
      let pool = Pool()
      for priority in [TaskPriority.high, .medium, .low, .background] {
        for _ in 0..<cores { Task.detached(priority: priority) { pool.block() } }
      }
      for _ in 0..<6_000 where pool.blocked <= cores { usleep(10_000) }
      exit(pool.blocked > cores ? 0 : 1)
    }
  }
}

/// A pool that counts the threads that it blocks.
private final class Pool: Sendable {
  private let count = Mutex(0)
  private let never = DispatchSemaphore(value: 0)

  var blocked: Int { count.withLock { $0 } }

  func block() {
    count.withLock { $0 += 1 }
    never.wait()
  }
}
