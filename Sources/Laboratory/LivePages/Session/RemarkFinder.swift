import RunPages
import ScenarioEngine
import ScenarioFormat
import Scheduling

/// A sentence about the last event that is worth noticing.
struct Remark: Encodable, Equatable, Sendable {
  let text: String
  /// Whether the sentence names a violation of an invariant.
  var isViolation = false
  /// The index of the row that it is about, or nil.
  var row: Int?
  /// The indices of the rows that explain it.
  var causes: [Int] = []
}

/// Finds the events that are worth noticing.
struct RemarkFinder: Sendable {
  private struct Key: Hashable, Sendable {
    let topic: String
    let subject: String
  }

  private struct Subscription: Hashable, Sendable {
    let key: Key
    let subscriber: String

    /// The subscriber's subscription to the whole topic.
    var ofTopic: Subscription { Subscription(key: Key(topic: key.topic, subject: ""), subscriber: subscriber) }
  }

  /// The rows of the open subscriptions, with the oldest of each name first.
  private var subscribed: [Subscription: [Int]] = [:]
  /// The last delivery to each subscriber, with the rows of its subscription and of itself.
  private var delivered: [String: (subject: String, rows: [Int])] = [:]
  /// The rows that explain each drawing of a delivered picture.
  private var causes: [Int: [Int]] = [:]
  /// The last end of a subscription to each event.
  private var ended: [Key: (subscriber: String, time: Duration, row: Int)] = [:]
  /// The strategies of the fetches in flight, by image.
  private var fetching: [String: String] = [:]
  private var position = -1
  /// The sentences about the origin steps whose events have not happened yet.
  private var changes: [(path: String?, text: String)] = []
  /// The violations so far.
  private(set) var alarms: [Remark] = []
  /// The strategy to which the user has switched last, or nil.
  private(set) var strategy: String?
  private(set) var last: Remark?

  /// Adds a violation with the index of its row. Returns nil if it is known.
  mutating func alarm(_ text: String, row: Int?) -> Remark? {
    let remark = Remark(text: text, isViolation: true, row: row, causes: row.flatMap { causes[$0] } ?? [])
    guard !alarms.contains(remark) else { return nil }
    alarms.append(remark)
    last = remark
    return remark
  }

  /// Expects the event of an origin step.
  mutating func expect(_ action: Scenario.Action, about subject: String) {
    if let text = action.originSentence(about: subject) { changes.append((action.originPath, text)) }
  }

  /// Processes the next event. Returns a remark, or nil.
  mutating func take(_ event: RunEvent) -> Remark? {
    position += 1
    if let text = sentence(event) {
      let cause = event.kind == .busPost ? ended[key(event)]?.row : nil
      last = Remark(text: text, row: position, causes: cause.map { [$0] } ?? [])
      return last
    }
    // A sentence about an earlier action would seem to be about this one.
    if event[.lane] == TraceLane.user.rawValue { last = nil }
    return nil
  }

  private mutating func sentence(_ event: RunEvent) -> String? {
    let (image, view) = (event[.image] ?? "", event[.view] ?? "")
    switch event.kind {
    case .busSubscribe: subscribed[subscription(event), default: []].append(position)
    case .busDeliver:
      let subscription = subscription(event)
      let row = (subscribed[subscription] ?? subscribed[subscription.ofTopic])?.last
      delivered[subscription.subscriber] = (subscription.key.subject, [row, position].compactMap(\.self))
    case .uiUpdate:
      if let (subject, rows) = delivered[view], subject == event[.shown] { causes[position] = rows }
    case .busUnsubscribe:
      let subscription = subscription(event)
      _ = subscribed[subscription]?.removeFirst()
      if subscribed[subscription]?.isEmpty == true { subscribed[subscription] = nil }
      ended[key(event)] = (event[.subscriber] ?? "", event.time, position)
    case .busPost where event[.subscriber] == Scenario.noSubscriber:
      guard !event.isForTrace else { return nil }
      let name = "`\(key(event).topic) \(key(event).subject)`"
      guard let end = ended[key(event)] else { return "\(name) found no subscriber: no view has subscribed to it." }
      let time = (event.time - end.time).inMilliseconds
      return "\(name) found no subscriber: \(end.subscriber) unsubscribed \(time) ms earlier."
    case .fetchStart: fetching[image] = event[.strategy]
    case .fetchDone, .fetchCancelled: fetching[image] = nil
    case .fetchFailed:
      fetching[image] = nil
      return "The fetch of \(image) failed with \(event[.error] ?? "an error"). Select it again to fetch it again."
    case .viewSelect:
      guard let strategy = fetching[image] else { return nil }
      return
        "\(view) joins the fetch of \(image) that is in flight with \(strategy). The model sends no second request."
    case .originChange:
      guard let index = changes.firstIndex(where: { $0.path == event[.path] }) else { return nil }
      return changes.remove(at: index).text
    case .memoryWarning:
      return
        "The cache drops its pictures. A picture on screen stays, and a later selection of another one fetches it again."
    case .cacheHit: return "The model already has \(image), so it sends no request."
    case .strategySwitch:
      strategy = event[.strategy]
      let keep = fetching.sorted { $0.key < $1.key }.map { "The fetch of \($0.key) in flight keeps \($0.value)." }
      return (keep + ["The next fetch uses \(event[.strategy] ?? "")."]).joined(separator: " ")
    case .pageShow where event[.text]?.hasPrefix("no effect") == true: return "\(view): \(event[.text] ?? "")."
    default: break
    }
    return nil
  }

  private func subscription(_ event: RunEvent) -> Subscription {
    Subscription(key: key(event), subscriber: event[.subscriber] ?? "")
  }

  private func key(_ event: RunEvent) -> Key {
    Key(topic: event[.topic] ?? "", subject: event[.image] ?? event[.text] ?? "")
  }
}
