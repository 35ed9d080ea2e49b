import EventBus
import FetcherModel

/// Takes the steps of a scenario in their order, each at its time. It lives on main.
final class ScenarioDriver: Sendable {
  private enum Waiting {
    case event(EventPattern, plus: Duration)
    case idle
    case end
  }

  private struct State {
    var next = 0
    /// How much had happened before the last step, or was looked at since.
    var position = 0
    var times: [String: Duration] = [:]
    var waiting: Waiting?
    var marks: [RunRecord.Mark] = []
    var onEnd: (@Sendable (RunRecord.Cut?) -> Void)?
  }

  private let steps: [Scenario.Step]
  private let stage: ScenarioStage
  private let recorder: TraceRecorder
  private let runtime: any Runtime
  private let state: Confined<State>

  init(_ steps: [Scenario.Step], on stage: ScenarioStage, _ recorder: TraceRecorder, _ runtime: any Runtime) {
    self.steps = steps
    self.stage = stage
    self.recorder = recorder
    self.runtime = runtime
    state = Confined(runtime.main, State())
  }

  /// The steps that were taken. Main only.
  var marks: [RunRecord.Mark] { state.withValue { $0.marks } }

  /// Begins. Main only.
  ///
  /// - Parameters:
  ///   - limit: how long the whole may take; nil where the clock ends by itself.
  ///   - onEnd: called once on main, when nothing is in flight after the last step, or the time is up.
  func start(limit: Duration?, onEnd: @escaping @Sendable (RunRecord.Cut?) -> Void) {
    let timer = limit.map { limit in runtime.main.schedule(after: limit) { [weak self] in self?.runOut() } }
    state.withValue { state in
      state.onEnd = { cut in
        timer?.cancel()
        onEnd(cut)
      }
    }
    recorder.listen { [weak self, runtime] in runtime.main.schedule { [weak self] in self?.look() } }
    plan()
  }

  /// Plans the next step, or the end.
  private func plan() {
    let number = state.withValue { $0.next }
    guard number < steps.count else {
      state.withValue { $0.waiting = .end }
      return look()
    }
    switch steps[number].start {
    case .at(let time):
      take(at: time)
    case .after(let id, let plus):
      take(at: (state.withValue { $0.times[id] } ?? .zero) + plus)
    case .afterEvent(let pattern, let plus):
      state.withValue { $0.waiting = .event(pattern, plus: plus) }
      look()
    }
  }

  private func take(at time: Duration) {
    _ = runtime.main.schedule(after: time - recorder.now) { [weak self] in self?.takeStep() }
  }

  private func takeStep() {
    let step = state.withValue { state -> Scenario.Step? in
      guard state.onEnd != nil else { return nil }
      let step = steps[state.next]
      state.position = recorder.count
      state.marks.append(RunRecord.Mark(step: state.next, position: state.position))
      if let id = step.id { state.times[id] = recorder.now }
      state.next += 1
      return step
    }
    guard let step else { return }
    stage.perform(step.action)
    guard step.action == .waitIdle else { return plan() }
    state.withValue { $0.waiting = .idle }
    look()
  }

  /// Goes on if what is waited for has happened.
  private func look() {
    let (waiting, position) = state.withValue { ($0.waiting, $0.position) }
    guard recorder.count < TraceRecorder.most else { return end(.endless(.events(TraceRecorder.most))) }
    switch waiting {
    case .event(let pattern, let plus):
      let seen = recorder.count
      guard let event = recorder.first(pattern, from: position) else {
        // So that a long run does not look at its beginning again and again.
        return state.withValue { $0.position = seen }
      }
      state.withValue { $0.waiting = nil }
      take(at: event.time + plus)
    case .idle where stage.isIdle:
      state.withValue { $0.waiting = nil }
      plan()
    case .end where isOver:
      state.withValue { $0.waiting = nil }
      stage.settle { [weak self] in self?.finish() }
    case .idle, .end, nil:
      break
    }
  }

  /// Whether nothing more can come: of a failed fetch the network may still have something to tell.
  private var isOver: Bool { stage.isIdle && recorder.requestsUnderWay == 0 }

  private func finish() {
    guard isOver else {
      state.withValue { $0.waiting = .end }
      return
    }
    end(nil)
  }

  /// Ends a run in which nothing is left to do. Main only.
  func giveUp() {
    let (next, waiting) = state.withValue { ($0.next, $0.waiting) }
    if case .event = waiting { end(.waiting(step: next)) } else { end(.fetching) }
  }

  /// Ends a run whose time is up.
  private func runOut() {
    let next = state.withValue { $0.next }
    end(.outOfTime(next: next < steps.count ? next : nil))
  }

  private func end(_ cut: RunRecord.Cut?) {
    let onEnd = state.withValue { state in
      defer { state.onEnd = nil }
      return state.onEnd
    }
    recorder.listen(nil)
    onEnd?(cut)
  }
}
