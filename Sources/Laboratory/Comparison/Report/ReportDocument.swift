import Bytes

/// The content of a report, which starts with the recommendation.
package struct ReportDocument: Sendable {
  package let blocks: [ReportBlock]

  package init(_ analysis: ComparisonAnalysis, behaviour: BehaviourTable.Extent = .failing) {
    var blocks = analysis.warnings.map(ReportBlock.warning)
    blocks += Self.answers(analysis)
    blocks += DecisionTable.blocks(analysis)
    blocks += ReportLegend.strategies(analysis)
    for workload in analysis.workloads { blocks += WorkloadTable.blocks(workload, reference: analysis.reference) }
    blocks += BehaviourTable.blocks(analysis, behaviour)
    if !analysis.workloads.isEmpty { blocks += ReportLegend.columns(analysis) + Self.footer(analysis) }
    self.blocks = blocks
  }

  package init(_ blocks: [ReportBlock]) { self.blocks = blocks }

  private static func answers(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    var blocks: [ReportBlock] = []
    if analysis.workloads.count > 1, analysis.record.settings.contenders.count(where: \.isChoice) > 1 {
      blocks += choices(analysis) + [.heading("What decides")]
    } else if !analysis.advice.isEmpty {
      blocks += [.heading("Which to choose"), .paragraph(scope(analysis))]
    }
    for (index, advice) in analysis.advice.enumerated() {
      var reasons = advice.remarks.map { "\($0.metric.name): \($0.text)" } + advice.asides
      if let secure = analysis.adviceOverHTTPS?[index], secure.choice != advice.choice {
        let others = secure.sentenceOfLosers.map { "; \($0)" } ?? ""
        reasons.append("over https: \(secure.sentence)\(others)")
      }
      blocks.append(.answer(subject: advice.workload.rawValue, text: advice.sentence, reasons: reasons))
    }
    if let behaviour = BehaviourTable.sentence(analysis) {
      blocks.append(.answer(subject: "behaviour", text: behaviour, reasons: []))
    }
    return blocks + ReportLegend.howToRead(analysis)
  }

  /// Returns the measured setup, and what it does not cover.
  private static func scope(_ analysis: ComparisonAnalysis) -> String {
    let system = analysis.record.machine.system.prefix { $0 != " " }
    guard analysis.workloads.contains(where: { $0.workload != .url }) else {
      return "Measured on \(system), with the server at your address."
    }
    let others = system == "Linux" ? ", and not with the URLSession of Apple platforms, which differs" : ""
    let isSimulated = analysis.workloads.contains { $0.settings.network != nil }
    let network =
      isSimulated
      ? "over a simulated network: not over https"
      : "on the same machine: not over https, not over a network"
    return "Measured on \(system) over plain http, with fetcher's own server \(network)\(others)."
  }

  /// Returns the recommendation for each workload and for all, over http. If some strategies do not load https, adds
  /// one for https.
  private static func choices(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    let strategies = analysis.record.settings.contenders.filter(\.isChoice)
    let secure = analysis.adviceOverHTTPS
    var blocks: [ReportBlock] = [
      .heading("Which to choose\(secure == nil ? "" : " over http")"), .paragraph(scope(analysis)),
    ]
    blocks += choices(analysis, analysis.advice, of: strategies, areMeasured: true)
    if let secure {
      let plain = strategies.filter { $0.loadsHTTPS == false }
      blocks += [
        .heading("A guess for https, without \(plain.map(\.name).listed(with: "and"))"),
        .paragraph(
          "Nothing was measured over https: these are the http results of the other strategies.\(handshakes(analysis))"),
      ]
      blocks += choices(analysis, secure, of: strategies.filter { !plain.contains($0) }, areMeasured: false)
    }
    let never = analysis.chosen(in: analysis.advice + (analysis.adviceOverHTTPS ?? []))
      .filter { chosen in
        chosen.count == 0
          && analysis.record.behaviour.contains { $0.strategy == chosen.strategy && $0.verdict == .breaks }
      }
      .map(\.strategy)
    if !never.isEmpty {
      blocks.append(.paragraph("Never \(never.listed(with: "or")): recommended in no workload, and breaks scenarios."))
    }
    return blocks
  }

  /// Returns one row per workload: the recommended strategies, the confidence, and the medians behind it.
  private static func choices(
    _ analysis: ComparisonAnalysis, _ advice: [Advice], of strategies: [Contender], areMeasured: Bool
  ) -> [ReportBlock] {
    let all = strategies.map(\.name)
    var table = ReportTable(
      ["workload", "choose", "how sure", "beside \(analysis.reference)", "medians"], wordColumns: [0, 1, 2, 3, 4])
    for one in advice {
      table.add([
        ReportTable.Cell(one.workload.rawValue), inShort(one.choice, of: all),
        ReportTable.Cell(one.certainty.verdict(isMeasured: areMeasured)),
        ReportTable.Cell(one.certainty.inShort(beside: analysis.reference)), ReportTable.Cell(one.figures),
      ])
    }
    let asides = advice.flatMap { one in one.strikingAsides.map { "In \(one.workload): \($0)." } }
    return [.table(table)] + asides.map(ReportBlock.note) + (overall(analysis, advice).map { [.paragraph($0)] } ?? [])
  }

  /// ` Each connection costs a handshake there: dataTask made 17 in list.`
  private static func handshakes(_ analysis: ComparisonAnalysis) -> String {
    let connections = analysis.workloads.filter { $0.workload.columns.contains(.connections) }.compactMap { workload in
      workload.reference?.cells[.connections].map { "\($0.number) in \(workload.workload)" }
    }
    guard !connections.isEmpty else { return "" }
    return " Each connection costs a handshake there: \(analysis.reference) made \(connections.listed(with: "and"))."
  }

  /// Returns `dataTask or async`, or `any but blocking` if that is shorter.
  private static func inShort(_ choice: [String], of all: [String]) -> ReportTable.Cell {
    let others = all.filter { !choice.contains($0) }
    if choice.isEmpty { return .missing }
    if others.isEmpty, choice.count > 1 { return ReportTable.Cell("any") }
    let list = choice.listed(with: "or")
    let exclusion = "any but \(others.listed(with: "and"))"
    return ReportTable.Cell(choice.count > 2 && exclusion.count < list.count ? exclusion : list)
  }

  private static func overall(_ analysis: ComparisonAnalysis, _ advice: [Advice]) -> String? {
    let chosen = analysis.chosen(in: advice)
    guard let most = chosen.first?.count, most > 0 else { return nil }
    let best = chosen.filter { $0.count == most }.map(\.strategy)
    let rest = chosen.filter { (1..<most).contains($0.count) }.map { "\($0.strategy) in \($0.count)" }
    let share = most == advice.count ? "all \(most)" : "\(most) of \(advice.count)"
    let others = rest.isEmpty ? "" : "; \(rest.joined(separator: ", "))"
    let alone = advice.count { $0.choice.count == 1 && best.contains($0.choice[0]) }
    let single = alone > 0 ? " (in \(alone) the only one)" : ""
    let sentence = "One for everything: \(best.listed(with: "or")), a choice in \(share) workloads\(single)\(others)."
    let notes = analysis.record.settings.contenders.filter { best.contains($0.name) }
      .compactMap { contender in contender.note.map { " \(contender.name): \($0)." } }.joined()
    if best.count == 1 { return sentence + notes }
    let advice = "These measurements do not decide between \(best.listed(with: "and")): choose what suits your code."
    return "\(sentence) \(advice)\(notes)"
  }

  private static func footer(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    let record = analysis.record
    let machine = record.machine
    let load = [machine.loadBefore, machine.loadAfter].compactMap { $0?.decimals(1) }.joined(separator: " to ")
    var notes = [
      "\(record.settings.blocks) blocks\(record.settings.until == nil ? "" : " or more") in random order (seed \(record.settings.seed)), plus a warm-up, each run in a "
        + "separate process; \(record.seconds.decimals(0)) s in all.",
      "\(machine.system), \(machine.cores) cores, load \(load), Swift \(machine.swift), \(machine.build) build, "
        + "fetcher \(record.program).",
    ]
    if machine.system.hasPrefix("Linux"),
      record.settings.contenders.contains(where: \.isChoice)
    {
      notes.append(
        "URLSession on Linux is based on curl. The URLSession of Apple platforms differs, and was not measured."
      )
    }
    if analysis.workloads.contains(where: { $0.workload != .url }) {
      notes.append(
        "The server is fetcher's own, on the same machine: it shares the cores with the strategies"
          + (analysis.workloads.contains { $0.settings.network != nil }
            ? ". So does the simulated network, which has no loss and no slow start."
            : ", and there is no network between them.")
      )
    }
    return [.heading("Method")] + notes.map(ReportBlock.note)
  }
}
