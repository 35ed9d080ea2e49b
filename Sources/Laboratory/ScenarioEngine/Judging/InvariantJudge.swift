import FetcherModel
import PlainText
import ScenarioFormat

/// Finds violations of the built-in invariants in a run's record.
///
/// The judge cannot find ``Invariant/reentrantState``. If code accesses a state while that state is being modified,
/// Swift's enforcement of exclusive access terminates the process.
struct InvariantJudge {
  private struct View {
    var isVisible = false
    /// The content that the view drew last.
    var shown = "nothing"
    /// The position of the event that drew the content.
    var position: Int?
  }

  private let scenario: Scenario
  private let record: RunRecord
  private var found: [Invariant: [Violation]] = [:]
  private var answers: GivenAnswers
  private var requests: RequestsInUse
  private var calls = SubscriberCalls()
  private var views: [String: View] = [:]
  private var selections = Selections()
  /// The number of fetches in flight, keyed by image.
  private var fetching: [String: Int] = [:]
  private var cancelled: Set<String> = []
  /// The number of fetches in flight whose image was dropped, keyed by image.
  private var dropped: [String: Int] = [:]
  /// The time of the last start or end of a request or a fetch.
  private var lastActivity = Duration.zero
  /// The images whose pictures are loaded.
  private var loaded: Set<String> = []

  /// The first violation of each invariant, in the order of ``Invariant``.
  static func violations(of scenario: Scenario, in record: RunRecord) -> [Violation] {
    let found = allViolations(of: scenario, in: record)
    return found.indices.filter { $0 == 0 || found[$0].subject != found[$0 - 1].subject }.map { found[$0] }
  }

  /// All violations, in the order of ``Invariant``, and of their events.
  static func allViolations(of scenario: Scenario, in record: RunRecord) -> [Violation] {
    var judge = InvariantJudge(scenario: scenario, record: record)
    for (position, event) in record.events.enumerated() { judge.look(at: event, position) }
    judge.judgeEnd()
    return Invariant.allCases.flatMap { judge.found[$0] ?? [] }
  }

  private init(scenario: Scenario, record: RunRecord) {
    self.scenario = scenario
    self.record = record
    answers = GivenAnswers(scenario)
    requests = RequestsInUse(record.requests)
  }

  private mutating func find(_ invariant: Invariant, _ message: String, _ position: Int?) {
    let violation = Violation(subject: invariant.rawValue, message: message, position: position)
    found[invariant, default: []].append(violation)
  }

  private mutating func look(at event: RunEvent, _ position: Int) {
    answers.take(event)
    requests.removeAbandoned(before: position)
    let (view, image) = (event[.view] ?? "", event[.image] ?? "")
    switch event.kind {
    case .viewAppear: views[view, default: View()].isVisible = true
    case .viewDisappear: views[view, default: View()].isVisible = false
    case .viewSelect: selections[view] = event[.image]
    case .viewDeselect: selections[view] = nil
    case .uiUpdate: lookAtUpdate(event, position)
    case .fetchStart:
      fetching[image, default: 0] += 1
      lastActivity = event.time
      cancelled.remove(image)
      loaded.remove(image)
      if let path = answers.path(of: image) { requests.beginFetch(of: path) }
    case .fetchDone, .fetchFailed, .fetchCancelled: lookAtEnd(event, position)
    case .cacheHit: loaded.insert(image)
    case .modelDrop:
      lastActivity = event.time
      drop(image)
    case .requestBegin:
      lastActivity = event.time
      if !requests.begin(at: position), !timesOut(event, position) {
        let path = quoted(event[.path] ?? "")
        find(.duplicateFetch, "a second request for \(path) while the first is in flight", position)
      }
    case .requestEnd:
      lastActivity = event.time
      requests.end(at: position)
    case .busPost, .busSubscribe, .busUnsubscribe, .busDeliver:
      if !calls.take(event) {
        let name = quoted(event[.subscriber] ?? "")
        find(.deliveredAfterCancel, "\(name) was called after its subscription ended", position)
      }
    default: break
    }
  }

