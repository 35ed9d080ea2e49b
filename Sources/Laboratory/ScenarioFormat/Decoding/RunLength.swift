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
    let times = Self.times(scenario)
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

  /// Returns the maximum duration of each response, or nil where it is unknown.
  fileprivate static func times(_ scenario: Scenario) -> [Duration?] {
    let largest = largestPicture(scenario)
    let networks = scenario.steps.compactMap {
      if case .network(let conditions) = $0.action { conditions } else { nil }
    }
    let latency = networks.compactMap(\.latency?.longest).max() ?? .zero
    let bandwidth = networks.compactMap(\.bandwidth).min()
    // An image without a route has a response that is not part of the file.
    return (scenario.allResponses + [Scenario.Response()]).map { response in
      var slowest = response
      slowest.latency = .fixed(max(latency, response.latency.longest))
      slowest.bandwidth = [bandwidth, response.bandwidth].compactMap(\.self).min()
      return longest(slowest, largest)
    }
  }

  private static func longest(_ response: Scenario.Response, _ largestPicture: Int) -> Duration? {
    let end: Duration? = if let fault = response.fault { fault.row.delay } else { .zero }
    guard response.status != 401, response.redirect == nil, let end else { return nil }
    let latency = response.latency.longest
    guard let bandwidth = response.bandwidth else { return latency + end }
    guard let bytes = bytes(response.body, largestPicture) else { return nil }
    return latency + end + .seconds(Double(bytes) / Double(bandwidth))
  }

  private static func largestPicture(_ scenario: Scenario) -> Int {
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
    return isNamed || isAwaited || RunLength.times(self).contains { $0.map { $0 >= limits.deadline } ?? true }
  }
}
