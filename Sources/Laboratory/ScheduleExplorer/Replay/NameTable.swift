import VirtualTime

/// The items that runs of a program had, to find them by their names.
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

  /// What has both the text and the identity, or else is the only one with the text, or else has the identity and the scheduler:
  /// its note may tell a value that is another one now.
  func find(_ name: ItemName) -> UInt64? {
    let named = byText[Key(text: name.text, scheduler: name.scheduler)] ?? []
    let same = name.identity.flatMap { byIdentity[$0] }
    if let same, named.contains(same.item.identity) { return same.item.identity }
    if named.count == 1 { return named.first }
    guard let same, same.item.scheduler.label == name.scheduler ?? same.item.scheduler.label else { return nil }
    return same.item.identity
  }
}
