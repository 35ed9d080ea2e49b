import EventBus
package import ScenarioFormat

/// Writes down what happens in a run, in one order. Any thread.
package final class TraceRecorder: Sendable {
  private struct Listener {
    let call: @Sendable () -> Void
  }

  private struct State {
    var events: [RunEvent] = []
    var requests = RequestLog()
    var progress = ProgressSlots()
    var listener: Listener?
  }

  private let runtime: any Runtime
  /// When the trace began, by the clock of the runtime.
  let start: Duration
  private let state = Locked(State())

  private let onRecord: (@Sendable (RunEvent) -> Void)?
  /// How many events are kept.
  let most: Int

  /// Begins a trace at time zero.
  ///
  /// - Parameters:
  ///   - most: how many events are kept.
  ///   - onRecord: called with each event, on its thread, outside of all locks.
  init(
    _ runtime: any Runtime, most: Int = RunLength.mostEvents(steps: 0),
    onRecord: (@Sendable (RunEvent) -> Void)? = nil
  ) {
    self.runtime = runtime
    self.most = most
    self.onRecord = onRecord
    start = runtime.now
  }

  /// The time since the beginning.
  var now: Duration { runtime.now - start }

  /// What has happened so far.
  var events: [RunEvent] { state.withLock { $0.events } }

  /// How much has happened so far.
  var count: Int { state.withLock { $0.events.count } }

  /// How many requests the network is not done with.
  var requestsUnderWay: Int { state.withLock { $0.requests.underWay } }

  /// The requests so far.
  var requests: [RequestLog.Request] { state.withLock { $0.requests.requests } }

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

  /// Adds an event. Of several reports of progress that come soon after each other, only the first.
  ///
  /// - Parameter lane: where it happens; nil for the lane of the caller.
  package func record(_ kind: TraceKind, _ values: TraceValues = [:], lane: TraceLane? = nil) {
    record(kind, values, lane: lane, request: nil)
  }

  /// The same for an event of a request.
  ///
  /// - Parameter request: the number of the request that ends; nil for the oldest one of its path.
  /// - Returns: the number of the request that begins.
  @discardableResult func record(
    _ kind: TraceKind, _ values: TraceValues, lane: TraceLane?, request: Int?
  ) -> Int? {
    var values = values
    values[.lane] = (lane ?? (runtime.main.isCurrent ? .main : .workers)).rawValue
    let complete = values
    let (event, begun, listener) = state.withLock { state -> (RunEvent?, Int?, Listener?) in
      guard state.events.count < most else { return (nil, nil, nil) }
      // Under the lock, so that times never go backwards.
      let event = RunEvent(kind: kind, time: now, values: complete)
      guard state.progress.keeps(event) else { return (nil, nil, nil) }
      let position = state.events.count
      state.events.append(event)
      let path = ScenarioPath(complete[.path] ?? "")
      let begun = kind == .requestBegin ? state.requests.begin(path, at: position) : nil
      if kind == .requestEnd { state.requests.end(path, request, at: position) }
      return (event, begun, state.listener)
    }
    if let event { onRecord?(event) }
    listener?.call()
    return begun
  }

  /// The client of a request has no more use for it.
  func settle(_ request: Int?) {
    guard let request else { return }
    state.withLock { $0.requests.settle(request, at: $0.events.count) }
  }

  /// The first event at or after `position` that matches.
  func first(_ pattern: EventPattern, from position: Int) -> RunEvent? {
    state.withLock { state in state.events.dropFirst(position).first { pattern.matches($0) } }
  }
}
