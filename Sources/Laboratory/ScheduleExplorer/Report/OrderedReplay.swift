import VirtualTime

/// Runs a program first in, first out, but keeps a given order of named items.
struct OrderedReplay {
  /// The maximum number of runs. Names are looked up again after each run, because some items get their
  /// names only if the requested order is in effect.
  private static let maximumRuns = 10

  let recorder: Recorder
  let verdict: Verdict
  /// The first constraint that the run violated, with the reason.
  let broken: String?

  init(_ order: [OrderConstraint], _ runner: ProgramRunner) {
    var (names, recorder) = (NameTable(), Recorder())
    var policy = OrderPolicy(ItemOrder(pairs: []))
    var verdict = runner.run(DeviationPolicy(), recorder)
    names.learn(recorder.steps)
    var found = Self.find(order, names)
    for _ in 0..<Self.maximumRuns {
      recorder = Recorder()
      policy = OrderPolicy(ItemOrder(pairs: Self.pairs(found)))
      verdict = runner.run(policy, recorder)
      names.learn(recorder.steps)
      let again = Self.find(order, names)
      if again == found { break }
      found = again
    }
    self.recorder = recorder
    self.verdict = verdict
    let positions = policy.positions
    broken = zip(order, found).lazy.compactMap { Self.whyBroken($0, $1, positions) }.first
  }

  private struct Found: Equatable {
    let before: UInt64?
    let after: UInt64?
  }

  private static func find(_ order: [OrderConstraint], _ names: NameTable) -> [Found] {
    order.map { Found(before: names.find($0.before), after: names.find($0.after)) }
  }

  private static func pairs(_ found: [Found]) -> [ItemOrder.Pair] {
    found.compactMap { found in
      guard let before = found.before, let after = found.after else { return nil }
      return ItemOrder.Pair(before: before, after: after)
    }
  }

  /// The reason why the run violated a constraint, or nil if it did not. The second item does not have to run: its
  /// absence may be the fix.
  private static func whyBroken(_ constraint: OrderConstraint, _ found: Found, _ positions: [UInt64: Int]) -> String? {
    guard let before = found.before.flatMap({ positions[$0] }) else {
      return "no item that ran matches \(constraint.before.words)"
    }
    guard let after = found.after.flatMap({ positions[$0] }), after < before else { return nil }
    return "\(constraint.after.words) can no longer come after \(constraint.before.words)"
  }
}

/// Finds items of previous runs by their names.
struct NameTable {
  private struct Key: Hashable {
    let text: String
    let scheduler: String?
  }

  private var byText: [Key: Set<UInt64>] = [:]
  private var byIdentity: [UInt32: RecordedStep] = [:]

  mutating func learn(_ steps: [RecordedStep]) {
    for step in steps {
      let identity = step.item.identity
      for scheduler in [step.item.scheduler.label, nil] {
        byText[Key(text: step.text, scheduler: scheduler), default: []].insert(identity)
      }
      byIdentity[UInt32(truncatingIfNeeded: identity)] = step
    }
  }

  /// Returns the item with this text and this identity, or else the only item with this text. Otherwise, returns the
  /// item with this identity and this scheduler, because its note may contain a value that has changed.
  func find(_ name: ItemName) -> UInt64? {
    let named = byText[Key(text: name.text, scheduler: name.scheduler)] ?? []
    let same = name.identity.flatMap { byIdentity[$0] }
    if let same, named.contains(same.item.identity) { return same.item.identity }
    if named.count == 1 { return named.first }
    guard let same, same.item.scheduler.label == name.scheduler ?? same.item.scheduler.label else { return nil }
    return same.item.identity
  }
}
