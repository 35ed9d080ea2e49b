import PlainText
package import ScenarioFormat
import Scheduling

/// The result of one run of a scenario with one strategy.
public struct ScenarioOutcome: Sendable, Encodable {
  /// A failure of a run.
  public struct Failure: Sendable, Encodable, Equatable {
    /// The rule that failed.
    public let expectation: String
    /// The line of the rule in the file, counted from one. For a failed invariant, the line of the step during which it
    /// failed.
    public let line: Int
    /// The column in characters, counted from one.
    public let column: Int
    /// The actual result.
    public let message: String
    /// The `why` text in the file.
    public let why: String?
    /// The number of the event that shows the failure, counted from one.
    public let step: Int?
  }

  /// The name of the scenario.
  public let scenario: String
  /// The path to the file, as it was given.
  public let file: String
  /// The name of the strategy.
  public let strategy: String
  /// The variant of the program.
  public let variant: String
  /// The clock: `virtual` or `real`.
  public let clock: String
  /// Whether all rules held.
  public let ok: Bool
  /// The failures.
  public let failures: [Failure]
  /// The number of events.
  public let events: Int
  /// The run's duration on its own clock, in seconds.
  public let seconds: Double
}

extension ScenarioOutcome {
  /// The name of the run, for use in a line of text.
  package var name: String { "\(scenario)  \(strategy)  \(clock)" }

  /// Judges a run.
  ///
  /// - Parameters:
  ///   - source: the text of the scenario.
  ///   - expects: whether to check the expectations and the waits of the file. Pass false if responses can arrive at
  ///     times other than those in the file. Invariants are always checked.
  package init(
    of scenario: Scenario, _ source: SourceText, strategy: String, variant: String = Scenario.fixedVariant,
    clock: Scenario.Clock, _ record: RunRecord, expects: Bool = true
  ) {
    let judge = ExpectationJudge(record: record)
    let runJudge = RunJudge(scenario: scenario, record: record)
    let isBypassed = runJudge.bypassed != nil
    var failures = (expects && !isBypassed ? scenario.expectations : []).flatMap { expectation in
      judge.violations(of: expectation).map { violation in
        Self.failure(violation, record, source, at: expectation.range.lowerBound, why: expectation.why)
      }
    }
    // If a scenario expects leaks, the expectation judges them instead of the invariants.
    let expectsLeaks = scenario.expectations.contains { if case .leaks = $0.kind { true } else { false } }
    let leaks = [Invariant.leakedModel.rawValue, Invariant.leakedSubscription.rawValue]
    failures += (isBypassed ? [] : InvariantJudge.violations(of: scenario, in: record))
      .filter { !expectsLeaks || !leaks.contains($0.subject) }
      .map { violation in
        Self.failure(violation, record, source, at: Self.step(of: violation, scenario, record), why: nil)
      }
    var unfinished: [Failure] = []
    for (violation, step) in runJudge.violations where expects || step == nil {
      let location = step.map { scenario.steps[$0].range.lowerBound } ?? Self.step(of: violation, scenario, record)
      let failure = Self.failure(violation, record, source, at: location, why: nil)
      if step == nil { failures.append(failure) } else { unfinished.append(failure) }
    }
    // The other failures may follow from a step that did not run.
    failures = unfinished + failures
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
      message: violation.line(record.events).withoutCredentials, why: why?.withoutCredentials,
      step: violation.position.map { $0 + 1 })
  }

  /// The index of the step that precedes the violation.
  private static func step(of violation: Violation, _ scenario: Scenario, _ record: RunRecord) -> Int {
    let mark = record.marks.last { $0.position <= violation.position ?? Int.max }
    return mark.map { scenario.steps[$0.step].range.lowerBound } ?? 0
  }
}
