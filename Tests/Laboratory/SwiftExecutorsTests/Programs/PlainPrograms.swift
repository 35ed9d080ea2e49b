import Synchronization

/// A program whose outcome depends on the order of its tasks. It runs on Swift's own executors and in a search.
struct PlainProgram: Sendable {
  let name: String
  let run: @Sendable () async -> String
  /// The outcomes that a search must find. All of them were seen in runs on Swift's own executors, or in noise mode.
  let outcomes: Set<String>

  init(_ name: String, _ outcomes: Set<String>, _ run: @escaping @Sendable () async -> String) {
    (self.name, self.outcomes, self.run) = (name, outcomes, run)
  }
}

/// Texts in the order in which any threads add them.
final class OrderLog: Sendable {
  private let stored = Mutex<[String]>([])
  var text: String { stored.withLock { $0.joined(separator: " ") } }
  func add(_ text: String) { stored.withLock { $0.append(text) } }
}

private actor Cell {
  private let log: OrderLog
  private var values: [Int] = []
  var text: String { values.map(String.init).joined() }
  var sum: Int { values.reduce(0, +) }

  init(_ log: OrderLog = OrderLog()) { self.log = log }

  func put(_ value: Int) { log.add("\(value)") }
  func keep(_ value: Int) { values.append(value) }
  func pass(_ value: Int, to other: Cell) async {
    values.append(value)
    await other.keep(value)
    log.add("\(value)")
  }
}

private actor Account {
  private(set) var balance: Int

  init(_ balance: Int) { self.balance = balance }

  func deposit(_ amount: Int) { balance += amount }
  func transfer(_ amount: Int, to other: Account) async {
    balance -= amount
    await other.deposit(amount)
  }
}

/// A loader that loads once, and releases the task when it ends.
private final class Loader: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)
  private let isDone = OrderLog()

  func load() async -> String {
    let new = Task { self.finish() }
    task.withLock { $0 = new }
    await new.value
    return task.withLock { $0 } == nil ? "done" : "loads forever"
  }

  private func finish() {
    isDone.add("finished")
    task.withLock { $0 = nil }
  }
}

/// A handle that cancels its task, which may not be stored yet.
private final class Handle: Sendable {
  private let task = Mutex<Task<Bool, Never>?>(nil)

  func cancel() { task.withLock { $0 }?.cancel() }
  func start(_ work: @escaping @Sendable () async -> Bool) -> Task<Bool, Never> {
    let new = Task { await work() }
    task.withLock { $0 = new }
    return new
  }
}

@MainActor private final class Board {
  private var names: [String] = []
  var text: String { names.joined(separator: " ") }
  nonisolated init() {}

  func add(_ name: String) { names.append(name) }
}

private actor Channel {
  private var values: [Int] = []
  private var readers: [CheckedContinuation<Int, Never>] = []

  func send(_ value: Int) {
    if readers.isEmpty { values.append(value) } else { readers.removeFirst().resume(returning: value) }
  }

  func next() async -> Int {
    if values.isEmpty { await withCheckedContinuation { readers.append($0) } } else { values.removeFirst() }
  }
}

@globalActor private actor Store { static let shared = Store() }

/// A list whose actor starts a task for each name.
private actor Roster {
  private let log: OrderLog

  init(_ log: OrderLog) { self.log = log }

  func add(_ name: String) { log.add(name) }
  func start(_ names: [String]) -> [Task<Void, Never>] { names.map { name in Task { add(name) } } }
}

private final class List: Sendable {
  private let values = Mutex([1, 2])

  func holding<Result>(_ body: () -> sending Result) -> sending Result { values.withLock { _ in body() } }
}

private final class Latch: Sendable {
  private let stored = Mutex<(isOpen: Bool, waiting: CheckedContinuation<Void, Never>?)>((false, nil))

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = stored.withLock { state in
        if !state.isOpen { state.waiting = continuation }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = stored.withLock { state in
      state.isOpen = true
      return state.waiting.take()
    }
    waiting?.resume()
  }
}

