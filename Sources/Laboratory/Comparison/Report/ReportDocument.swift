import PlainText

/// The content of a report. It starts with the screen, except for a record without workloads.
package struct ReportDocument: Sendable {
  package let blocks: [ReportBlock]

  package init(_ analysis: ComparisonAnalysis, behaviour: BehaviourTable.Extent = .failing) {
    let screen = Screen(analysis)
    var blocks = screen?.blocks ?? []
    // The screen cuts the warnings.
    let warnings = analysis.warnings
    if screen?.warnings != warnings, !warnings.isEmpty {
      blocks += [.heading("Warnings")] + warnings.map(ReportBlock.warning)
    }
    let isShort = analysis.hasTooFewBlocks && !analysis.workloads.isEmpty
    blocks += isShort ? Self.medians(analysis) : Self.answers(analysis)
    if !isShort { blocks += DecisionTable.blocks(analysis) }
    for workload in analysis.workloads {
      blocks += WorkloadTable.blocks(workload, reference: analysis.reference, isShort: isShort)
    }
    blocks += BehaviourTable.blocks(analysis, isShort ? .none : behaviour)
    if !analysis.workloads.isEmpty, !isShort { blocks += ReportLegend.columns(analysis) + Self.footer(analysis) }
    self.blocks = blocks
  }

  package init(_ blocks: [ReportBlock]) { self.blocks = blocks }

  /// Returns the recommendations: the table, a sentence for each workload, and an explanation of how to read them.
  private static func answers(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    var blocks: [ReportBlock] = []
    if !analysis.advice.isEmpty {
      blocks += [.heading("How sure"), .paragraph(scope(analysis))]
      blocks +=
        [.table(ChoiceTable.table(analysis))] + SummaryNotes.blocks(analysis) + ReportLegend.strategies(analysis)
      blocks.append(.heading("What decides"))
    }
    let isSeveral = analysis.transports.count > 1
    for workload in Workload.allCases {
      let advice = analysis.advice.filter { $0.situation.workload == workload }
      guard !advice.isEmpty else { continue }
      let sentences = advice.map { one in
        isSeveral ? "over \(one.situation.transport.title), \(one.sentence)" : one.sentence
      }
      let settings = analysis.workloads.first { $0.workload == workload }?.settings
      let reasons =
        (settings.map { ["measured: \($0.summary)"] } ?? [])
        + advice.flatMap { one in
          let over = isSeveral ? "\(one.situation.transport.title), " : ""
          return one.remarks.map { "\(over)\($0.metric.name): \($0.text)" } + one.asides.map { over + $0 }
        }
      blocks.append(.answer(subject: workload.rawValue, text: sentences.joined(separator: "; "), reasons: reasons))
    }
    return blocks + behaviour(analysis) + ReportLegend.howToRead(analysis)
  }

  private static func behaviour(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    BehaviourTable.sentence(analysis).map { [.answer(subject: "behaviour", text: $0, reasons: [])] } ?? []
  }

  /// Returns the start of a report for which too few blocks were measured. It recommends nothing.
  private static func medians(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    let blocks = analysis.workloads.map(\.blocks).max() ?? 0
    return [
      .heading("Too few blocks to choose"),
      .paragraph(
        "The tables show medians of \(blocks) \(blocks == 1 ? "block" : "blocks"), without intervals. At least 10 blocks are "
          + "necessary for a recommendation."),
    ] + behaviour(analysis)
  }

  /// Returns a description of the measured setup and of what it does not cover.
  private static func scope(_ analysis: ComparisonAnalysis) -> String {
    let system = analysis.record.machine.system.prefix { $0 != " " }
    guard analysis.workloads.contains(where: { $0.workload != .url }) else {
      return "Measured on \(system), with the server at your address."
    }
    let transport = analysis.transports.contains(where: \.isSecure) ? "" : " over plain http"
    let front = analysis.record.settings.front.map { ". For https, \($0) is in front of it" } ?? ""
    let isSimulated = analysis.workloads.contains { $0.settings.network != nil }
    let network = isSimulated ? "The network is simulated." : "There is no network between them.\(transfer(analysis))"
    let workloads = Set(analysis.workloads.map(\.workload))
    let gap =
      workloads.isSuperset(of: [.gallery, .scroll])
      ? " Not measured: a feed of large images only, and the bytes that its cancelled images waste. Read gallery (large "
        + "images without scrolling) and scroll (small images)." : ""
    return "Measured on \(system)\(transport), with fetcher's own server on the same machine\(front). \(network)\(gap)"
  }

  /// Returns how long a network takes to transfer the largest image, so that readers can compare the measured times
  /// with it.
  private static func transfer(_ analysis: ComparisonAnalysis) -> String {
    let sizes = analysis.workloads.map { max($0.settings.size, $0.settings.pictureSize ?? 0) }
    guard let most = sizes.max(), most >= 1_000_000 else { return "" }
    let seconds = (Double(most) * 8 / 50e6).decimals(2)
    return " On a slow one, the transfer takes most of the time: at 50 Mbit/s, \(Unit.bytes.text(Double(most))) take "
      + "\(seconds) s."
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
    if let front = record.settings.front {
      notes.append(
        "https: \(front) terminates TLS and forwards each request to the same server over persistent connections. It "
          + "has one worker, does not buffer responses, and shares the cores as well. It counts connections, handshakes "
          + "and bytes."
      )
    }
    return [.heading("Method")] + notes.map(ReportBlock.note)
  }
}
