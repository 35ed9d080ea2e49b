import ScenarioFormat

/// Matches each delivery to its post.
///
/// A subscriber receives the events of a topic in the order in which they were posted. So a delivery belongs to the
/// earliest post that the subscriber has not yet received. A subscriber with several subscriptions of one name receives
/// each post as many times.
package struct BusCauses: Sendable {
  /// The attributes that a post shares with its delivery to a subscriber.
  private struct Match: Hashable {
    let topic: String?
    let image: String?
    let text: String?
    let subscriber: String

    /// - Parameter isKeyed: whether the match is about events with the key of the event. A subscription to a whole topic
    ///   has neither an image nor a text.
    init(_ event: RunEvent, _ subscriber: String, isKeyed: Bool = true) {
      (topic, image, text) = (event[.topic], isKeyed ? event[.image] : nil, isKeyed ? event[.text] : nil)
      self.subscriber = subscriber
    }
  }

  // Keyed posts, because a run can have 100,000 posts that no delivery follows.
  private var open: [Match: ArraySlice<Int>] = [:]
  /// The current number of subscriptions.
  private var subscriptions: [Match: Int] = [:]

  package init() {}

  /// Processes the next event. Returns the position of the post that a delivery belongs to, or nil.
  package mutating func take(_ event: RunEvent, at position: Int) -> Int? {
    switch event.kind {
    case .busPost:
      for name in Set(event[.subscriber]?.split(separator: "\n") ?? []) where name != Scenario.noSubscriber {
        let match = Match(event, String(name))
        var receivers = subscriptions[match] ?? 0
        let whole = Match(event, String(name), isKeyed: false)
        if whole != match { receivers += subscriptions[whole] ?? 0 }
        // The events may begin after the subscription.
        open[match, default: []] += Array(repeating: position, count: max(1, receivers))
      }
      return nil
    case .busSubscribe: subscriptions[Match(event, event[.subscriber] ?? ""), default: 0] += 1
    case .busUnsubscribe:
      let match = Match(event, event[.subscriber] ?? "")
      let count = (subscriptions[match] ?? 0) - 1
      subscriptions[match] = count > 0 ? count : nil
    case .busDeliver, .busDrop, .busDiscard:
      let match = Match(event, event[.subscriber] ?? "")
      let post = open[match]?.popFirst()
      if open[match]?.isEmpty == true { open[match] = nil }
      return event.kind == .busDeliver ? post : nil
    default: break
    }
    return nil
  }

  /// Maps each delivery to the post of its event. Positions count events from zero.
  package static func posts(of events: [RunEvent]) -> [Int: Int] {
    var causes = BusCauses()
    var found: [Int: Int] = [:]
    for (number, event) in events.enumerated() {
      if let post = causes.take(event, at: number) { found[number] = post }
    }
    return found
  }
}
