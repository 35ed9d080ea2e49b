import EventBus
import FetcherModel
import PlainText
import ScenarioFormat

/// The objects on which a scenario's steps act: a program, and the subscribers, notes and origin that do not need a
/// program.
@MainActor final class ScenarioStage {
  private let context: ProgramContext
  private let network: any ScenarioNetwork
  private let make: ProgramRegistry.Make
  private var program: (any Program)?
  private var subscribers: [String: Subscription] = [:]
  /// The number of step events that a worker has not posted yet.
  private var unposted = 0
  /// The first subscription that an invisible view still held after a step.
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

  /// Whether the program is idle and no event is waiting to be posted.
  var isIdle: Bool { unposted == 0 && program?.isIdle != false }

  /// Calls `action` on main after every posted event has reached its subscribers.
  func whenDrained(_ action: @escaping @MainActor @Sendable () -> Void) {
    let (bus, runtime) = (context.bus, context.runtime)
    _ = runtime.task {
      await bus.drain()
      runtime.scheduleOnMain(action)
    }
  }

  /// Performs a step.
  func perform(_ action: Scenario.Action) {
    if let event = action.event { recorder.record(event.kind, event.values, lane: .user) }
    switch action {
    case .publish(let topic, let lane): publish(topic, lane)
    case .subscribe(let name, let topic, let delivery): subscribe(name, topic, delivery)
    case .unsubscribe(let name): unsubscribe(name)
    case .origin, .originOfAll, .network: network.perform(action)
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

  /// The content of each view.
  var screens: [ProgramScreen] { program?.screens ?? [] }

  /// The current state.
  var finalState: RunRecord.Final { program?.finalState ?? RunRecord.Final() }

  /// Releases everything.
  func close() {
    program?.close()
    for subscription in subscribers.values { subscription.cancel() }
    subscribers = [:]
  }

  /// The numbers of models and subscriptions that still exist but should not.
  var leaks: Scenario.Leaks {
    Scenario.Leaks(models: program?.livingModels ?? 0, subscriptions: bus.subscriptions.count)
  }

  /// Blocks main. A thread that is independent of the workers opens the gate.
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
