package import ScenarioFormat

/// The result of one run of a scenario with one strategy.
package struct ScenarioOutcome: Sendable, Encodable {
  /// Something that did not hold.
  package struct Failure: Sendable, Encodable, Equatable {
    /// What should hold.
    package let expectation: String
    /// Where it stands in the file, or the step during which an invariant broke.
    package let line: Int
    package let column: Int
    package let message: String
    /// The sentence that a learner reads.
    package let why: String?
    /// The number of the event that shows it, counted from one.
    package let step: Int?
  }

  package let scenario: String
  /// The path of the file, as it was given.
  package let file: String
  package let strategy: String
  package let variant: String
  package let clock: String
  package let ok: Bool
  package let failures: [Failure]
  package let events: Int
  package let seconds: Double
}

extension ScenarioOutcome {
  /// What was run, for a line of text.
  package var name: String { "\(scenario)  \(strategy)  \(clock)" }

  /// Judges a run.
  ///
  /// - Parameters:
  ///   - source: the text that the scenario was read from.
  ///   - expects: whether the expectations of the file must hold, and its steps find what they wait for: not where answers came at
  ///     other times than the file says. Invariants hold always.
  package init(
    of scenario: Scenario, _ source: SourceText, strategy: String, variant: String = Scenario.fixedVariant,
    clock: Scenario.Clock, _ record: RunRecord, expects: Bool = true
  ) {
    let judge = ExpectationJudge(record: record)
    var failures = (expects ? scenario.expectations : []).compactMap { expectation in
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
    failures += RunJudge(scenario: scenario, record: record).violations.filter { expects || $0.step == nil }.map {
      violation, step in
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
