import FetcherModel
import PlainText
import ScenarioFormat

/// Compares the record of a run with the expectations of its scenario.
struct ExpectationJudge {
  private let record: RunRecord
  private let index: TraceIndex
  private var events: [RunEvent] { record.events }

  init(record: RunRecord) {
    self.record = record
    index = TraceIndex(record.events)
  }

  /// The violations. A final state can be wrong in several ways.
  func violations(of expectation: Scenario.Expectation) -> [Violation] {
    let found: [Violation?] =
      switch expectation.kind {
      case .final(let states): states.map(final)
      case .never(let pattern):
        [
          index.first(pattern).map {
            Violation(subject: "never \(pattern.summary)", message: "it happened", position: $0)
          }
        ]
      case .always(let pattern, let expected): [always(pattern, expected)]
      case .nth(let pattern, let number, let expected): [nth(pattern, number, expected)]
      case .count(let pattern, let range): [count(pattern, range)]
      case .atOnce(let pattern, let most): [atOnce(pattern, most)]
      case .apart(let pattern, let distance): [apart(pattern, distance)]
      case .order(let patterns): [order(patterns)]
      case .within(let pattern, let start, let limit): [within(pattern, start, limit)]
      case .outcome(let image, let expected): [outcome(image, expected)]
      case .leaks(let most): [leaks(most)]
      case .lane(let pattern, let lane): [self.lane(pattern, lane)]
      case .stall(let most): [stall(most)]
      }
    let violations = found.compactMap(\.self)
    let blocking = "\(StrategyName.blocking)"
    let starts = events.filter { $0.kind == .fetchStart }
    guard !violations.isEmpty,
      expectation.kind.patterns.contains(where: { $0.kind == .requestEnd && $0.values[.status] != nil }),
      !starts.isEmpty, starts.allSatisfy({ $0[.strategy] == blocking })
    else { return violations }
    return violations.map { one in
      let message = one.message + "; the strategy \(blocking) cannot see the status"
      return Violation(subject: one.subject, message: message, position: one.position)
    }
  }

  private func final(_ state: Scenario.FinalState) -> Violation? {
    switch state {
    case .shown(let view, let expected):
      let last = last([.uiUpdate], [.view: view])
      let shown = last.flatMap { events[$0][.shown] } ?? "nothing"
      return differs("final \(view).shown", Self.name(expected), Self.name(shown), last)
    case .visible(let view, let expected):
      let last = last([.viewAppear, .viewDisappear], [.view: view])
      return differs("final \(view).visible", "\(expected)", "\(record.final.visible[view] ?? false)", last)
    case .state(let image, let expected):
      let last = last(TraceKind.allCases.filter(\.isFetch), [.image: image])
      return differs("final \(image).state", expected.rawValue, (record.final.images[image] ?? .idle).rawValue, last)
    }
  }

  /// The position of the last event that has one of these kinds and these values.
  private func last(_ kinds: [TraceKind], _ values: TraceValues) -> Int? {
    kinds.compactMap { index.positions(EventPattern(kind: $0, values: values)).last }.max()
  }

  /// Returns the text for what a view shows. An image's id is quoted; the word `nothing` is not.
  private static func name(_ shown: String) -> String { shown == "nothing" ? shown : quoted(shown) }

  private func differs(_ subject: String, _ expected: String, _ found: String, _ position: Int?) -> Violation? {
    if expected == found { return nil }
    return Violation(subject: subject, message: "expected \(expected), got \(found)", position: position)
  }

  private func always(_ pattern: EventPattern, _ expected: TraceValues) -> Violation? {
    let subject = "always \(pattern.summary)"
    guard let position = index.first(pattern, without: expected) else { return vacuous(subject, pattern) }
    return lacks(subject, expected, position)
  }

  private func nth(_ pattern: EventPattern, _ number: Int, _ expected: TraceValues) -> Violation? {
    let subject = "nth \(pattern.summary), number \(number)"
    let positions = index.positions(pattern)
    guard number <= positions.count else {
      return Violation(subject: subject, message: "only \(positions.count) matched", position: positions.last)
    }
    return lacks(subject, expected, positions[number - 1])
  }

  /// The violation if the event at a position lacks an expected value, or nil if it has all of them.
  private func lacks(_ subject: String, _ expected: TraceValues, _ position: Int) -> Violation? {
    let event = events[position]
    let attribute = TraceAttribute.allCases.first { attribute in
      expected[attribute].map { !EventPattern.have(event.values, [attribute: $0]) } ?? false
    }
    guard let attribute, let value = expected[attribute] else { return nil }
    return differs(
      subject, "\(attribute.rawValue) \(quoted(value))", event[attribute].map(quoted) ?? "none", position)
  }