  /// Whether the deadline ended the previous request for the path. The model abandons a request on its timer scheduler,
  /// and only then informs main and the network. So the next request may start before main and the network are
  /// informed. The deadline started before the request, and the virtual clock may have jumped in between. Therefore, at
  /// least half of the deadline must have passed.
  private func timesOut(_ request: RunEvent, _ position: Int) -> Bool {
    let path = ScenarioPath(request[.path] ?? "")
    guard let begin = requests.oldest(of: path),
      request.time - record.events[begin].time >= scenario.limits.deadline / 2
    else {
      return false
    }
    return record.events[position...].contains { event in
      event.kind == .fetchFailed && event[.error] == FetchError.Category.timedOut.rawValue
        && answers.path(of: event[.image] ?? "") == path
    }
  }

  private mutating func lookAtUpdate(_ event: RunEvent, _ position: Int) {
    let name = event[.view] ?? ""
    var view = views[name] ?? View()
    (view.shown, view.position) = (event[.shown] ?? "nothing", position)
    views[name] = view
    if event[.lane] != TraceLane.main.rawValue {
      find(.uiOffMain, "\(quoted(name)) drew itself on \(event[.lane] ?? "no lane")", position)
    }
    if !view.isVisible {
      find(.updateAfterDisappear, "\(quoted(name)) drew itself while it was not visible", position)
    }
    if isStale(name, view) { find(.staleImage, stale(name, view), position) }
  }

  /// Whether the view shows a picture of an image other than the selected one.
  private mutating func isStale(_ name: String, _ view: View) -> Bool {
    guard !Scenario.shownWords.contains(view.shown) else { return false }
    return selections[name].map { answers.may($0, show: view.shown) } != true
  }

  private func stale(_ name: String, _ view: View) -> String {
    "\(quoted(name)) shows \(quoted(view.shown)) while \(selections[name].map(quoted) ?? "nothing") is selected"
  }

  private mutating func lookAtEnd(_ event: RunEvent, _ position: Int) {
    let image = event[.image] ?? ""
    let count = fetching[image] ?? 0
    if count == 0 {
      if cancelled.contains(image) {
        find(
          .deliveredAfterCancel,
          "the fetch of \(quoted(image)) ended with \(event.kind.rawValue) after it was cancelled", position)
      } else {
        find(
          .completedTwice, "\(event.kind.rawValue) for \(quoted(image)), although no fetch of it was in flight",
          position)
      }
    }
    if isLost(image, endingWith: event) {
      find(
        .neverCompleted, "only the deadline ended the fetch of \(quoted(image)), which never sent its request", position
      )
    }
    lastActivity = event.time
    fetching[image] = max(0, count - 1)
    if event.kind == .fetchCancelled { cancelled.insert(image) }
    if event.kind == .fetchDone { loaded.insert(image) }
    if let count = dropped[image], count > 0 {
      dropped[image] = count - 1
    } else {
      endFetch(of: image, isGivenUp: event.kind == .fetchCancelled)
    }
  }

  /// The time without any activity after which a fetch that has not sent its request is lost. On the real clock, a busy
  /// machine may delay a request until a shorter deadline has passed.
  private static let quiet = Duration.seconds(1)

  /// Whether the strategy has lost the fetch: its deadline ended it before it sent a request, although no request, no
  /// step and no schedule kept it waiting. A schedule that has delayed any work so long is not judged.
  private func isLost(_ image: String, endingWith event: RunEvent) -> Bool {
    guard event.kind == .fetchFailed, event[.error] == FetchError.Category.timedOut.rawValue,
      answers.path(of: image) != nil
    else { return false }
    return requests.areIdle && event.time - lastActivity >= Self.quiet
      && scenario.busyTime == .zero && !record.poolStarved && record.delayedWork < Self.quiet
  }

  private mutating func drop(_ image: String) {
    loaded.remove(image)
    _ = selections.removeImage(image)
    // The fetches end on main, after their requests: a request of the next image may begin in between.
    let count = fetching[image] ?? 0
    for _ in (dropped[image] ?? 0)..<count { endFetch(of: image, isGivenUp: true) }
    dropped[image] = count
  }

