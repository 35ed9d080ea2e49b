import PlainText
import RunPages
import ScenarioEngine
import ScenarioFormat
import Scheduling

/// A sentence about the last event that is worth noticing.
struct Remark: Encodable, Equatable, Sendable {
  var text: String
  /// Whether the sentence names a violation of an invariant.
  var isViolation = false
  /// The index of the row that it is about, or nil.
  var row: Int?
  /// The indices of the rows that explain it.
  var causes: [Int] = []
}

/// Finds the events that are worth noticing.
struct RemarkFinder: Sendable {
  /// The open subscriptions, by number. Here and below, the name of an event is its topic and its subject.
  private var open: [Int: (name: String, subscriber: String, row: Int)] = [:]
  /// The last delivery to each subscriber, with the rows of its subscription and of itself.
  private var delivered: [String: (subject: String, rows: [Int])] = [:]
  /// The rows that explain each drawing of a delivered picture.
  private var causes: [Int: [Int]] = [:]
  /// The views that have appeared or selected an image, and received nothing since, each with the index of that row.
  private var asking: [String: Int] = [:]
  /// The row in which each image was fetched last.
  private var fetched: [String: Int] = [:]
  /// The last end of a subscription to each event.
  private var ended: [String: (subscriber: String, time: Duration, row: Int)] = [:]
  /// The strategies of the fetches in flight, by image.
  private var fetching: [String: String] = [:]
  private var position = -1
  /// The origin steps whose events have not happened yet, each with its sentence and with the text of its row.
  private var changes: [(path: String?, row: String, sentence: String)] = []
  /// The text of the last row, or nil for the text of its event.
  private(set) var rowText: String?
  /// Whether the last remark stays until the next action of the user.
  private var lastStays = false
  /// The violations so far.
  private(set) var alarms: [Remark] = []
  /// The strategy to which the user has switched last, or nil.
  private(set) var strategy: String?
  private(set) var last: Remark?

  private static let mostAlarms = 100

  /// Adds a violation with the index of its row. Returns nil if it is known, or if there are too many to read.
  mutating func alarm(_ rule: String, _ message: String, row: Int?) -> Remark? {
    guard alarms.count < Self.mostAlarms else { return nil }
    let causes = row.flatMap { self.causes[$0] } ?? []
    var remark = Remark(text: "\(rule): \(message)", isViolation: true, row: row, causes: causes)
    if causes.count == 2, rule == Invariant.staleImage.rawValue {
      remark.text += ". The subscription of event \(causes[0] + 1) had not ended."
    }
    guard !alarms.contains(remark) else { return nil }
    alarms.append(remark)
    (last, lastStays) = (remark, true)
    return remark
  }

  /// Expects the event of an origin step, with the text of its row and its sentence.
  mutating func expect(_ path: String?, row: String, sentence: String) { changes.append((path, row, sentence)) }

  /// Processes the next event. Returns a remark, or nil.
  mutating func take(_ event: RunEvent) -> Remark? {
    position += 1
    rowText = nil
    if let text = sentence(event) {
      let cause = event.kind == .busPost ? ended[name(event)]?.row : nil
      last = Remark(text: text, row: position, causes: cause.map { [$0] } ?? [])
      lastStays = [.busPost, .busDeliver, .fetchFailed].contains(event.kind)
      return last
    }
    // A sentence about an earlier action would seem to be about this one.
    if event[.lane] == TraceLane.user.rawValue { (last, lastStays) = (nil, false) }
    return nil
  }

  private mutating func sentence(_ event: RunEvent) -> String? {
    let (image, view) = (event[.image] ?? "", event[.view] ?? "")
    switch event.kind {
    case .busSubscribe:
      if let number = event.subscription { open[number] = (name(event), event[.subscriber] ?? "", position) }
    case .busDeliver: return sentence(ofDelivery: event)
    case .viewAppear: asking[view] = position
    case .uiUpdate: return sentence(ofDrawing: event, in: view)
    case .busUnsubscribe:
      if let number = event.subscription { open[number] = nil }
      ended[name(event)] = (event[.subscriber] ?? "", event.time, position)
    case .busPost where event[.subscriber] == Scenario.noSubscriber:
      guard !event.isForTrace else { return nil }
      let name = name(event)
      guard let end = ended[name] else { return "`\(name)` found no subscriber: no view has subscribed to it." }
      let time = (event.time - end.time).inMilliseconds
      let rest = event[.topic] == ModelTopic.fetched.rawValue ? " The model keeps the picture for the next view." : ""
      return "`\(name)` found no subscriber: \(end.subscriber) unsubscribed \(time) ms earlier.\(rest)"
    case .fetchStart: fetching[image] = event[.strategy]
    case .fetchDone: (fetching[image], fetched[image]) = (nil, position)
    case .fetchCancelled: fetching[image] = nil
    case .fetchFailed:
      fetching[image] = nil
      return
        "The fetch of \(image) failed: \(Self.reason(event[.error])). Each later selection of it starts another fetch."
    case .viewSelect:
      asking[view] = position
      guard let strategy = fetching[image] else { return nil }
      return
        "\(view) joins the fetch of \(image) that is in flight with \(strategy). The model sends no second request."
    case .originChange:
      guard let index = changes.firstIndex(where: { $0.path == event[.path] }) else { return nil }
      let change = changes.remove(at: index)
      rowText = change.row
      return change.sentence
    case .memoryWarning:
      return "The cache drops its pictures. An `IFImage` keeps the picture that it has loaded."
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

  private static func reason(_ error: String?) -> String {
    switch error.flatMap(Scenario.ErrorCategory.init) {
    case .badStatus: "the status of its response is an error"
    case .transport: "its connection failed"
    case .timedOut: "it reached its deadline"
    case .truncated: "its response ended too early"
    default: error ?? "an error"
    }
  }

  /// Notes the subscription of a delivery. A view with two subscriptions receives an event twice.
  private mutating func sentence(ofDelivery event: RunEvent) -> String? {
    let subscriber = event[.subscriber] ?? ""
    let own = event.subscription.flatMap { open[$0] }
    asking[subscriber] = nil
    delivered[subscriber] = (event[.image] ?? event[.text] ?? "", [own?.row, position].compactMap(\.self))
    guard let own, !lastStays else { return nil }
    let rows = open.values.filter { $0.subscriber == subscriber && $0.name == own.name }.map(\.row).sorted()
    guard rows.count > 1, own.row == rows.last else { return nil }
    let numbers = rows.map { "\($0 + 1)" }.listed(with: "and")
    return
      "\(subscriber) gets `\(name(event))` \(rows.count) times: its subscriptions of the events \(numbers) are open."
  }

  /// Says why a view draws a picture, unless another sentence about the last action is on screen.
  private mutating func sentence(ofDrawing event: RunEvent, in view: String) -> String? {
    let shown = event[.shown] ?? ""
    if let (subject, rows) = delivered.removeValue(forKey: view), subject == shown { causes[position] = rows }
    guard !Scenario.shownWords.contains(shown), !lastStays else { return nil }
    if let since = asking.removeValue(forKey: view), fetched[shown] ?? -1 < since {
      return "\(view) reads \(shown) from the model, which already has it. No event is needed."
    }
    guard let rows = causes[position], rows.count == 2 else { return nil }
    return "\(view) draws \(shown): the bus delivered `ImageFetched` to its subscription of event \(rows[0] + 1)."
  }

  private func name(_ event: RunEvent) -> String {
    [event[.topic], event[.image] ?? event[.text]].compactMap(\.self).joined(separator: " ")
  }
}
