extension Explorer {
  private static let realTime = Duration.milliseconds(100)

  /// First in, first out, once with the virtual time alone and once while as much real time passes: what reads a clock
  /// behaves differently.
  func realTimeDifference(_ trial: Trial) -> Finding? {
    let recorders = (Recorder(), Recorder())
    let one = trial.run(.written([]), recorders.0)
    let other = trial.run(.written([]), recorders.1, realTime: Self.realTime)
    guard one.finding?.kind != .escape, other.finding?.kind != .escape else { return nil }
    var text = Self.difference(recorders.0.steps, recorders.1.steps)
    if text == nil, one.finding != other.finding || one.outcome != other.outcome {
      text =
        "it ends with “\(one.finding?.message ?? one.outcome)”, then with “\(other.finding?.message ?? other.outcome)”"
    }
    return text.map { text in
      Finding(
        .nondeterminism,
        """
        the program depends on real time: when real time passes with the virtual time, \(text).
        Sleeps are virtual, but ContinuousClock.now, SuspendingClock.now and Date() are real. Sleep for a duration, not until \
        an instant that was read before, and give the code its clock as a parameter. State that is kept from one run to \
        the next looks the same: make everything inside the body.
        """)
    }
  }
}
