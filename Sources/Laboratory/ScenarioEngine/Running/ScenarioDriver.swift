import EventBus
import FetcherModel
import ScenarioFormat

/// Performs a scenario's steps in order, each at its time. A person can add steps.
@MainActor final class ScenarioDriver {
  private enum Waiting {
    case event(EventPattern, plus: Duration)
    case idle
    case end

    var isForEvent: Bool { if case .event = self { true } else { false } }
  }

  /// The scenario's steps, and those that a person has added.
  private(set) var steps: [Scenario.Step]
  private let stage: ScenarioStage
  private let recorder: TraceRecorder
  private let runtime: any Runtime
  private let user: any Scheduler
  private let names: ItemNames
  private let timeout: Duration?
  private var next = 0
  /// The number of events recorded before the last step or the last check.
  private var position = 0
  private var times: [String: Duration] = [:]
  private var waiting: Waiting?
  /// The steps that were performed, with their positions in the trace.
  private(set) var marks: [RunRecord.Mark] = []
  /// The timer that cuts the run off.
  private var deadline: (any Cancellation)?
  private var onEnd: (@MainActor (RunRecord.Termination?) -> Void)?

  /// - Parameters:
  ///   - user: the main scheduler on which the steps run.
  ///   - names: a value that names the steps.
  ///   - timeout: the maximum time from a step to the next step or to the end of the run. Pass nil if the clock stops
  ///     on its own.
  nonisolated init(
    _ steps: [Scenario.Step], on stage: ScenarioStage, _ recorder: TraceRecorder, _ runtime: any Runtime,
    user: any Scheduler, _ names: ItemNames, timeout: Duration?
  ) {
    self.names = names
    self.user = user
    self.timeout = timeout
    self.steps = steps
    self.stage = stage
    self.recorder = recorder
    self.runtime = runtime
  }

  /// Starts with the first step.
  ///
  /// - Parameter onEnd: called once, when no work is in flight after the last step or when the time is up.
  func start(onEnd: @escaping @MainActor (RunRecord.Termination?) -> Void) {
    self.onEnd = onEnd
    startTimeout(at: recorder.now)
    recorder.listen { [weak self, runtime] in runtime.scheduleOnMain { [weak self] in self?.hear() } }
    plan()
  }

  /// Performs a step of a person now. It precedes the scenario's next step.
  func perform(_ action: Scenario.Action) {
    let now = recorder.now
    marks.append(RunRecord.Mark(step: next, id: nil, position: recorder.count, time: now))
    steps.insert(Scenario.Step(start: .at(now), action: action), at: next)
    next += 1
    stage.perform(action)
  }

  /// Restarts the time limit when a step becomes due, so that the next step again has the full time.
  private func startTimeout(at time: Duration) {
    guard let timeout, onEnd != nil else { return }
    let delay = max(time - recorder.now, .zero) + timeout
    let old = deadline
    deadline = runtime.scheduleOnMain(after: delay) { [weak self] in self?.runOut() }
    old?.cancel()
  }

  /// Handles an event for which the next step or the end of the run may have been waiting.
  private func hear() {
    names.name(nextQuestion, onlyLooks: true)
    look()
  }

  private var nextQuestion: String {
    next < steps.count ? "is it time for step \(next + 1)?" : "is it the end?"
  }

  /// Schedules the next step, or waits for the end of the run.
  private func plan() {
    guard next < steps.count else {
      waiting = .end
      return look()
    }
    switch steps[next].start {
    case .at(let time):
      take(at: time)
    case .after(let id, let plus):
      take(at: (times[id] ?? .zero) + plus)
    case .afterEvent(let pattern, let plus):
      waiting = .event(pattern, plus: plus)
      recorder.await(pattern)
      look()
    }
  }

  private func take(at time: Duration) {
    startTimeout(at: time)
    _ = user.schedule(after: time - recorder.now) { [weak self, runtime] in
      runtime.assumeMainActor { self?.takeStep() }
    }
  }

  private func takeStep() {
    guard onEnd != nil else { return }
    let step = steps[next]
    position = recorder.count
    marks.append(RunRecord.Mark(step: next, id: step.id, position: position, time: recorder.now))
    if let id = step.id { times[id] = recorder.now }
    next += 1
    names.name("step \(next)")
    stage.perform(step.action)
    guard step.action == .waitIdle else { return plan() }
    waiting = .idle
    look()
  }

  /// Continues if the awaited event has happened.
  private func look() {
    guard recorder.count < recorder.most else { return end(.endless(.events(recorder.most))) }
    switch waiting {
    case .event(let pattern, let plus):
      let seen = recorder.count
      guard let event = recorder.first(pattern, from: position) else {
        // Remember the position, so that a long run does not check its earliest events repeatedly.
        position = seen
        return
      }
      waiting = nil
      recorder.await(nil)
      take(at: event.time + plus)
    case .idle where isOver, .end where isOver:
      stage.whenDrained { [weak self, waiting] in self?.drained(waiting) }
      waiting = nil
    case .idle, .end, nil:
      break
    }
  }

  /// Whether no further event can occur. Even after a fetch has failed, the network may still report events for it.
  private var isOver: Bool { stage.isIdle && recorder.requestsUnderWay == 0 }

  /// Ends the wait for idleness, unless new work has started.
  private func drained(_ awaited: Waiting?) {
    guard isOver else {
      waiting = awaited
      return
    }
    guard case .idle = awaited else { return end(nil) }
    let now = recorder.now
    // A later step that refers to this `wait-idle` counts its time from the end of the wait.
    if let id = steps[next - 1].id { times[id] = now }
    marks[marks.count - 1].time = now
    startTimeout(at: now)
    plan()
  }

  /// Ends a run that has no work left.
  func giveUp() {
    end(waiting?.isForEvent == true ? .waiting(step: next) : .fetching)
  }

  /// Ends a run whose time is up.
  private func runOut() {
    if waiting?.isForEvent == true { return end(.waitingTooLong(step: next)) }
    end(.outOfTime(next: next < steps.count ? next : nil))
  }

  private func end(_ termination: RunRecord.Termination?) {
    deadline.take()?.cancel()
    recorder.listen(nil)
    onEnd.take()?(termination)
  }
}
