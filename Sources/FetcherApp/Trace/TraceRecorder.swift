import EventBus

/// Writes down what happens in a run, in one order. Any thread.
final class TraceRecorder: Sendable {
  /// A run with more events than this goes round in circles.
  static let most = 10_000

  private struct Listener {
    let call: @Sendable () -> Void
  }

  private struct State {
    var events: [TraceEvent] = []
    var requestsUnderWay = 0
    var listener: Listener?
  }

  private let runtime: any Runtime
  /// When the trace began, by the clock of the runtime.
  let start: Duration
  private let state = Locked(State())

  /// Begins a trace at time zero.
  init(_ runtime: any Runtime) {
    self.runtime = runtime
    start = runtime.now
  }

  /// The time since the beginning.
  var now: Duration { runtime.now - start }

  /// What has happened so far.
  var events: [TraceEvent] { state.withLock { $0.events } }

  /// How much has happened so far.
  var count: Int { state.withLock { $0.events.count } }

  /// How many requests the network is not done with.
  var requestsUnderWay: Int { state.withLock { $0.requestsUnderWay } }

  /// Calls `action` after each event from now on, on the thread of the event, in place of an earlier action.
  func listen(_ action: (@Sendable () -> Void)?) {
    let old = state.withLock { state in
      defer { state.listener = action.map { Listener(call: $0) } }
      return state.listener
    }
    withExtendedLifetime(old) {}
  }

  /// Calls the listener although there is no event: something else has changed.
  func remind() { state.withLock { $0.listener }?.call() }

  /// Adds an event.
  ///
  /// - Parameter lane: where it happens; nil for the lane of the caller.
  func record(_ kind: TraceEvent.Kind, _ values: [TraceAttribute: String] = [:], lane: TraceLane? = nil) {
    var values = values
    values[.lane] = (lane ?? (runtime.main.isCurrent ? .main : .workers)).rawValue
    let complete = values
    let listener = state.withLock { state -> Listener? in
      guard state.events.count < Self.most else { return nil }
      // Under the lock, so that times never go backwards.
      state.events.append(TraceEvent(kind: kind, time: now, values: complete))
      if kind == .requestBegin { state.requestsUnderWay += 1 }
      if kind == .requestEnd { state.requestsUnderWay -= 1 }
      return state.listener
    }
    listener?.call()
  }

  /// The first event at or after `position` that matches.
  func first(_ pattern: EventPattern, from position: Int) -> TraceEvent? {
    state.withLock { state in state.events.dropFirst(position).first { pattern.matches($0) } }
  }
}
