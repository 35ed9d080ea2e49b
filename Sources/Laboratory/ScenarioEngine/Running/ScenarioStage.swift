import EventBus
import FetcherModel
import ScenarioFormat

/// What the steps of a scenario act on: a program, and beside it the subscribers, the notes and the origin that need none.
/// Every member is for main only.
final class ScenarioStage: Sendable {
  private struct State {
    var program: (any Program)?
    var subscribers: [String: Subscription] = [:]
    /// How many events of steps a worker has still to post.
    var unposted = 0
    var hiddenSubscriber: RunRecord.HiddenSubscriber?
  }

  private let context: ProgramContext
  private let network: any ScenarioNetwork
  private let make: ProgramRegistry.Make
  private let state: Confined<State>
  private var recorder: TraceRecorder { context.recorder }
  private var bus: EventBus { context.bus }

  init(_ make: @escaping ProgramRegistry.Make, _ context: ProgramContext, _ network: any ScenarioNetwork) {
    self.context = context
    self.network = network
    self.make = make
    state = Confined(context.runtime.main, State())
  }

  /// Builds the program.
  func open() {
    let program = make(context)
    state.withValue { $0.program = program }
  }

  /// Whether the program is idle, and no event waits to be posted.
  var isIdle: Bool { state.withValue { $0.unposted } == 0 && program?.isIdle != false }

  /// Calls `action` on main once every event that was posted has reached its subscribers.
  func whenDrained(_ action: @escaping @Sendable () -> Void) {
    let (bus, runtime) = (context.bus, context.runtime)
    _ = runtime.task {
      await bus.drain()
      runtime.main.schedule(action)
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

  /// The first subscription that a view had after a step although it was not visible.
  var hiddenSubscriber: RunRecord.HiddenSubscriber? { state.withValue { $0.hiddenSubscriber } }

  private func findHiddenSubscriber() {
    guard hiddenSubscriber == nil, let visible = program?.visible, visible.values.contains(false) else { return }
    let found = bus.subscriptions.first { subscription in
      subscription.type != ScenarioEvent.self && subscription.name.flatMap { visible[$0] } == false
    }
    guard let found, let view = found.name else { return }
    let topic = "\(found.type)" + ((found.key as? ImageID).map { " of \(quoted($0.name))" } ?? "")
    state.withValue {
      $0.hiddenSubscriber = RunRecord.HiddenSubscriber(view: view, topic: topic, position: recorder.count)
    }
  }

  /// How things stand.
  var finalState: RunRecord.Final { program?.finalState ?? RunRecord.Final() }

  /// Releases everything.
  func close() {
    let subscribers = state.withValue { state in
      defer { state.subscribers = [:] }
      return state.subscribers
    }
    program?.close()
    for subscription in subscribers.values { subscription.cancel() }
  }

  /// What is still alive although it should not be.
  var leaks: Scenario.Leaks {
    Scenario.Leaks(models: program?.livingModels ?? 0, subscriptions: bus.subscriptions.count)
  }

  private var program: (any Program)? { state.withValue { $0.program } }

  /// Blocks main. Somebody else opens the gate, who waits for no worker.
  private func keepBusy(for length: Duration) {
    let gate = context.runtime.gate()
    _ = context.runtime.serial("busy").schedule(after: length) { gate.open() }
    gate.wait()
  }

  private func publish(_ topic: String, _ lane: TraceLane) {
    let post = { @Sendable [bus] in _ = bus.post(ScenarioEvent(topic: topic)) }
    guard lane == .workers else { return post() }
    state.withValue { $0.unposted += 1 }
    let runtime = context.runtime
    runtime.workers.schedule { [self] in
      post()
      runtime.main.schedule { [self] in
        state.withValue { $0.unposted -= 1 }
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
    let subscription = bus.subscribe(to: ScenarioEvent.self, key: topic, on: target, name: name) { _ in }
    state.withValue { $0.subscribers[name] = subscription }
  }

  private func unsubscribe(_ name: String) {
    state.withValue { $0.subscribers.removeValue(forKey: name) }?.cancel()
  }
}
