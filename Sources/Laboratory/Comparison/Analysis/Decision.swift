/// A sequential comparison's conclusion about one workload.
package struct Decision: Sendable, Encodable {
  package enum Verdict: String, Sendable, Encodable {
    /// The choice is better than the others by a difference that counts.
    case ahead
    /// The chosen strategies are level in the deciding metrics, within the ratio that counts.
    case equal
    case undecided
  }

  package let situation: Situation
  package let verdict: Verdict
  /// The largest number of blocks in which any contender was measured, not including the warm-up.
  package let blocks: Int
  /// The contenders that need to be measured in further blocks. Empty if the workload is decided.
  package let open: [Contender]

  init(_ analysis: WorkloadAnalysis, unfit: Set<String>) {
    let elimination = Elimination(analysis, unfit: unfit)
    situation = analysis.situation
    verdict = analysis.lacksChoice(unfit) ? .undecided : Self.verdict(elimination, analysis)
    blocks = analysis.blocks
    let open = (elimination.open ?? []).map(\.contender)
    let isUnproven = elimination.rounds.contains(where: \.isUnproven)
    self.open =
      elimination.isDecided
      ? []
      : analysis.rows.map(\.contender).filter {
        $0.role == .reference || isUnproven && $0.role == .control || open.contains($0)
      }
  }

  private enum CodingKeys: CodingKey { case workload, transport, verdict, blocks }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(situation.workload, forKey: .workload)
    try container.encode(situation.transport, forKey: .transport)
    try container.encode(verdict, forKey: .verdict)
    try container.encode(blocks, forKey: .blocks)
  }

  private static func verdict(_ elimination: Elimination, _ analysis: WorkloadAnalysis) -> Verdict {
    guard elimination.isDecided else { return .undecided }
    if case .ahead = elimination.certainty(analysis.reference) { return .ahead }
    return .equal
  }
}

extension Elimination {
  fileprivate var isDecided: Bool { !chosen.isEmpty && isSure }
}
