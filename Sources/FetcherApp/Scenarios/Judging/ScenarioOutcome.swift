/// What came of one run of a scenario with one strategy.
struct ScenarioOutcome: Sendable, Encodable {
  /// Something that did not hold.
  struct Failure: Sendable, Encodable, Equatable {
    /// What should hold.
    let expectation: String
    /// Where it stands in the file, or the step during which an invariant broke.
    let line: Int
    let column: Int
    let message: String
    /// The sentence that a learner reads.
    let why: String?
    /// The number of the event that shows it, counted from one.
    let step: Int?
  }

  let scenario: String
  /// The path of the file, as it was given.
  let file: String
  let strategy: String
  let variant: String
  let clock: String
  let ok: Bool
  let failures: [Failure]
  let events: Int
  let seconds: Double
}

extension ScenarioOutcome {
  /// What was run, for a line of text.
  var name: String { "\(scenario)  \(strategy)  \(clock)" }

  /// Judges a run.
  ///
  /// - Parameter source: the text that the scenario was read from.
  init(
    of scenario: Scenario, _ source: SourceText, strategy: String, variant: String = Scenario.fixedVariant,
    clock: Scenario.Clock, _ record: RunRecord
  ) {
    let judge = ExpectationJudge(record: record)
    var failures = scenario.expectations.compactMap { expectation in
      judge.violation(of: expectation).map { violation in
        Self.failure(violation, record, source, at: expectation.range.lowerBound, why: expectation.why)
      }
    }
    // A model that is meant to leak leaks as much as its expectation says.
    let expectsLeaks = scenario.expectations.contains { if case .leaks = $0.kind { true } else { false } }
    let leaks = [Invariant.leakedModel.rawValue, Invariant.leakedSubscription.rawValue]
    failures += InvariantJudge.violations(of: scenario, in: record)
      .filter { !expectsLeaks || !leaks.contains($0.subject) }
      .map { violation in
        Self.failure(violation, record, source, at: Self.step(of: violation, scenario, record), why: nil)
      }
    failures += RunJudge(record: record).violations.map { violation, step in
      let place = step.map { scenario.steps[$0].range.lowerBound } ?? Self.step(of: violation, scenario, record)
      return Self.failure(violation, record, source, at: place, why: nil)
    }
    self.init(
      scenario: scenario.name, file: source.path, strategy: strategy, variant: variant, clock: clock.rawValue,
      ok: failures.isEmpty, failures: failures, events: record.events.count, seconds: record.duration.inSeconds)
  }

  private static func failure(
    _ violation: Violation, _ record: RunRecord, _ source: SourceText, at offset: Int, why: String?
  ) -> Failure {
    let position = source.position(of: offset)
    return Failure(
      expectation: violation.subject, line: position.line, column: position.column,
      message: violation.line(record.events), why: why, step: violation.position.map { $0 + 1 })
  }

  /// Where the step stands that came before the violation.
  private static func step(of violation: Violation, _ scenario: Scenario, _ record: RunRecord) -> Int {
    let mark = record.marks.last { $0.position <= violation.position ?? Int.max }
    return mark.map { scenario.steps[$0.step].range.lowerBound } ?? 0
  }
}
