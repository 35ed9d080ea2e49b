import EventBus

struct Number: Event { let value: Int }
struct Other: Event { let value: Int }
struct Loaded<Value: Sendable>: Event { let value: Value }
struct Renamed: KeyedEvent {
  let key: String
  var name = ""
}

/// What handlers saw, from any thread.
final class Record<Value: Sendable>: Sendable {
  private let stored = Locked<[Value]>([])
  func append(_ value: Value) { stored.withLock { $0.append(value) } }
  var values: [Value] { stored.withLock { $0 } }
}

/// A scheduler that runs nothing until it is told to: a lane whose thread the test holds in its hand.
final class HeldScheduler: Scheduler {
  let isSerial = true
  private let waiting = Locked<[@Sendable () -> Void]>([])
  private let running = Locked(false)

  var isCurrent: Bool { running.withLock { $0 } }
  var wakeUps: Int { waiting.withLock { $0.count } }

  func schedule(_ action: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(action) } }

  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    fatalError("No test here schedules on a held lane with a delay.")
  }

  func runAll() {
    running.withLock { $0 = true }
    while let action = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { action() }
    running.withLock { $0 = false }
  }
}

/// Runs each body on a thread of its own and returns when all have ended. The cooperative pool is too small for bodies that block.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let runtime = DispatchRuntime.shared
  let done = runtime.gate()
  for index in 0..<count {
    runtime.serial("test \(index)").schedule {
      body(index)
      done.open()
    }
  }
  for _ in 0..<count { done.wait() }
}

/// Waits until a serial scheduler has run all that was scheduled on it before.
func settle(_ scheduler: any Scheduler) async {
  await withCheckedContinuation { continuation in scheduler.schedule { continuation.resume() } }
}
