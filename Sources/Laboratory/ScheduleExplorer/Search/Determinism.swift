import PlainText
import SeededNumbers

/// Verifies, before a search relies on it, that the same schedule always leads to the same run.
extension Explorer {
  static let suspects = """
    Common causes: the order of a Dictionary or a Set, real time, random numbers, state that outlives a run, threads.
    """

  /// Runs the first-in, first-out schedule and two random seeds twice each. Then checks the effect of real time, if the
  /// search requires it. Returns nil if the runs are equal. Also returns nil if a run ended with `.escape`, which is
  /// reported separately.
  ///
  /// - Parameter deadline: the time after which no further schedule is compared.
  func difference(_ runner: ProgramRunner, until deadline: ContinuousClock.Instant?) -> Finding? {
    let policies: [any SearchPolicy] = [
      DeviationPolicy(), RandomPolicy(SplitMix64(seed: seed, run: -1)), RandomPolicy(SplitMix64(seed: seed, run: -2)),
    ]
    for (number, policy) in policies.enumerated() {
      if number > 0, deadline.map({ .now >= $0 }) == true { return nil }
      let recorders = (Recorder(), Recorder())
      let one = runner.run(policy, recorders.0)
      let other = runner.run(policy, recorders.1)
      if one.finding?.kind == .escape || other.finding?.kind == .escape { return nil }
      guard let text = Self.difference(recorders.0.steps, recorders.1.steps) else { continue }
      return Finding(.nondeterminism, "the same schedule led to a different run: \(text).\n\(Self.suspects)")
    }
    if deadline.map({ .now >= $0 }) == true { return nil }
    return verifiesRealTime ? realTimeDifference(runner) : nil
  }

  /// The first item that differs.
  private static func difference(_ steps: [RecordedStep], _ others: [RecordedStep]) -> String? {
    let same = zip(steps, others).prefix { $0.item == $1.item }.count
    guard same < max(steps.count, others.count) else { return nil }
    let texts = [steps, others].map { steps in
      guard same < steps.count else { return "missing" }
      let due = steps[same].item.due.map { ", due at \($0)" } ?? ""
      return "“\(steps[same].name)” on \(steps[same].item.scheduler.label)\(due)"
    }
    return "in the first run, item \(same + 1) is \(texts[0]); in the second, it is \(texts[1])"
  }

  private static let realTime = Duration.milliseconds(100)

  /// Runs the first-in, first-out schedule twice, the second time while real time also passes. A program that reads a
  /// clock then behaves differently.
  private func realTimeDifference(_ runner: ProgramRunner) -> Finding? {
    let recorders = (Recorder(), Recorder())
    let one = runner.run(DeviationPolicy(), recorders.0)
    let other = runner.run(DeviationPolicy(), recorders.1, realTime: Self.realTime)
    guard one.finding?.kind != .escape, other.finding?.kind != .escape else { return nil }
    var text = Self.difference(recorders.0.steps, recorders.1.steps)
    if text == nil, one.finding != other.finding || one.outcome != other.outcome {
      text =
        "the first run ends with “\(one.finding?.message ?? one.outcome)”, the second with “\(other.finding?.message ?? other.outcome)”"
    }
    return text.map { text in
      Finding(
        .nondeterminism,
        """
        the explored code depends on real time: \(text).
        In the second run, real time advanced with virtual time. Sleeps are virtual, but ContinuousClock.now, \
        SuspendingClock.now and Date() are real. Sleep for a duration, not until a precomputed instant, and pass the \
        clock to the code as a parameter. State that survives from one run to the next has the same symptom: create \
        everything inside the body.
        """)
    }
  }
}
