import EventBus
import VirtualTime

extension VirtualRuntime {
  /// Creates a bus whose subscriptions, posts and deliveries appear on the run's page.
  func makeBus() -> EventBus {
    EventBus(
      runtime: self,
      trace: { [weak self] step in
        guard let self, let fact = step.fact else { return }
        mark(RunMark(fact, fileID: "\(step.fileID)", line: Int(step.line)))
      })
  }
}

extension EventBus::TraceEvent {
  fileprivate var fact: RunMark.Fact? {
    let topic = "\(type)"
    switch kind {
    case .posted: return .posts(topic: topic)
    case .delivering: return .delivers(topic: topic, subscription: subscription ?? 0)
    case .subscribed: return .begins(.subscription, number: subscription ?? 0, name: topic)
    case .cancelled: return .ends(.subscription, number: subscription ?? 0, error: nil)
    case .accepted, .unhandled, .delivered, .failed, .dropped, .discarded: return nil
    }
  }
}
