import ScenarioFormat

/// Tells the calls of subscribers that come too late from those that had begun when their subscription ended.
///
/// A cancel on main is final there. On a worker, a call that had passed its check counts as running: one for each event that
/// was posted before and had not been delivered.
struct SubscriberCalls {
  /// Compared as the bus compares its keys: two spellings of an accent are one topic.
  private struct Name: Hashable {
    let subscriber: String
    let topic: String

    init(_ event: RunEvent) {
      subscriber = event[.subscriber] ?? ""
      topic = event[.topic] ?? ""
    }
  }

  /// How many events of each topic were posted.
  private var posts: [String: Int] = [:]
  /// For each subscription, how many events of its topic were posted before it or have been delivered.
  private var live: [Name: Int] = [:]
  /// For each subscription that ended, how many deliveries may be under way.
  private var ended: [Name: Int] = [:]

  /// Takes the next event in. Returns false for a call that should not have come.
  mutating func take(_ event: RunEvent) -> Bool {
    let name = Name(event)
    let posted = posts[name.topic] ?? 0
    switch event.kind {
    case .busPost: posts[name.topic] = posted + 1
    case .busSubscribe: live[name] = posted
    case .busUnsubscribe: ended[name] = live.removeValue(forKey: name).map { posted - $0 }
    case .busDeliver:
      if let known = live[name] {
        live[name] = min(known + 1, posted)
      } else {
        guard event[.lane] != TraceLane.main.rawValue, let left = ended[name], left > 0 else { return false }
        ended[name] = left - 1
      }
    default: break
    }
    return true
  }
}
