import EventBus
import FetcherModel
import ScenarioFormat

/// Takes the steps of a scenario in their order, each at its time. It lives on main.
final class ScenarioDriver: Sendable {
  private enum Waiting {
    case event(EventPattern, plus: Duration)
    case idle
    case end

    var isForEvent: Bool { if case .event = self { true } else { false } }
  }

  private struct State {
    var next = 0
    /// How much had happened before the last step, or was looked at since.
    var position = 0
    var times: [String: Duration] = [:]
    var waiting: Waiting?
    var marks: [RunRecord.Mark] = []
    /// What cuts the run off.
    var deadline: (any Cancellation)?
    var onEnd: (@Sendable (RunRecord.Cut?) -> Void)?
  }

  private let steps: [Scenario.Step]
  private let stage: ScenarioStage
  private let recorder: TraceRecorder
  private let runtime: any Runtime
  private let user: any Scheduler
  private let names: ItemNames
  private let patience: Duration?
  private let state: Confined<State>

  /// - Parameters:
  ///   - user: the scheduler of main on which steps are taken.
  ///   - names: what names the steps.
  ///   - patience: how long after a step the next one, or the end, may come; nil where the clock ends by itself.
  init(
    _ steps: [Scenario.Step], on stage: ScenarioStage, _ recorder: TraceRecorder, _ runtime: any Runtime,
    user: any Scheduler, _ names: ItemNames, patience: Duration?
  ) {
    self.names = names
    self.user = user
    self.patience = patience
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
  /// - Parameter onEnd: called once on main, when nothing is in flight after the last step, or the time is up.
  func start(onEnd: @escaping @Sendable (RunRecord.Cut?) -> Void) {
    state.withValue { $0.onEnd = onEnd }
    beginPatience(at: recorder.now)
    recorder.listen { [weak self, runtime] in runtime.main.schedule { [weak self] in self?.hear() } }
    plan()
  }

  /// A step is due at that time: what comes next has as long as ever.
  private func beginPatience(at time: Duration) {
    guard let patience, state.withValue({ $0.onEnd != nil }) else { return }
    let delay = max(time - recorder.now, .zero) + patience
    let timer = runtime.main.schedule(after: delay) { [weak self] in self?.runOut() }
    let old = state.withValue { state in
      defer { state.deadline = timer }
      return state.deadline
    }
    old?.cancel()
  }

  /// Something has happened, which the next step or the end may have waited for.
  private func hear() {
    names.name(nextQuestion, onlyLooks: true)
    look()
  }

  private var nextQuestion: String {
    let next = state.withValue { $0.next }
    return next < steps.count ? "is it time for step \(next + 1)?" : "is it the end?"
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
      recorder.await(pattern)
      look()
    }
  }

  private func take(at time: Duration) {
    beginPatience(at: time)
    _ = user.schedule(after: time - recorder.now) { [weak self] in self?.takeStep() }
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
    names.name("step \(state.withValue { $0.next })")
    stage.perform(step.action)
    guard step.action == .waitIdle else { return plan() }
    state.withValue { $0.waiting = .idle }
    look()
  }

  /// Goes on if what is waited for has happened.
  private func look() {
    let (waiting, position) = state.withValue { ($0.waiting, $0.position) }
    guard recorder.count < recorder.most else { return end(.endless(.events(recorder.most))) }
    switch waiting {
    case .event(let pattern, let plus):
      let seen = recorder.count
      guard let event = recorder.first(pattern, from: position) else {
        // So that a long run does not look at its beginning again and again.
        return state.withValue { $0.position = seen }
      }
      state.withValue { $0.waiting = nil }
      recorder.await(nil)
      take(at: event.time + plus)
    case .idle where isOver, .end where isOver:
      state.withValue { $0.waiting = nil }
      stage.whenDrained { [weak self] in self?.drained(waiting) }
    case .idle, .end, nil:
      break
    }
  }

  /// Whether nothing more can come: of a failed fetch the network may still have something to report.
  private var isOver: Bool { stage.isIdle && recorder.requestsUnderWay == 0 }

  /// Ends the wait for rest, unless something has begun since.
  private func drained(_ waiting: Waiting?) {
    guard isOver else { return state.withValue { $0.waiting = waiting } }
    guard case .idle = waiting else { return end(nil) }
    let now = recorder.now
    state.withValue { state in
      // Who refers to the step means its end.
      if let id = steps[state.next - 1].id { state.times[id] = now }
    }
    beginPatience(at: now)
    plan()
  }

  /// Ends a run in which nothing is left to do. Main only.
  func giveUp() {
    let (next, waiting) = state.withValue { ($0.next, $0.waiting) }
    end(waiting?.isForEvent == true ? .waiting(step: next) : .fetching)
  }

  /// Ends a run whose time is up.
  private func runOut() {
    let (next, waiting) = state.withValue { ($0.next, $0.waiting) }
    if waiting?.isForEvent == true { return end(.waitingTooLong(step: next)) }
    end(.outOfTime(next: next < steps.count ? next : nil))
  }

  private func end(_ cut: RunRecord.Cut?) {
    let (onEnd, deadline) = state.withValue { state in
      defer { (state.onEnd, state.deadline) = (nil, nil) }
      return (state.onEnd, state.deadline)
    }
    deadline?.cancel()
    recorder.listen(nil)
    onEnd?(cut)
  }
}
