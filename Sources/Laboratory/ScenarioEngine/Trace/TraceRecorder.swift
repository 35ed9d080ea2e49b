import EventBus
import Foundation
package import ScenarioFormat

/// Records the events of a run in a single order. Safe to use from any thread.
package final class TraceRecorder: Sendable {
  private struct Listener {
    let call: @Sendable () -> Void
  }

  private struct State {
    var events: [RunEvent] = []
    var requests = RequestLog()
    var progress = ProgressSlots()
    var listener: Listener?
    var annotations: [RunRecord.Annotation] = []
    var turns = TurnCount()
    /// The event for which a step is waiting.
    var awaited: EventPattern?
  }

  /// Numbers the turns of main that record events.
  private struct TurnCount {
    private var last: Int?
    private var number = 0

    /// - Parameter turn: a number that is unique to this turn of main.
    mutating func number(of turn: Int) -> Int {
      if turn != last { number += 1 }
      last = turn
      return number
    }
  }

  private let runtime: any Runtime
  /// The time on the runtime's clock at which the trace starts.
  let start: Duration
  private let state = Locked(State())

  /// Returns a number that is unique to this turn of main. Called on main.
  private let turn: @Sendable () -> Int
  private let onRecord: (@Sendable (RunEvent) -> Void)?
  /// The maximum number of events.
  let most: Int

  /// Starts a trace at time zero.
  ///
  /// - Parameters:
  ///   - most: the maximum number of events.
  ///   - turn: a closure that returns a number that is unique to this turn of main. It is called on main.
  ///   - onRecord: called with each event, on the event's thread and outside all locks.
  init(
    _ runtime: any Runtime, most: Int = RunLength.maximumEvents(steps: 0), turn: @escaping @Sendable () -> Int = { 0 },
    onRecord: (@Sendable (RunEvent) -> Void)? = nil
  ) {
    self.runtime = runtime
    self.most = most
    self.turn = turn
    self.onRecord = onRecord
    start = runtime.now
  }

  /// The time since the trace began.
  var now: Duration { runtime.now - start }

  /// The events so far.
  var events: [RunEvent] { state.withLock { $0.events } }

  /// The events at and after this position.
  func events(from position: Int) -> [RunEvent] { state.withLock { Array($0.events.dropFirst(position)) } }

  /// The number of events so far.
  var count: Int { state.withLock { $0.events.count } }

  /// The number of unfinished requests.
  var requestsUnderWay: Int { state.withLock { $0.requests.underWay } }

  /// The requests so far.
  var requests: [RequestLog.Request] { state.withLock { $0.requests.requests } }

  /// Calls `action` after each future event, on the event's thread. Replaces any earlier action.
  func listen(_ action: (@Sendable () -> Void)?) {
    let old = state.withLock { state in
      defer { state.listener = action.map { Listener(call: $0) } }
      return state.listener
    }
    withExtendedLifetime(old) {}
  }

  /// Calls the listener after a state change that is not an event.
  func remind() { state.withLock { $0.listener }?.call() }

  /// The bus events that are not events of the run.
  var annotations: [RunRecord.Annotation] { state.withLock { $0.annotations } }

  /// Sets the event for which a step is waiting, or nil if no step is waiting for an event.
  func await(_ pattern: EventPattern?) { state.withLock { $0.awaited = pattern } }

  /// Adds a bus event. The event resumes a step only if the step is waiting for it.
  func recordStep(ofBus kind: TraceKind, _ values: TraceValues, subscription: Int?, isAnnotation: Bool) {
    let (event, listener) = state.withLock { state -> (RunEvent?, Listener?) in
      var event = self.event(kind, values, nil, &state)
      event.subscription = subscription
      if isAnnotation {
        if state.annotations.count < most {
          state.annotations.append(RunRecord.Annotation(position: state.events.count, event: event))
        }
        return (nil, nil)
      }
      guard state.events.count < most else { return (nil, nil) }
      state.events.append(event)
      return (event, state.awaited?.matches(event) == true ? state.listener : nil)
    }
    if let event { onRecord?(event) }
    listener?.call()
  }

  /// Adds an event. If a step or the end of the run is waiting for the event, ``remind()`` resumes the run later.
  ///
  /// - Returns: whether the event was kept.
  func recordSilently(_ kind: TraceKind, _ values: TraceValues) -> Bool {
    let event = state.withLock { state -> RunEvent? in
      guard state.events.count < most else { return nil }
      let event = self.event(kind, values, nil, &state)
      guard state.progress.keeps(event) else { return nil }
      state.events.append(event)
      return event
    }
    if let event { onRecord?(event) }
    return event != nil
  }

  /// Creates an event. Call this while holding the lock, so that event times never decrease.
  private func event(
    _ kind: TraceKind, _ values: TraceValues, _ lane: TraceLane?, _ state: inout State
  ) -> RunEvent {
    let isMain = runtime.main.isCurrent
    var values = values
    values[.lane] = (lane ?? (isMain ? .main : .workers)).rawValue
    return RunEvent(
      kind: kind, time: now, values: values, turn: isMain ? state.turns.number(of: turn()) : nil)
  }

  /// Adds an event. If several progress reports follow in quick succession, adds only the first one.
  ///
  /// - Parameter lane: the event's lane, or nil for the caller's lane.
  package func record(_ kind: TraceKind, _ values: TraceValues = [:], lane: TraceLane? = nil) {
    record(kind, values, lane: lane, request: nil)
  }

  /// Adds an event of a request or of a subscription.
  ///
  /// - Parameters:
  ///   - request: the number of the request that ends, or nil for the oldest request of its path.
  ///   - subscription: the number of the subscription, or nil.
  /// - Returns: the number of the request that starts.
  @discardableResult func record(
    _ kind: TraceKind, _ values: TraceValues, lane: TraceLane?, request: Int?, subscription: Int? = nil
  ) -> Int? {
    let (event, begun, listener) = state.withLock { state -> (RunEvent?, Int?, Listener?) in
      guard state.events.count < most else { return (nil, nil, nil) }
      var event = self.event(kind, values, lane, &state)
      event.subscription = subscription
      guard state.progress.keeps(event) else { return (nil, nil, nil) }
      let position = state.events.count
      state.events.append(event)
      let path = ScenarioPath(values[.path] ?? "")
      let begun = kind == .requestBegin ? state.requests.begin(path, at: position) : nil
      if kind == .requestEnd { state.requests.end(path, request, at: position) }
      return (event, begun, state.listener)
    }
    if let event { onRecord?(event) }
    listener?.call()
    return begun
  }

  /// Records that the client abandoned the request.
  func abandon(_ request: Int?) {
    guard let request else { return }
    state.withLock { $0.requests.abandon(request, at: $0.events.count) }
  }

  /// The first matching event at or after `position`.
  func first(_ pattern: EventPattern, from position: Int) -> RunEvent? {
    state.withLock { state in state.events.dropFirst(position).first { pattern.matches($0) } }
  }
}

