import PlainText

/// The maximum duration of a scenario's run, if the program is correct.
package struct RunLength: Sendable {
  /// Returns the number of events at which a run counts as endless. The number increases with the number of steps.
  package static func maximumEvents(steps: Int) -> Int { 10_000 + eventsOfStep * steps }
  /// The number of events to allow for each step. A step of the default program causes fewer events, unless a response
  /// arrives in many pieces.
  package static let eventsOfStep = 20
  /// The time that a run may take in addition to its steps and responses.
  static let slack = Duration.seconds(2)

  /// The maximum duration, or nil if it is unknown. The duration is unknown if the program sends more requests than the
  /// steps state, or if a step waits for an event. The duration is also unknown if a fetch may be retried or may wait
  /// for other fetches, or if a response never ends, redirects, or requires a password. A blocking read waits for such
  /// a response until its deadline.
  package let longest: Duration?

  init(_ scenario: Scenario) {
    let waits = scenario.steps.contains { step in
      if case .afterEvent = step.start { return true }
      return step.action == .waitIdle
    }
    let largest = Self.largestPicture(scenario)
    let times = scenario.allResponses.map { Self.longest($0, largest) }
    let isPlain =
      scenario.program == Scenario.standardProgram && scenario.limits.retries == 0 && scenario.limits.inFlight == nil
    guard !waits, isPlain, !times.contains(where: { $0 == nil }) else {
      longest = nil
      return
    }
    let fetches = scenario.steps.count { $0.action.view != nil }
    longest =
      scenario.latestStep + scenario.busyTime + (times.compactMap(\.self).max() ?? .zero) * fetches + Self.slack
  }

  fileprivate static func longest(_ response: Scenario.Response, _ largestPicture: Int) -> Duration? {
    let end: Duration? = if let fault = response.fault { fault.row.delay } else { .zero }
    guard response.status != 401, response.redirect == nil, let end else { return nil }
    let latency =
      switch response.latency {
      case .fixed(let time): time
      case .uniform(_, let longest): longest
      case .lognormal(let distribution): distribution.max
      }
    guard let bandwidth = response.bandwidth else { return latency + end }
    guard let bytes = bytes(response.body, largestPicture) else { return nil }
    return latency + end + .seconds(Double(bytes) / Double(bandwidth))
  }

  fileprivate static func largestPicture(_ scenario: Scenario) -> Int {
    scenario.images.map { $0.size.width * $0.size.height * 3 + $0.size.height + 1024 }.max() ?? 0
  }

  /// Returns an upper bound for the size of a body in bytes, or nil if it is unknown.
  private static func bytes(_ body: Scenario.Response.Body, _ largestPicture: Int) -> Int? {
    switch body {
    case .bytes(let count): count
    case .image, .ofPath: largestPicture
    case .file, .json: nil
    }
  }
}

extension Scenario {
  /// Whether the deadline of a fetch matters to this scenario: the file states it, a pattern or an outcome names
  /// `timedOut`, or a response can take that long.
  package var usesDeadline: Bool {
    if limits.statedDeadline != nil { return true }
    let timedOut = ErrorCategory.timedOut
    let isNamed = expectations.contains { expectation in
      if case .outcome(_, .error(timedOut)) = expectation.kind { return true }
      return expectation.kind.patterns.contains { $0.values[.error] == timedOut.rawValue }
    }
    let isAwaited = steps.contains { step in
      if case .afterEvent(let pattern, _) = step.start { pattern.values[.error] == timedOut.rawValue } else { false }
    }
    let largest = RunLength.largestPicture(self)
    return isNamed || isAwaited
      || allResponses.contains { RunLength.longest($0, largest).map { $0 >= limits.deadline } ?? true }
  }
}