extension PlainProgram {
  static let table: [PlainProgram] = [
    PlainProgram("the handle is stored after the task has ended", ["done", "loads forever"]) { await Loader().load() },
    PlainProgram("cancel before the handle is stored", ["false", "true"]) {
      let handle = Handle()
      async let canceling: Void = handle.cancel()
      let task = handle.start {
        await Task.yield()
        return Task.isCancelled
      }
      await canceling
      return "\(await task.value)"
    },
    PlainProgram("a child and its parent call main", ["child parent", "parent child"]) {
      let board = Board()
      let child = Task { await board.add("child") }
      await board.add("parent")
      await child.value
      return await board.text
    },
    PlainProgram("a resume, and what follows it", ["waker woken", "woken waker"]) {
      let (log, latch) = (OrderLog(), Latch())
      let woken = Task {
        await latch.wait()
        log.add("woken")
      }
      await Task.yield()
      latch.open()
      log.add("waker")
      await woken.value
      return log.text
    },
    PlainProgram(
      "two tasks call two actors in opposite order",
      ["1 2 3 4", "1 3 2 4", "1 3 4 2", "3 1 2 4", "3 1 4 2", "3 4 1 2"]
    ) {
      let log = OrderLog()
      let (a, b) = (Cell(log), Cell(log))
      async let x: Void = {
        await a.put(1)
        await b.put(2)
      }()
      async let y: Void = {
        await b.put(3)
        await a.put(4)
      }()
      _ = await (x, y)
      return log.text
    },
    PlainProgram("a child of async let on main", ["child parent", "parent child"]) {
      await Task { @MainActor in
        let board = Board()
        async let child: Void = board.add("child")
        await Task.yield()
        board.add("parent")
        await child
        return board.text
      }.value
    },
    PlainProgram("a detached task concurrent with the main actor", ["detached main", "main detached"]) {
      await Task { @MainActor in
        let log = OrderLog()
        let detached = Task.detached { log.add("detached") }
        log.add("main")
        await detached.value
        return log.text
      }.value
    },
    PlainProgram("two tasks enqueue on main", ["1 2", "2 1"]) {
      let board = Board()
      async let one: Void = board.add("1")
      async let two: Void = board.add("2")
      _ = await (one, two)
      return await board.text
    },
    PlainProgram("a yield to a stream, and what follows it", ["reader writer", "writer reader"]) {
      let log = OrderLog()
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let reader = Task {
        for await _ in stream { log.add("reader") }
      }
      await Task.yield()
      continuation.yield(1)
      log.add("writer")
      continuation.finish()
      await reader.value
      return log.text
    },
    PlainProgram("values for a stream that keeps one", ["[1, 2, 3]", "[1, 3]", "[2, 3]", "[3]"]) {
      let (stream, continuation) = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(1))
      let reader = Task {
        var values: [Int] = []
        for await value in stream { values.append(value) }
        return values
      }
      for value in 1...3 { continuation.yield(value) }
      continuation.finish()
      return "\(await reader.value)"
    },
    PlainProgram("two readers of one channel", ["1a 2b", "1b 2a", "2a 1b", "2b 1a"]) {
      let (channel, log) = (Channel(), OrderLog())
      await withTaskGroup { group in
        for name in ["a", "b"] {
          group.addTask {
            let value = await channel.next()
            log.add("\(value)\(name)")
          }
        }
        for value in 1...2 { await channel.send(value) }
      }
      return log.text
    },
    PlainProgram("an actor calls an actor", ["1 2", "2 1"]) {
      let log = OrderLog()
      let (first, second, other) = (Cell(log), Cell(), Cell(log))
      async let one: Void = first.pass(1, to: second)
      async let two: Void = other.pass(2, to: second)
      _ = await (one, two)
      return log.text
    },
    PlainProgram("a transfer beside an audit", ["100"]) {
      let (a, b) = (Account(100), Account(0))
      async let transfer: Void = a.transfer(100, to: b)
      async let sum = {
        let first = await a.balance
        return await first + b.balance
      }()
      _ = await transfer
      let total = await sum
      return total == 200 || total == 0 ? "\(total)" : "100"
    },
    PlainProgram("what follows an actor's call", ["12 x y", "12 y x", "21 x y", "21 y x"]) {
      let (log, cell) = (OrderLog(), Cell())
      async let x: Void = {
        await cell.keep(1)
        log.add("x")
      }()
      async let y: Void = {
        await cell.keep(2)
        log.add("y")
      }()
      _ = await (x, y)
      return "\(await cell.text) \(log.text)"
    },
    PlainProgram("two reads of isCancelled", ["[false, false]", "[false, true]", "[true, true]"]) {
      let task = Task { [Task.isCancelled, Task.isCancelled] }
      await Task.yield()
      task.cancel()
      return "\(await task.value)"
    },
    PlainProgram("a task starts while its parent holds a lock", ["parent child"]) {
      let log = OrderLog()
      let list = List()
      let task = list.holding {
        let task = Task { list.holding { log.add("child") } }
        log.add("parent")
        return task
      }
      await task.value
      return log.text
    },
    PlainProgram(
      "a task starts on an idle actor, and another on main", ["main store", "store main"]
    ) {
      let board = Board()
      let one = Task { @Store in await board.add("store") }
      let two = Task { @MainActor in board.add("main") }
      _ = await (one.value, two.value)
      return await board.text
    },
    PlainProgram("a running actor starts two tasks, and another task calls it", ["1 2 3", "1 3 2", "3 1 2"]) {
      let log = OrderLog()
      let roster = Roster(log)
      async let other: Void = roster.add("3")
      for task in await roster.start(["1", "2"]) { await task.value }
      await other
      return log.text
    },
    PlainProgram("an immediate task calls an actor", ["called, rest, parent", "called, parent, rest"]) {
      let (log, cell) = (OrderLog(), Cell())
      let task = Task.immediate {
        log.add("called,")
        await cell.keep(1)
        log.add("rest")
      }
      log.add("parent")
      await task.value
      return log.text == "called, rest parent" ? "called, rest, parent" : "called, parent, rest"
    },
    PlainProgram(
      "the scope of an async let ends before its child",
      ["leave x x", "leave s x", "s leave x", "leave s s", "s leave s", "s s leave"]
    ) {
      let (log, cell) = (OrderLog(), Cell())
      func leave() async {
        async let _ = { () async -> Void in
          log.add(Task.isCancelled ? "x" : "s")
          await cell.keep(1)
          log.add(Task.isCancelled ? "x" : "s")
        }()
        log.add("leave")
      }
      await leave()
      return log.text
    },
    PlainProgram(
      "a reader of two values, and what follows their writer's end",
      ["end 1 2", "1 end 2", "1 2 end"]
    ) {
      let log = OrderLog()
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      continuation.yield(1)
      continuation.yield(2)
      let reader = Task { for await value in stream { log.add("\(value)") } }
      continuation.finish()
      log.add("end")
      await reader.value
      return log.text
    },
    PlainProgram("two reads of whether another task is cancelled", ["[false, false]", "[false, true]", "[true, true]"])
    {
      let task = Task { await Task.yield() }
      let other = Task { task.cancel() }
      let reads = [task.isCancelled, task.isCancelled]
      _ = await (task.value, other.value)
      return "\(reads)"
    },
    PlainProgram("a cancel before a cancellation handler is set", ["false ", "false cancelled ", "true cancelled "]) {
      let log = OrderLog()
      let task = Task {
        log.add("\(Task.isCancelled)")
        await withTaskCancellationHandler {
          log.add("|")
        } onCancel: {
          log.add("cancelled")
        }
      }
      task.cancel()
      await task.value
      return String(log.text.prefix { $0 != "|" })
    },
    PlainProgram(
      "a cancel around the operation of a handler",
      [
        "after cancel operation", "cancel after operation", "cancel operation after", "operation after",
        "operation cancel after",
      ]
    ) {
      let log = OrderLog()
      let task = Task {
        await withTaskCancellationHandler {
          log.add("operation")
        } onCancel: {
          log.add("cancel")
        }
      }
      task.cancel()
      log.add("after")
      await task.value
      return log.text
    },
    PlainProgram(
      "a task reads whether it is cancelled, and its parent notes and cancels",
      [
        "parent after task", "parent after task!", "parent task after", "parent task! after", "task parent after",
      ]
    ) {
      let log = OrderLog()
      let task = Task { log.add(Task.isCancelled ? "task!" : "task") }
      log.add("parent")
      task.cancel()
      log.add("after")
      await task.value
      return log.text
    },
    PlainProgram(
      "the body of a group throws before its child ends",
      ["s s throw", "s throw s", "s throw x", "throw s s", "throw s x", "throw x x"]
    ) {
      let (log, cell) = (OrderLog(), Cell())
      try? await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          log.add(Task.isCancelled ? "x" : "s")
          await cell.keep(1)
          log.add(Task.isCancelled ? "x" : "s")
        }
        log.add("throw")
        throw CancellationError()
      }
      return log.text
    },
  ]
}
