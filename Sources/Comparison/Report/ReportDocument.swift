/// What there is to say about a comparison, the answer first.
package struct ReportDocument: Sendable {
  /// How much of the behaviour table is shown.
  package enum Behaviour: Sendable { case none, failing, all }

  package let blocks: [ReportBlock]

  package init(_ analysis: ComparisonAnalysis, behaviour: Behaviour = .failing) {
    var blocks = analysis.warnings.map(ReportBlock.warning)
    blocks += Self.answers(analysis)
    for workload in analysis.workloads { blocks += WorkloadTable.blocks(workload, reference: analysis.reference) }
    blocks += BehaviourTable.blocks(analysis, behaviour)
    if !analysis.workloads.isEmpty { blocks += Self.footer(analysis) }
    self.blocks = blocks
  }

  package init(_ blocks: [ReportBlock]) { self.blocks = blocks }

  private static func answers(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    var blocks: [ReportBlock] = []
    if let overall = overall(analysis) { blocks += [.heading("Which to choose"), .paragraph(overall)] }
    for (place, advice) in analysis.advice.enumerated() {
      let overHTTPS = analysis.adviceOverHTTPS.map { "; over https: \($0[place].sentence)" } ?? ""
      let reasons = advice.remarks.map { remark in
        let unproven = remark.isUnproven ? " (unproven: the reference differs from itself)" : ""
        return "\(remark.metric.name): \(remark.text)\(unproven)"
      }
      blocks.append(.answer(subject: advice.workload.rawValue, text: advice.sentence + overHTTPS, reasons: reasons))
    }
    if let behaviour = BehaviourTable.sentence(analysis) {
      blocks.append(.answer(subject: "behaviour", text: behaviour, reasons: []))
    }
    if !analysis.workloads.isEmpty { blocks.append(.note(howToRead(analysis))) }
    return blocks
  }

  private static func overall(_ analysis: ComparisonAnalysis) -> String? {
    guard analysis.workloads.count > 1, analysis.record.settings.contenders.count(where: \.isChoice) > 1,
      let first = best(analysis, analysis.advice)
    else { return nil }
    let overHTTPS = analysis.adviceOverHTTPS.flatMap { best(analysis, $0) }
    return "For everything at once: \(first)." + (overHTTPS.map { " Over https: \($0)." } ?? "")
  }

  private static func best(_ analysis: ComparisonAnalysis, _ advice: [Advice]) -> String? {
    let chosen = analysis.chosen(in: advice)
    guard let most = chosen.first?.count, most > 0 else { return nil }
    let best = chosen.filter { $0.count == most }.map(\.strategy)
    let rest = chosen.filter { (1..<most).contains($0.count) }.map { "\($0.strategy) in \($0.count)" }
    let share = most == advice.count ? "all \(most)" : "\(most) of \(advice.count)"
    let others = rest.isEmpty ? "" : "; \(rest.joined(separator: ", "))"
    let alone = advice.count { $0.choice.count == 1 && best.contains($0.choice[0]) }
    return "\(Advice.list(best)), the choice in \(share) workloads" + (alone > 0 ? ", alone in \(alone)" : "") + others
  }

  private static func howToRead(_ analysis: ComparisonAnalysis) -> String {
    let reference = analysis.reference
    let coverage = analysis.workloads.lazy.flatMap(\.rows).flatMap(\.cells.values).compactMap(\.interval?.coverage)
      .first
    let interval = coverage.map { "[a, b] covers the true median with \(($0 * 100).decimals(1)) %. " } ?? ""
    return
      "\(interval)0.90x is 0.90 times \(reference): the median over the blocks, in each of which all were measured one after the "
      + "other, and so not always the ratio of the medians. ~ is no difference, or one below 2 %; + and - "
      + "behind a number are better and worse, and ? is likely, not sure, beside \(reference). \(reference) (2) is \(reference) once more: its interval is "
      + "what this machine can tell apart today. A difference counts if its whole interval is beyond that and beyond "
      + "\(WorkloadAnalysis.ratio(Advice.leastGain)); no other one decides a choice."
  }

  private static func footer(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    let record = analysis.record
    let machine = record.machine
    let load = [machine.loadBefore, machine.loadAfter].compactMap { $0?.decimals(1) }.joined(separator: " to ")
    var notes = [
      "\(record.settings.blocks) blocks in random order (seed \(record.settings.seed)), one more to warm up, each run in a "
        + "process of its own; \(record.seconds.decimals(0)) s in all.",
      "\(machine.system), \(machine.cores) cores, load \(load), Swift \(machine.swift), \(machine.build) build, "
        + "fetcher \(record.program).",
    ]
    if machine.system.hasPrefix("Linux"),
      record.settings.contenders.contains(where: \.isChoice)
    {
      notes.append(
        "URLSession on Linux is Foundation's own, on top of curl; that of Apple platforms is another, and was not measured."
      )
    }
    notes += record.settings.contenders.compactMap { contender in contender.note.map { "\(contender.name): \($0)." } }
    if record.settings.contenders.contains(where: { $0.name == "blocking" }) {
      notes.append(
        "All strategies have the same session settings but blocking: Data(contentsOf:) has a session and a connection of "
          + "its own for each image, and reads 8 at once at most.")
    }
    if record.settings.contenders.contains(.bare) {
      notes.append("\(Contender.bare.name) is URLSession in a plain loop, without the model and the bus.")
    }
    return [.heading("Method")] + notes.map(ReportBlock.note)
  }
}

extension Metric {
  /// What it is called in a sentence.
  package var name: String {
    switch self {
    case .throughput: "throughput"
    case .cpu: "CPU for 1,000 images"
    case .waiting: "CPU while waiting"
    case .memory: "peak memory"
    case .temporary: "temporary files"
    case .threads: "threads"
    case .connections: "connections"
    case .duplicates: "duplicate requests"
    case .wasted: "wasted"
    case .wastedRequests: "wasted requests"
    case .lastRow: "until the last row"
    case .mainStall: "longest stall of main"
    case .poolStall: "longest wait for a worker"
    case .arrived: "images that arrived"
    case .kinds: "kinds of errors told apart"
    case .retries: "retries"
    case .lost: "time lost by a failure"
    case .service: "server"
    case .lateStarts: "late starts"
    }
  }
}
