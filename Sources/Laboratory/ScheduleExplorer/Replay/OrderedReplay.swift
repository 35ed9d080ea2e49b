import VirtualTime

/// Runs a program first in, first out but for an order of named items.
struct OrderedReplay {
  /// A note may appear only in the order that is to be followed, so that names are looked up again after each run.
  private static let mostRuns = 10

  let recorder: Recorder
  let verdict: Verdict
  /// The first constraint that the run did not keep, and why.
  let broken: String?

  init(_ order: [OrderConstraint], _ trial: Trial) {
    var (names, recorder) = (NameTable(), Recorder())
    var verdict = trial.run(.written([]), recorder)
    names.learn(recorder.steps)
    var found = Self.find(order, names)
    for _ in 0..<Self.mostRuns {
      recorder = Recorder()
      verdict = trial.run(.ordered(Director.Order(pairs: Self.pairs(found))), recorder)
      names.learn(recorder.steps)
      let again = Self.find(order, names)
      if again == found { break }
      found = again
    }
    self.recorder = recorder
    self.verdict = verdict
    let positions = trial.director.positions
    broken = zip(order, found).lazy.compactMap { Self.whyBroken($0, $1, positions) }.first
  }

  private struct Found: Equatable {
    let before: UInt64?
    let after: UInt64?
  }

  private static func find(_ order: [OrderConstraint], _ names: NameTable) -> [Found] {
    order.map { Found(before: names.find($0.before), after: names.find($0.after)) }
  }

  private static func pairs(_ found: [Found]) -> [Director.Order.Pair] {
    found.compactMap { found in
      guard let before = found.before, let after = found.after else { return nil }
      return Director.Order.Pair(before: before, after: after)
    }
  }

  /// What must come after something need not come at all: that may be the repair.
  private static func whyBroken(_ constraint: OrderConstraint, _ found: Found, _ positions: [UInt64: Int]) -> String? {
    guard let before = found.before.flatMap({ positions[$0] }) else {
      return "nothing that ran is \(constraint.before.words)"
    }
    guard let after = found.after.flatMap({ positions[$0] }), after < before else { return nil }
    return "\(constraint.after.words) can no longer come after \(constraint.before.words)"
  }
}
