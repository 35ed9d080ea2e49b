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
  /// The index of the row that explains it, or nil.
  var cause: Int?
}

/// Finds the events that are worth noticing.
struct RemarkFinder: Sendable {
  private struct Key: Hashable, Sendable {
    let topic: String
    let subject: String
  }

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

  /// Adds a violation. Returns false if it is known.
  mutating func alarm(_ remark: Remark) -> Bool {
    guard !alarms.contains(remark) else { return false }
    alarms.append(remark)
    last = remark
    return true
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
      last = Remark(text: text, row: position, cause: cause)
      return last
    }
    // A sentence about an earlier action would seem to be about this one.
    if event[.lane] == TraceLane.user.rawValue { last = nil }
    return nil
  }

  private mutating func sentence(_ event: RunEvent) -> String? {
    let (image, view) = (event[.image] ?? "", event[.view] ?? "")
    switch event.kind {
    case .busUnsubscribe:
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

  private func key(_ event: RunEvent) -> Key {
    Key(topic: event[.topic] ?? "", subject: event[.image] ?? event[.text] ?? "")
  }
}
