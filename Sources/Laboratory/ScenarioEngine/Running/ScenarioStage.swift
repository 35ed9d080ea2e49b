import EventBus
import FetcherModel
import ScenarioFormat

/// What the steps of a scenario act on: a program, and beside it the subscribers, the notes and the origin that need
/// none.
@MainActor final class ScenarioStage {
  private let context: ProgramContext
  private let network: any ScenarioNetwork
  private let make: ProgramRegistry.Make
  private var program: (any Program)?
  private var subscribers: [String: Subscription] = [:]
  /// How many events of steps a worker has still to post.
  private var unposted = 0
  /// The first subscription that a view had after a step although it was not visible.
  private(set) var hiddenSubscriber: RunRecord.HiddenSubscriber?
  private var recorder: TraceRecorder { context.recorder }
  private var bus: EventBus { context.bus }

  nonisolated init(_ make: @escaping ProgramRegistry.Make, _ context: ProgramContext, _ network: any ScenarioNetwork) {
    self.context = context
    self.network = network
    self.make = make
  }

  /// Builds the program.
  func open() { program = make(context) }

  /// Whether the program is idle, and no event waits to be posted.
  var isIdle: Bool { unposted == 0 && program?.isIdle != false }

  /// Calls `action` on main once every event that was posted has reached its subscribers.
  func whenDrained(_ action: @escaping @MainActor @Sendable () -> Void) {
    let (bus, runtime) = (context.bus, context.runtime)
    _ = runtime.task {
      await bus.drain()
      runtime.scheduleOnMain(action)
    }
  }

  /// Does what a step says.
  func perform(_ action: Scenario.Action) {
    if let event = action.event { recorder.record(event.kind, event.values, lane: .user) }
    switch action {
    case .publish(let topic, let lane): publish(topic, lane)
    case .subscribe(let name, let topic, let delivery): subscribe(name, topic, delivery)
    case .unsubscribe(let name): unsubscribe(name)
    case .origin(let route): network.change(route)
    case .originOfAll(let route): network.changeAll(route)
    case .busy(let length): keepBusy(for: length)
    case .waitIdle, .note: break
    default: program?.perform(action)
    }
    findHiddenSubscriber()
  }

  private func findHiddenSubscriber() {
    guard hiddenSubscriber == nil, let visible = program?.visible, visible.values.contains(false) else { return }
    let found = bus.subscriptions.first { subscription in
      subscription.type != ScenarioEvent.self && subscription.name.flatMap { visible[$0] } == false
    }
    guard let found, let view = found.name else { return }
    let topic = "\(found.type)" + ((found.key as? ImageID).map { " of \(quoted($0.name))" } ?? "")
    hiddenSubscriber = RunRecord.HiddenSubscriber(view: view, topic: topic, position: recorder.count)
  }

  /// How things stand.
  var finalState: RunRecord.Final { program?.finalState ?? RunRecord.Final() }

  /// Releases everything.
  func close() {
    program?.close()
    for subscription in subscribers.values { subscription.cancel() }
    subscribers = [:]
  }

  /// What is still alive although it should not be.
  var leaks: Scenario.Leaks {
    Scenario.Leaks(models: program?.livingModels ?? 0, subscriptions: bus.subscriptions.count)
  }

  /// Blocks main. Somebody else opens the gate, who waits for no worker.
  private func keepBusy(for length: Duration) {
    let gate = context.runtime.gate()
    _ = context.runtime.serial("busy").schedule(after: length) { gate.open() }
    gate.wait()
  }

  private func publish(_ topic: String, _ lane: TraceLane) {
    let post = { @Sendable [bus] in _ = bus.post(ScenarioEvent(topic: topic)) }
    guard lane == .workers else { return post() }
    unposted += 1
    let runtime = context.runtime
    runtime.workers.schedule { [self] in
      post()
      runtime.scheduleOnMain { [self] in
        unposted -= 1
        recorder.remind()
      }
    }
  }

  private func subscribe(_ name: String, _ topic: String, _ delivery: Scenario.SubscriberDelivery) {
    unsubscribe(name)
    let target: Delivery =
      switch delivery {
      case .posting: .posting
      case .main: .main
      case .workers: .workers
      }
    subscribers[name] = bus.subscribe(to: ScenarioEvent.self, key: topic, on: target, name: name) { _ in }
  }

  private func unsubscribe(_ name: String) {
    subscribers.removeValue(forKey: name)?.cancel()
  }
}