/// Selects the progress reports that a trace keeps: a fetch's first report, and then the first one in each time slot.
///
/// A body can arrive in more pieces than a trace could hold. The number of pieces depends on sockets and buffers. At
/// first, a slot is 50 ms long; later, it is a tenth of the time since the first bytes. So a fetch of one minute has
/// about sixty slots.
struct ProgressSlots: Sendable {
  private static let length = Duration.milliseconds(50)
  private static let growth = 1.1
  /// The number of slots of minimum length. All later slots are longer.
  private static let linear = 10

  private var fetches: [String: (begin: Duration, slot: Int)] = [:]

  /// Whether to keep an event. Events other than progress reports are always kept.
  mutating func keeps(_ event: RunEvent) -> Bool {
    let image = event[.image] ?? ""
    if event.kind == .fetchStart { fetches[image] = nil }
    guard event.kind == .fetchProgress else { return true }
    guard let (begin, last) = fetches[image] else {
      fetches[image] = (event.time, 0)
      return true
    }
    let slot = Self.slot(event.time - begin)
    fetches[image]?.slot = max(slot, last)
    return slot > last
  }

  /// The number of the slot, counted from the arrival of the first bytes.
  private static func slot(_ elapsed: Duration) -> Int {
    let slots = elapsed / length
    guard slots > Double(linear) else { return Int(slots) }
    return linear + Int(log(slots / Double(linear)) / log(growth))
  }
}
