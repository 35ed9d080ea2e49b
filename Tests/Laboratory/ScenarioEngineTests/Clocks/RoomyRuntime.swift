import EventBus
import Foundation

/// A runtime whose workers never wait for each other, because each closure runs on a separate thread.
///
/// The pool of Dispatch has as many threads as the machine has cores. With it, the delay that a blocked closure causes
/// would depend on the machine.
final class RoomyRuntime: Runtime {
  let workers: any Scheduler
  private let base: any Runtime

  /// Creates a runtime that replaces only the workers of another runtime.
  init(_ base: any Runtime) {
    self.base = base
    workers = ThreadScheduler(base.workers)
  }

  var main: any Scheduler { base.main }
  var now: Duration { base.now }
  func serial(_ label: String) -> any Scheduler { base.serial(label) }
  func gate() -> any Gate { base.gate() }
  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> { base.task(body) }

  func withMainActor<Value: Sendable>(_ body: @MainActor () throws -> Value) rethrows -> Value {
    try base.withMainActor(body)
  }
}

private final class ThreadScheduler: Scheduler {
  private static let mark = "RoomyRuntime"
  /// The scheduler for delays.
  private let timers: any Scheduler

  init(_ timers: any Scheduler) { self.timers = timers }

  let isSerial = false
  var isCurrent: Bool { Thread.current.threadDictionary[Self.mark] != nil }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    let thread = Thread {
      Thread.current.threadDictionary[Self.mark] = true
      action()
    }
    thread.start()
  }

  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    timers.schedule(after: delay) { [self] in schedule(action) }
  }
}
