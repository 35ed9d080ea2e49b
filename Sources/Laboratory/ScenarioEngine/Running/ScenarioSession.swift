import EventBus
import FetcherModel
import ScenarioFormat

/// One run of a scenario with one strategy, on any runtime and any network.
@MainActor final class ScenarioSession {
  private let stage: ScenarioStage
  private let driver: ScenarioDriver
  private let recorder: TraceRecorder
  private let observer: BusObserver

  /// - Parameters:
  ///   - make: builds the program.
  ///   - log: records the subscriptions.
  ///   - user: where the steps are taken, a scheduler of main; nil for main itself.
  ///   - names: what names the steps.
  ///   - showsBus: whether the record has what the bus did, although no pattern asks for it.
  ///   - turn: called on main; a number that no other turn of main has.
  ///   - onRecord: called with each event of the trace.
  ///   - patience: how long after a step the next one, or the end, may come; nil where the clock ends by itself.
  nonisolated init(
    _ scenario: Scenario, strategy: String, _ make: @escaping ProgramRegistry.Make, on runtime: any Runtime,
    _ network: any ScenarioNetwork, _ log: ActivityLog? = nil, user: (any Scheduler)? = nil,
    _ names: ItemNames = ItemNames(), showsBus: Bool = false, turn: @escaping @Sendable () -> Int = { 0 },
    onRecord: (@Sendable (RunEvent) -> Void)? = nil, patience: Duration? = nil
  ) {
    let recorder = TraceRecorder(
      runtime, most: RunLength.mostEvents(steps: scenario.steps.count), turn: turn, onRecord: onRecord)
    log?.begin(at: recorder.start)
    let observer = BusObserver(recorder, log, scenario.needsBus ? .events : showsBus ? .asides : .stepsAlone)
    let owners = RequestOwners()
    let context = ProgramContext(
      scenario: scenario, strategy: StrategyName(strategy), runtime: runtime,
      bus: EventBus(runtime: runtime, trace: { observer.take($0) }),
      loader: TracingLoader(
        base: network.loader, recorder: recorder, owners: owners, watched: scenario.watchedHeaders), recorder: recorder,
      base: network.base, addresses: network.addresses, owner: { network.id(ofPicture: $0, of: $1) },
      owners: owners)
    stage = ScenarioStage(make, context, network)
    driver = ScenarioDriver(
      scenario.steps, on: stage, recorder, runtime, user: user ?? runtime.main, names, patience: patience)
    self.recorder = recorder
    self.observer = observer
  }

  /// Takes the first step.
  ///
  /// - Parameter onEnd: called once, when nothing is in flight after the last step, or it was given up.
  func start(onEnd: @escaping @MainActor (RunRecord.Cut?) -> Void) {
    stage.open()
    driver.start(onEnd: onEnd)
  }

  /// Ends a run in which nothing is left to do.
  func giveUp() { driver.giveUp() }

  /// What happened so far, and how things stand.
  var record: RunRecord {
    var record = RunRecord()
    record.events = recorder.events
    record.asides = recorder.asides
    record.hiddenSubscriber = stage.hiddenSubscriber
    record.requests = recorder.requests
    record.marks = driver.marks
    record.final = stage.finalState
    record.duration = recorder.now
    return record
  }

  /// Lets go of everything.
  func close() {
    observer.close()
    stage.close()
  }

  /// What is alive although everybody has let go.
  var leaks: Scenario.Leaks { stage.leaks }
}
