/// What came of one run of a scenario with one strategy.
struct ScenarioOutcome: Sendable, Encodable {
  /// An expectation that did not hold.
  struct Failure: Sendable, Encodable {
    /// Where it stands in the file.
    let expectation: String
    let message: String
  }

  let scenario: String
  let strategy: String
  let variant = "fixed"
  let clock = "real"
  let ok: Bool
  let failures: [Failure]
  let events: Int

  private enum CodingKeys: String, CodingKey {
    case scenario, strategy, variant, clock, ok, failures, events
  }

  init(_ scenario: Scenario, strategy: String, _ trace: ScenarioTrace) {
    self.scenario = scenario.name
    self.strategy = strategy
    events = trace.events.count
    failures = scenario.checks.compactMap { check in
      Self.problem(check.expectation, trace).map { problem in
        Failure(expectation: check.path, message: problem + (check.why.map { " (\($0))" } ?? ""))
      }
    }
    ok = failures.isEmpty
  }

  private static func problem(_ expectation: Scenario.Expectation, _ trace: ScenarioTrace) -> String? {
    switch expectation {
    case .shown(let view, let expected):
      let shown = trace.shown[view]
      guard shown != expected else { return nil }
      return "final \(view).shown: expected \(quoted(expected)), got \(quoted(shown))"
    case .count(let event, let image, let view, let range):
      let count = trace.count(event, image: image, view: view)
      guard !range.contains(count) else { return nil }
      let subject = [event, image, view].compactMap(\.self).joined(separator: " ")
      return "count \(subject): expected \(words(range)), got \(count)"
    }
  }

  private static func words(_ range: ClosedRange<Int>) -> String {
    if range.lowerBound == range.upperBound { return "\(range.lowerBound)" }
    if range.upperBound == Int.max { return "at least \(range.lowerBound)" }
    return range.lowerBound == 0 ? "at most \(range.upperBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }

  private static func quoted(_ id: String?) -> String { id.map { "\"\($0)\"" } ?? "nothing" }
}