  /// The violation if no event matched, because an expectation about every event of a kind is then untested.
  private func vacuous(_ subject: String, _ pattern: EventPattern) -> Violation? {
    guard index.first(pattern) == nil else { return nil }
    return Violation(subject: subject, message: "no event matched, so nothing was tested")
  }

  private func count(_ pattern: EventPattern, _ range: ClosedRange<Int>) -> Violation? {
    let matches = index.positions(pattern)
    guard !range.contains(matches.count) else { return nil }
    let expected =
      if range.lowerBound == range.upperBound {
        "\(range.lowerBound)"
      } else if range.upperBound == Int.max {
        "at least \(range.lowerBound)"
      } else {
        range.lowerBound == 0 ? "at most \(range.upperBound)" : "\(range.lowerBound) to \(range.upperBound)"
      }
    // If there are too many events, report the first surplus one.
    let position = matches.count > range.upperBound ? matches[range.upperBound] : nil
    return differs("count \(pattern.summary)", expected, "\(matches.count)", position)
  }

  private func atOnce(_ pattern: EventPattern, _ most: Int) -> Violation? {
    let subject = "atOnce \(pattern.summary)"
    guard index.first(pattern) != nil else { return vacuous(subject, pattern) }
    var tally = OpenTally(pattern)
    for (position, event) in events.enumerated() {
      guard tally.take(event) > most else { continue }
      return Violation(subject: subject, message: "expected at most \(most), got \(most + 1)", position: position)
    }
    return nil
  }

  private func apart(_ pattern: EventPattern, _ distance: Duration) -> Violation? {
    let subject = "apart \(pattern.summary)"
    let positions = index.positions(pattern)
    guard positions.count > 1 else {
      return Violation(
        subject: subject, message: "fewer than two events matched, so nothing was tested", position: positions.last
      )
    }
    for (one, next) in zip(positions, positions.dropFirst()) {
      let time = events[next].time - events[one].time
      guard time < distance else { continue }
      return Violation(
        subject: subject, message: "expected at least \(distance.spelled), got \(time.measured)",
        position: next)
    }
    return nil
  }

  private func order(_ patterns: [EventPattern]) -> Violation? {
    var position = 0
    var before: EventPattern?
    for pattern in patterns {
      guard let found = index.first(pattern, from: position) else {
        let context = before.map { " after \($0.summary)" } ?? ""
        let expected = "expected \(pattern.summary)\(context)"
        guard let earlier = index.first(pattern) else { return missing(pattern, "order", expected, from: position) }
        return Violation(subject: "order", message: "\(expected), but it happened earlier", position: earlier)
      }
      position = found + 1
      before = pattern
    }
    return nil
  }

  /// Returns the violation for an event that did not happen. It names an event that differs in one value, if any: the
  /// first one from a position, or else the first one.
  private func missing(
    _ pattern: EventPattern, _ subject: String, _ expected: String, from position: Int = 0
  ) -> Violation {
    let isNear = { (event: RunEvent) in
      event.kind == pattern.kind
        && pattern.values.count { !EventPattern.have(event.values, [$0: $1]) } == 1
    }
    let near = events[position...].firstIndex(where: isNear) ?? events.firstIndex(where: isNear)
    let hint = near.map { "; the closest event is \(events[$0].summary)" } ?? ""
    return Violation(subject: subject, message: "\(expected), but it did not happen\(hint)", position: near)
  }

  private func within(_ pattern: EventPattern, _ start: Scenario.Expectation.Start?, _ limit: Duration) -> Violation? {
    let subject = "within \(pattern.summary)"
    var begin = Duration.zero
    var position = 0
    var expected = "expected within \(limit.spelled)"
    switch start {
    case .event(let start):
      guard let found = index.first(start) else {
        return Violation(subject: subject, message: "\(start.summary) did not happen")
      }
      begin = events[found].time
      position = found + 1
      expected += " after \(events[found].caption) (event \(found + 1), t = \(begin.measured))"
    case .step(let id):
      guard let mark = record.marks.first(where: { $0.id == id }) else {
        return Violation(subject: subject, message: "the step \(quoted(id)) did not happen")
      }
      begin = mark.time
      position = events[mark.position...].firstIndex { $0.time >= begin } ?? events.count
      expected += " after the step \(quoted(id)) (t = \(begin.measured))"
    case nil: break
    }
    guard let found = index.first(pattern, from: position) else {
      return missing(pattern, subject, expected, from: position)
    }
    let time = events[found].time - begin
    if time <= limit { return nil }
    return Violation(subject: subject, message: "\(expected), got \(time.measured)", position: found)
  }

