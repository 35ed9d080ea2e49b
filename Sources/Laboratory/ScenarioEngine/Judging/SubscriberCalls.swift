import ScenarioFormat

/// Tells the calls of subscribers that come too late from those that had begun when their subscription ended.
///
/// A cancel on main is final there. On a worker, a call that had passed its test counts as running: one for each event that
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
  /// For each name and topic, how many subscriptions there are, as a page has one for each of several images, and how many events of
  /// the topic were posted before or have been delivered.
  private var live: [Name: (count: Int, past: Int)] = [:]
  /// For each subscription that ended, how many deliveries may be under way.
  private var ended: [Name: Int] = [:]

  /// Takes the next event in. Returns false for a call that should not have come.
  mutating func take(_ event: RunEvent) -> Bool {
    let name = Name(event)
    let posted = posts[name.topic] ?? 0
    switch event.kind {
    case .busPost: posts[name.topic] = posted + 1
    case .busSubscribe: live[name] = ((live[name]?.count ?? 0) + 1, posted)
    case .busUnsubscribe:
      guard let (count, past) = live[name] else { break }
      live[name] = count > 1 ? (count - 1, past) : nil
      if count == 1 { ended[name] = posted - past }
    case .busDeliver:
      if let (count, past) = live[name] {
        live[name] = (count, min(past + 1, posted))
      } else {
        guard event[.lane] != TraceLane.main.rawValue, let left = ended[name], left > 0 else { return false }
        ended[name] = left - 1
      }
    default: break
    }
    return true
  }
}