  private mutating func endFetch(of image: String, isGivenUp: Bool) {
    if let path = answers.path(of: image) { requests.endFetch(of: path, isGivenUp: isGivenUp) }
  }

  private mutating func judgeEnd() {
    if let hidden = record.hiddenSubscriber {
      find(
        .subscribedAfterDisappear,
        "\(quoted(hidden.view)) is subscribed to \(hidden.topic) after a step, although it is not visible",
        hidden.position > 0 ? hidden.position - 1 : nil)
    }
    if case .deadlocked(let waiting) = record.termination {
      find(.deadlock, "blocked forever: \(waiting.joined(separator: ", "))", record.events.indices.last)
    }
    if record.poolStarved { lookAtStarvation() }
    if case .endless(let limit) = record.termination {
      find(.livelock, "no end after \(limit)", record.events.indices.last)
    }
    guard record.termination?.isAbrupt != true else { return }
    if let image = scenario.images.map(\.id).first(where: { fetching[$0] ?? 0 > 0 }) {
      find(.neverCompleted, "the fetch of \(quoted(image)) did not end", nil)
    }
    if record.leaks.models > 0 { find(.leakedModel, "\(record.leaks.models) still alive", nil) }
    if record.leaks.subscriptions > 0 {
      find(.leakedSubscription, "\(record.leaks.subscriptions) still alive", nil)
    }
    for (name, view) in views.sorted(by: { $0.key < $1.key }) where view.isVisible { lookAtLast(name, view) }
  }

  private static let remedies =
    #"leave out the strategy "blocking", or add a larger pool: "pool": {"model": "darwin", "limit": 64}"#

  /// Reports the first fetch that waited for a worker: its request began later than the fetch.
  private mutating func lookAtStarvation() {
    let events = record.events
    let waiting = events.indices.first { position in
      guard events[position].kind == .fetchStart else { return false }
      let request = events[position...].first { $0.kind == .requestBegin && $0[.image] == events[position][.image] }
      return request.map { $0.time > events[position].time } ?? true
    }
    let subject = waiting.map { "the fetch of \(quoted(events[$0][.image] ?? ""))" } ?? "work"
    find(.starvedPool, "\(subject) waited for a worker while all workers were blocked; \(Self.remedies)", waiting)
  }

  /// Examines what a view shows at the end. A view that no longer draws keeps its last content.
  private mutating func lookAtLast(_ name: String, _ view: View) {
    if isStale(name, view) { return find(.staleImage, "at the end, " + stale(name, view), view.position) }
    guard let image = selections[name], loaded.contains(image), Scenario.shownWords.contains(view.shown)
    else {
      return
    }
    find(
      .staleImage, "at the end, \(quoted(name)) shows \(view.shown), although \(quoted(image)) arrived", view.position)
  }
}

extension RunRecord.Limit: CustomStringConvertible {
  var description: String {
    switch self {
    case .events(let count): "\(count) events"
    case .closures(let count): "\(count) closures"
    case .closuresAtOnce(let count): "\(count) closures at one moment of the virtual clock"
    }
  }
}

/// Distinguishes late subscriber calls from calls that had already begun when the subscription ended.
///
/// On main, no call follows a cancellation. On a worker, a call counts as running once it has passed the cancellation
/// check. When a subscription ends, one call may be running for each event that was posted but not yet delivered.
struct SubscriberCalls {
  /// Names are compared like the bus's keys, so two encodings of an accented letter are the same topic.
  private struct Name: Hashable {
    let subscriber: String
    let topic: String

    init(_ event: RunEvent) {
      subscriber = event[.subscriber] ?? ""
      topic = event[.topic] ?? ""
    }
  }

  /// The number of posted events, keyed by topic.
  private var posts: [String: Int] = [:]
  /// For each subscriber and topic: the number of subscriptions, and the number of the topic's events that were posted
  /// before the subscription or delivered to it. A page can have several subscriptions, one for each image.
  private var live: [Name: (count: Int, past: Int)] = [:]
  /// The number of deliveries that may still be in flight, keyed by ended subscription.
  private var ended: [Name: Int] = [:]

  /// Processes the next event. Returns false if the event is a call that must not happen.
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
