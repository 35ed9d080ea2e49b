import OriginServer
import PlainText
import ScenarioEngine
import ScenarioFormat
import Scheduling

/// A scenario that the user plays one step at a time. Safe to use from any thread.
///
/// The scenario's time stands still between two moves. The origin holds its responses, and the next move is the step or
/// the response that comes first at the scenario's own pace. So a race happens however long the user waits.
final class StepByStep: Sendable {
  /// The next move.
  enum Move {
    case step(Scenario.Step, at: Duration)
    case response(Held)
    /// The next step waits for an event.
    case wait
    case end
  }

  /// A response that the origin holds.
  struct Held: Sendable {
    let id: Int
    let path: OriginPath
    let latency: Duration
    /// The scenario's time at which the response is due.
    let due: Duration
    let release: @Sendable () -> Void
  }

  private struct State: Sendable {
    /// The scenario's time.
    var time = Duration.zero
    var next = 0
    /// The number of events before the last step.
    var position = 0
    /// The time of the event for which the next step waits, or nil.
    var awaited: Duration?
    var times: [String: Duration] = [:]
    var held: [Held] = []
    var lastID = 0
  }

  let steps: [Scenario.Step]
  private let state = Locked(State())

  init(_ steps: [Scenario.Step]) { self.steps = steps }

  /// The number of steps that were performed.
  var next: Int { state.withLock { $0.next } }

  /// Holds a response until its move. Returns a closure that forgets it.
  func hold(_ path: OriginPath, _ latency: Duration, _ release: @escaping @Sendable () -> Void) -> @Sendable () -> Void
  {
    let id = state.withLock { state in
      state.lastID += 1
      state.held.append(
        Held(id: state.lastID, path: path, latency: latency, due: state.time + latency, release: release))
      return state.lastID
    }
    return { [weak self] in self?.state.withLock { $0.held.removeAll { $0.id == id } } }
  }

  /// The move that comes first.
  @MainActor func move(in live: LiveScenario) -> Move {
    let state = state.withLock { $0 }
    let response = state.held.min { ($0.due, $0.id) < ($1.due, $1.id) }
    guard state.next < steps.count else { return response.map(Move.response) ?? .end }
    let step = steps[state.next]
    guard let time = time(of: step, state, live) else { return response.map(Move.response) ?? .wait }
    if let response, response.due < time { return .response(response) }
    return .step(step, at: time)
  }

  /// The scenario's time of a step, or nil if it still waits.
  @MainActor private func time(of step: Scenario.Step, _ state: State, _ live: LiveScenario) -> Duration? {
    if step.action == .waitIdle, !state.held.isEmpty || !live.isIdle { return nil }
    let time: Duration
    switch step.start {
    case .at(let start): time = start
    case .after(let id, let plus): time = (state.times[id] ?? .zero) + plus
    case .afterEvent(let pattern, let plus):
      // The event results from the last move, so it happened at the current time.
      if state.awaited == nil, !live.events(from: state.position).contains(where: pattern.matches) { return nil }
      let event = state.awaited ?? state.time
      self.state.withLock { $0.awaited = event }
      time = event + plus
    }
    return max(time, state.time)
  }

  /// Makes the next move. Returns the step to perform, or nil.
  @MainActor func take(in live: LiveScenario) -> Scenario.Action? {
    switch move(in: live) {
    case .step(let step, let time):
      state.withLock { state in
        if let id = step.id { state.times[id] = time }
        (state.time, state.position, state.awaited) = (time, live.count, nil)
        state.next += 1
      }
      return step.action
    case .response(let held):
      state.withLock { state in
        state.time = max(state.time, held.due)
        state.held.removeAll { $0.id == held.id }
      }
      held.release()
    case .wait, .end: break
    }
    return nil
  }
}
