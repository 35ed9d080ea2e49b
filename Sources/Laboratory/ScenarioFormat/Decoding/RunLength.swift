/// How long a run of a scenario can take at most, if its program is right.
package struct RunLength: Sendable {
  /// A run with more events than this counts as endless: so many, and some for each step.
  package static func mostEvents(steps: Int) -> Int { 10_000 + eventsOfStep * steps }
  /// More than a step of the shipped program leads to, unless an answer comes in many pieces.
  package static let eventsOfStep = 20
  /// How much longer than its plan a run may take.
  static let slack = Duration.seconds(2)

  /// Nil where that is unknown: the program asks for more than the steps say, a step waits for something, a fetch may
  /// be tried again or waits for others, an answer never ends, leads on to others, or asks for a password, for which a
  /// blocking read waits until its deadline.
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

  private static func longest(_ response: Scenario.Response, _ largestPicture: Int) -> Duration? {
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

  private static func largestPicture(_ scenario: Scenario) -> Int {
    scenario.images.map { $0.size.width * $0.size.height * 3 + $0.size.height + 1024 }.max() ?? 0
  }

  /// An upper bound for the bytes of a body.
  private static func bytes(_ body: Scenario.Response.Body, _ largestPicture: Int) -> Int? {
    switch body {
    case .bytes(let count): count
    case .image, .ofPath: largestPicture
    case .file, .json: nil
    }
  }
}
