import EventBus
import FetcherModel
import ScenarioFormat

/// One run of a scenario with one strategy, on any runtime and with any network.
@MainActor final class ScenarioSession {
  private let stage: ScenarioStage
  private let driver: ScenarioDriver
  nonisolated let recorder: TraceRecorder
  private let observer: BusObserver

  /// - Parameters:
  ///   - make: the factory of the program.
  ///   - log: the log that records the subscriptions.
  ///   - user: the main scheduler on which the steps run, or nil for main itself.
  ///   - names: a value that names the steps.
  ///   - showsBus: whether to record all bus events, even those that no pattern names.
  ///   - bus: the bus events to record, or nil to derive them from the scenario and `showsBus`.
  ///   - most: the maximum number of events, or nil to derive it from the number of steps.
  ///   - turn: a closure that returns a number that is unique to this turn of main. The closure is called on main.
  ///   - onRecord: called with each event in the trace.
  ///   - timeout: the maximum time from a step to the next step or to the end of the run. Pass nil if the clock stops
  ///     on its own.
  ///   - networkUse: observes whether the strategies use the network.
  nonisolated init(
    _ scenario: Scenario, strategy: String, _ make: @escaping ProgramRegistry.Make, on runtime: any Runtime,
    _ network: any ScenarioNetwork, _ log: ActivityLog? = nil, user: (any Scheduler)? = nil,
    _ names: ItemNames = ItemNames(), showsBus: Bool = false, bus: BusObserver.Extent? = nil,
    most: Int? = nil, turn: @escaping @Sendable () -> Int = { 0 },
    onRecord: (@Sendable (RunEvent) -> Void)? = nil, timeout: Duration? = nil, networkUse: NetworkUse? = nil
  ) {
    let recorder = TraceRecorder(
      runtime, most: most ?? RunLength.maximumEvents(steps: scenario.steps.count), turn: turn, onRecord: onRecord)
    log?.begin(at: recorder.start)
    let observer = BusObserver(
      recorder, log, bus ?? (scenario.needsBus ? .events : showsBus ? .annotations : .stepsAlone))
    let owners = RequestOwners()
    let context = ProgramContext(
      scenario: scenario, strategy: StrategyName(strategy), runtime: runtime,
      bus: EventBus(runtime: runtime, trace: { observer.take($0) }),
      loader: TracingLoader(
        base: network.loader, recorder: recorder, owners: owners, watched: scenario.watchedHeaders,
        networkUse: networkUse),
      recorder: recorder,
      base: network.base, addresses: network.addresses, owner: { network.id(ofPicture: $0, of: $1) },
      owners: owners, networkUse: networkUse)
    stage = ScenarioStage(make, context, network)
    driver = ScenarioDriver(
      scenario.steps, on: stage, recorder, runtime, user: user ?? runtime.main, names, timeout: timeout)
    self.recorder = recorder
    self.observer = observer
  }

  /// Performs the first step.
  ///
  /// - Parameter onEnd: called once, when no work is in flight after the last step or when the run is abandoned.
  func start(onEnd: @escaping @MainActor (RunRecord.Termination?) -> Void) {
    open()
    play(onEnd: onEnd)
  }

  /// Builds the program, and performs no step.
  func open() { stage.open() }

  /// Performs the scenario's steps, each at its time.
  func play(onEnd: @escaping @MainActor (RunRecord.Termination?) -> Void) { driver.start(onEnd: onEnd) }

  /// Performs a step that is not in the scenario, now.
  func perform(_ action: Scenario.Action) { driver.perform(action) }

  /// The scenario's steps, and those that ``perform(_:)`` has added.
  var steps: [Scenario.Step] { driver.steps }

  /// The content of each view.
  var screens: [ProgramScreen] { stage.screens }

  /// Whether no work in flight can still change the visible content.
  var isIdle: Bool { stage.isIdle && recorder.requestsUnderWay == 0 }

  /// Ends a run that has no work left.
  func giveUp() { driver.giveUp() }

  /// The events so far, and the current state.
  var record: RunRecord {
    var record = RunRecord()
    record.events = recorder.events
    record.annotations = recorder.annotations
    record.hiddenSubscriber = stage.hiddenSubscriber
    record.requests = recorder.requests
    record.marks = driver.marks
    record.final = stage.finalState
    record.duration = recorder.now
    return record
  }

  /// Releases everything.
  func close() {
    observer.close()
    stage.close()
  }

  /// The objects that still exist after everything was released.
  var leaks: Scenario.Leaks { stage.leaks }
}