  private func outcome(_ image: String, _ expected: Scenario.Outcome) -> Violation? {
    // Check only the last fetch, because a fetch that was dropped in flight never reports an end.
    let last = last([.fetchStart, .fetchDone, .fetchFailed, .fetchCancelled], [.image: image])
    let found = last.map { events[$0] }
    let error = found?[.error]
    let holds =
      switch expected {
      case .none: found == nil || found?.kind == .fetchStart
      case .loaded: found?.kind == .fetchDone
      case .cancelled: found?.kind == .fetchCancelled
      case .failed: found?.kind == .fetchFailed
      case .error(let category): found?.kind == .fetchFailed && error == category.rawValue
      }
    if holds { return nil }
    let got =
      switch found?.kind {
      case .fetchDone: "loaded"
      case .fetchCancelled: "cancelled"
      case .fetchFailed: "error:\(error ?? "")"
      case .fetchStart: "an unfinished fetch"
      default: "none"
      }
    return Violation(
      subject: "outcome of \(quoted(image))", message: "expected \(expected.name), got \(got)", position: last)
  }

  private func leaks(_ most: Scenario.Leaks) -> Violation? {
    let found = record.leaks
    if found.models <= most.models, found.subscriptions <= most.subscriptions { return nil }
    return Violation(
      subject: "leaks",
      message: "expected at most \(most.models) models and \(most.subscriptions) subscriptions, "
        + "got \(found.models) and \(found.subscriptions)")
  }

  private func lane(_ pattern: EventPattern, _ lane: TraceLane) -> Violation? {
    let subject = "lane \(pattern.summary)"
    guard let stray = index.first(pattern, without: [.lane: lane.rawValue]) else { return vacuous(subject, pattern) }
    return differs(subject, lane.rawValue, events[stray][.lane] ?? "none", stray)
  }

  private func stall(_ most: Duration) -> Violation? {
    if record.longestStall <= most { return nil }
    return Violation(
      subject: "stall of main",
      message: "expected at most \(most.spelled), got \(record.longestStall.measured)")
  }
}

extension Duration {
  /// The duration in milliseconds and, if necessary, microseconds. With milliseconds alone, a value just above a limit
  /// could look equal to the limit.
  fileprivate var measured: String {
    let microseconds = Int(self / .microseconds(1))
    let (whole, part) = microseconds.quotientAndRemainder(dividingBy: 1000)
    return part == 0 ? "\(whole) ms" : "\(whole).\(String(part + 1000).dropFirst()) ms"
  }
}

extension Scenario.Outcome {
  /// The outcome's spelling in a scenario file.
  package var name: String {
    switch self {
    case .none: "none"
    case .loaded: "loaded"
    case .cancelled: "cancelled"
    case .failed: "failed"
    case .error(let category): "error:\(category.rawValue)"
    }
  }
}

extension TraceKind {
  /// Whether an event of this kind concerns the fetch of an image.
  var isFetch: Bool {
    switch self {
    case .fetchStart, .fetchProgress, .fetchDone, .fetchFailed, .fetchCancelled: true
    default: false
    }
  }
}

/// The number of activities, such as fetches, that have begun but not ended at a position in the trace.
struct OpenTally {
  /// The number of open activities, keyed by whichever of image, view or path distinguishes them.
  private var open: [String: Int] = [:]
  private var count = 0
  private let pattern: EventPattern
  private let ends: [TraceKind]

  init(_ pattern: EventPattern) { (self.pattern, ends) = (pattern, pattern.kind.row.ends) }

  /// Processes the next event.
  ///
  /// - Returns: the number of open activities that match the pattern.
  mutating func take(_ event: RunEvent) -> Int {
    let subject = event[.view] ?? event[.path] ?? event[.image] ?? ""
    if pattern.matches(event) {
      open[subject, default: 0] += 1
      count += 1
    } else if ends.contains(event.kind) {
      close(subject, 1)
    }
    return count
  }

  private mutating func close(_ subject: String, _ ended: Int) {
    let ended = min(ended, open[subject] ?? 0)
    open[subject, default: 0] -= ended
    count -= ended
  }
}
