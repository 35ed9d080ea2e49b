package import ScenarioFormat

/// The result of one run of a scenario with one strategy.
public struct ScenarioOutcome: Sendable, Encodable {
  /// Something that did not hold.
  public struct Failure: Sendable, Encodable, Equatable {
    /// What should hold.
    public let expectation: String
    /// Where it stands in the file, or the step during which an invariant broke; counted from one.
    public let line: Int
    /// The column there, in characters, counted from one.
    public let column: Int
    /// What happened instead.
    public let message: String
    /// The sentence of the file that says why it matters.
    public let why: String?
    /// The number of the event that shows it, counted from one.
    public let step: Int?
  }

  /// The name of the scenario.
  public let scenario: String
  /// The path of the file, as it was given.
  public let file: String
  /// The name of the strategy.
  public let strategy: String
  /// The variant of the program.
  public let variant: String
  /// `virtual` or `real`.
  public let clock: String
  /// Whether everything held.
  public let ok: Bool
  /// What did not.
  public let failures: [Failure]
  /// How many events there were.
  public let events: Int
  /// How long it took, by its clock.
  public let seconds: Double
}

extension ScenarioOutcome {
  /// What was run, for a line of text.
  package var name: String { "\(scenario)  \(strategy)  \(clock)" }

  /// Judges a run.
  ///
  /// - Parameters:
  ///   - source: the text that the scenario was read from.
  ///   - expects: whether the expectations of the file must hold, and its steps find what they wait for: not where
  ///     answers came at other times than the file says. Invariants hold always.
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
      let location = step.map { scenario.steps[$0].range.lowerBound } ?? Self.step(of: violation, scenario, record)
      return Self.failure(violation, record, source, at: location, why: nil)
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
