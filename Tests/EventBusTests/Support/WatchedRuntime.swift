import EventBus
import VirtualTime

/// The Dispatch runtime with a main scheduler and a clock that the test controls. Its gates call `onWait` before each
/// wait.
struct WatchedRuntime: Runtime {
  let held = HeldScheduler()
  let time = Locked(Duration.zero)
  var onWait: @Sendable () -> Void = {}

  var main: any Scheduler { held }
  var workers: any Scheduler { DispatchRuntime.shared.workers }
  var now: Duration { time.withLock { $0 } }

  func serial(_ label: String) -> any Scheduler { DispatchRuntime.shared.serial(label) }

  /// Main runs its actions on worker threads, so Swift's own check of the main actor would refuse them.
  func withMainActor<Value: Sendable>(_ body: @MainActor () throws -> Value) rethrows -> Value {
    try ManualRuntime().withMainActor(body)
  }

  func gate() -> any Gate { WatchedGate(gate: DispatchRuntime.shared.gate(), onWait: onWait) }

  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> { DispatchRuntime.shared.task(body) }
}

private struct WatchedGate: Gate {
  let gate: any Gate
  let onWait: @Sendable () -> Void

  func open() { gate.open() }

  func wait() {
    onWait()
    gate.wait()
  }
}
