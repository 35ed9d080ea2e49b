import Scheduling

/// Calls each strategy on a dedicated serial scheduler, in call order, and never on the reader's thread.
///
/// If a call does not return within one second, its scheduler is abandoned and a new one runs the remaining calls. At
/// most four calls per strategy are abandoned at a time. Each abandoned call blocks a thread, and the network needs
/// threads from the same pool to let the calls return.
package final class StrategyCalls: Sendable {
  private struct Call: Sendable {
    let body: @Sendable () -> Void
  }

  /// The calls to one strategy.
  private struct Line {
    var waiting = RingBuffer<Call>()
    /// The scheduler, which the next call reuses. An abandoned call keeps its scheduler.
    var scheduler: (any Scheduler)?
    var current: Int?
    var last = 0
    var leftBehind = 0

    mutating func takeNext() -> (call: Call, number: Int, scheduler: (any Scheduler)?)? {
      guard current == nil, leftBehind < StrategyCalls.maximumLeftBehind, let call = waiting.popFirst() else {
        return nil
      }
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

  private static let maximumLeftBehind = 4
  private static let timeout = Duration.seconds(1)
  private let runtime: any Runtime
  private let timers: any Scheduler
  private let lines = Locked<[StrategyName: Line]>([:])

  init(_ runtime: any Runtime, timers: any Scheduler) {
    self.runtime = runtime
    self.timers = timers
  }

  /// Asynchronously runs `body`, which calls the strategy with that name.
  package func enter(_ strategy: StrategyName, _ body: @escaping @Sendable () -> Void) {
    advance(strategy) { $0.waiting.append(Call(body: body)) }
  }

  /// Changes the strategy's queue of calls, and starts the next call if none is running.
  private func advance(_ strategy: StrategyName, _ change: (inout Line) -> Void) {
    let next = lines.withLock { lines in
      change(&lines[strategy, default: Line()])
      return lines[strategy]?.takeNext()
    }
    guard let (call, number, kept) = next else { return }
    let scheduler = kept ?? runtime.serial("fetch starts")
    scheduler.schedule { [self] in
      let relief = timers.schedule(after: Self.timeout) { self.advance(strategy) { $0.leaveBehind(number) } }
      call.body()
      relief.cancel()
      advance(strategy) { $0.end(number, scheduler) }
    }
  }
}
