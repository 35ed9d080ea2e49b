import EventBus

/// Calls each strategy on a dedicated serial scheduler, in call order, never on the reader's thread.
///
/// If a call does not return within one second, this type abandons the call with its scheduler and runs the remaining
/// calls on a new one. It abandons at most four calls per strategy at a time. Each of them blocks a thread, and the
/// network needs threads of the same pool to let them return.
final class StrategyCalls: Sendable {
  private struct Call: Sendable {
    let body: @Sendable () -> Void
  }

  /// The calls of one strategy.
  private struct Line {
    var waiting = RingBuffer<Call>()
    /// Reused from the previous call. An abandoned call keeps its scheduler.
    var scheduler: (any Scheduler)?
    var current: Int?
    var last = 0
    var leftBehind = 0

    mutating func takeNext() -> (call: Call, number: Int, scheduler: (any Scheduler)?)? {
      guard current == nil, leftBehind < StrategyCalls.mostLeftBehind, let call = waiting.popFirst() else { return nil }
      last += 1
      current = last
      return (call, last, scheduler.take())
    }

    mutating func leaveBehind(_ number: Int) {
      guard current == number else { return }
      current = nil
      leftBehind += 1
    }

    mutating func end(_ number: Int, _ scheduler: any Scheduler) {
      guard current == number else { return leftBehind -= 1 }
      current = nil
      self.scheduler = scheduler
    }
  }

  private static let mostLeftBehind = 4
  private static let patience = Duration.seconds(1)
  private let runtime: any Runtime
  private let timers: any Scheduler
  private let lines = Locked<[StrategyName: Line]>([:])

  init(_ runtime: any Runtime, timers: any Scheduler) {
    self.runtime = runtime
    self.timers = timers
  }

  /// Runs `body` asynchronously. It calls the strategy of that name.
  func enter(_ strategy: StrategyName, _ body: @escaping @Sendable () -> Void) {
    advance(strategy) { $0.waiting.append(Call(body: body)) }
  }

  /// Changes a line, and starts its next call if the line is free.
  private func advance(_ strategy: StrategyName, _ change: (inout Line) -> Void) {
    let next = lines.withLock { lines in
      change(&lines[strategy, default: Line()])
      return lines[strategy]?.takeNext()
    }
    guard let (call, number, kept) = next else { return }
    let scheduler = kept ?? runtime.serial("fetch starts")
    scheduler.schedule { [self] in
      let relief = timers.schedule(after: Self.patience) { self.advance(strategy) { $0.leaveBehind(number) } }
      call.body()
      relief.cancel()
      advance(strategy) { $0.end(number, scheduler) }
    }
  }
}

/// The schedulers of the model's own work. No strategy can block them.
struct ModelSchedulers: Sendable {
  /// For deadlines, and for the waits before retries.
  let timers: any Scheduler
  /// For validating pictures and reading responses.
  let ends: any Scheduler
  /// For calls of strategies.
  let calls: StrategyCalls

  init(_ runtime: any Runtime) {
    timers = runtime.serial("fetch deadlines")
    ends = runtime.serial("fetch ends")
    calls = StrategyCalls(runtime, timers: timers)
  }
}
