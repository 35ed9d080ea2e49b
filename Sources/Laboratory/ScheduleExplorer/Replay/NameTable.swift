import VirtualTime

/// The items that runs of a program had, to find them by their names.
struct NameTable {
  private struct Key: Hashable {
    let text: String
    let place: String?
  }

  private var byText: [Key: Set<UInt64>] = [:]
  private var byIdentity: [UInt32: RecordedStep] = [:]

  mutating func learn(_ steps: [RecordedStep]) {
    for step in steps {
      let identity = step.item.identity
      for place in [step.item.place.label, nil] {
        byText[Key(text: step.text, place: place), default: []].insert(identity)
      }
      byIdentity[UInt32(truncatingIfNeeded: identity)] = step
    }
  }

  /// What has both the text and the identity, or else is the only one with the text, or else has the identity and the place:
  /// its note may tell a value that is another one now.
  func find(_ name: ItemName) -> UInt64? {
    let named = byText[Key(text: name.text, place: name.place)] ?? []
    let same = name.identity.flatMap { byIdentity[$0] }
    if let same, named.contains(same.item.identity) { return same.item.identity }
    if named.count == 1 { return named.first }
    guard let same, same.item.place.label == name.place ?? same.item.place.label else { return nil }
    return same.item.identity
  }
}
