import EventBus
import Synchronization

/// A runtime that counts the turns of main, which are its closures, and delegates all work to another runtime.
final class TurnCountingRuntime: Runtime {
  let main: any Scheduler
  private let base: any Runtime
  private let turns = TurnCount()

  init(_ base: any Runtime) {
    self.base = base
    main = TurnCountingScheduler(base: base.main, turns: turns)
  }

  /// The number of the current turn. Read it only on main.
  var turn: Int { turns.number.load(ordering: .relaxed) }

  var workers: any Scheduler { base.workers }
  func serial(_ label: String) -> any Scheduler { base.serial(label) }
  var now: Duration { base.now }
  func gate() -> any Gate { base.gate() }
  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> { base.task(body) }

  func withMainActor<Value: Sendable>(_ body: @MainActor () throws -> Value) rethrows -> Value {
    try base.withMainActor(body)
  }
}

private final class TurnCount: Sendable {
  let number = Atomic(0)
}

private final class TurnCountingScheduler: Scheduler {
  private let base: any Scheduler
  private let turns: TurnCount

  init(base: any Scheduler, turns: TurnCount) {
    self.base = base
    self.turns = turns
  }

  func schedule(_ action: @escaping @Sendable () -> Void) { base.schedule(counted(action)) }

  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    base.schedule(after: delay, counted(action))
  }

  var isSerial: Bool { base.isSerial }
  var isCurrent: Bool { base.isCurrent }

  private func counted(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    { [turns] in
      turns.number.add(1, ordering: .relaxed)
      action()
    }
  }
}
