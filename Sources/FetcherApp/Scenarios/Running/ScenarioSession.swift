import EventBus
import FetcherModel

/// One run of a scenario with one strategy, on any runtime and any network. All but `init` and ``start`` is for main only.
final class ScenarioSession: Sendable {
  private let stage: ScenarioStage
  private let driver: ScenarioDriver
  private let recorder: TraceRecorder

  /// - Parameters:
  ///   - log: where the subscriptions are written down.
  ///   - patience: how long after a step the next one, or the end, may come; nil where the clock ends by itself.
  init(
    _ scenario: Scenario, strategy: String, on runtime: any Runtime, _ network: any ScenarioNetwork,
    _ log: ActivityLog? = nil, patience: Duration? = nil
  ) {
    let recorder = TraceRecorder(runtime)
    log?.begin(at: recorder.start)
    let bus = EventBus(runtime: runtime, trace: log.map { log in { @Sendable step in log.note(step) } })
    let owners = RequestOwners()
    let loader = TracingLoader(base: network.loader, recorder: recorder, owners: owners)
    let environment = FetchEnvironment(
      runtime: runtime, bus: bus, loader: loader, strategy: strategy, cache: ImageCache())
    stage = ScenarioStage(scenario, in: environment, recorder, network, owners)
    driver = ScenarioDriver(scenario.steps, on: stage, recorder, runtime, patience: patience)
    self.recorder = recorder
  }

  /// Takes the first step.
  ///
  /// - Parameter onEnd: called once, when nothing is in flight after the last step, or it was given up.
  func start(onEnd: @escaping @Sendable (RunRecord.Cut?) -> Void) {
    stage.open()
    driver.start(onEnd: onEnd)
  }

  /// Ends a run in which nothing is left to do.
  func giveUp() { driver.giveUp() }

  /// What happened so far, and how things stand.
  var record: RunRecord {
    var record = RunRecord()
    record.events = recorder.events
    record.marks = driver.marks
    record.final = stage.finalState
    record.duration = recorder.now
    return record
  }

  /// Lets go of everything.
  func close() { stage.close() }

  /// What is alive although everybody has let go.
  var leaks: Scenario.Leaks { stage.leaks }
}
