import EventBus

/// Calls strategies on a lane of its own, in the order of the calls, so that reading an image costs the reader nothing.
///
/// A call that does not return in time is left behind with its lane. Until it does return, further calls of its strategy have a
/// lane each.
final class StrategyCalls: Sendable {
  private struct Call: Sendable {
    let strategy: String
    let body: @Sendable () -> Void
  }

  private struct State {
    var lane: any Scheduler
    var waiting = RingBuffer<Call>()
    var last = 0
    var running: Set<Int> = []
    /// The strategies of those that have not returned in time.
    var overdue: [Int: String] = [:]
  }

  private static let label = "fetch starts"
  private static let patience = Duration.milliseconds(50)
  private let runtime: any Runtime
  private let timers: any Scheduler
  private let state: Locked<State>

  init(_ runtime: any Runtime, timers: any Scheduler) {
    self.runtime = runtime
    self.timers = timers
    state = Locked(State(lane: runtime.serial(Self.label)))
  }

  /// Runs `body`, which calls the strategy of that name, soon.
  func enter(_ strategy: String, _ body: @escaping @Sendable () -> Void) {
    let lane = state.withLock { state in
      state.waiting.append(Call(strategy: strategy, body: body))
      return state.lane
    }
    lane.schedule { self.runNext() }
  }

  private func runNext() {
    let next = state.withLock { state -> (call: Call, number: Int?)? in
      guard let call = state.waiting.popFirst() else { return nil }
      guard !state.overdue.values.contains(call.strategy) else { return (call, nil) }
      state.last += 1
      state.running.insert(state.last)
      return (call, state.last)
    }
    guard let next else { return }
    guard let number = next.number else { return runtime.serial(Self.label).schedule(next.call.body) }
    let relief = timers.schedule(after: Self.patience) { self.leaveBehind(number, next.call.strategy) }
    next.call.body()
    relief.cancel()
    state.withLock { state in
      state.running.remove(number)
      state.overdue[number] = nil
    }
  }

  private func leaveBehind(_ number: Int, _ strategy: String) {
    let lane = runtime.serial(Self.label)
    let count = state.withLock { state in
      guard state.running.contains(number) else { return 0 }
      state.overdue[number] = strategy
      state.lane = lane
      return state.waiting.count
    }
    for _ in 0..<count { lane.schedule { self.runNext() } }
  }
}
