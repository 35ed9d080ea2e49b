/// The explanations that let a reader understand a report without other documents.
enum ReportLegend {
  static func howToRead(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    guard !analysis.workloads.isEmpty else { return [] }
    let reference = analysis.reference
    let coverage = analysis.workloads.lazy.flatMap(\.rows).flatMap(\.cells.values).compactMap(\.interval?.coverage)
      .first
    let interval =
      coverage.map { ", which covers the true value with \(($0 * 100).decimals(1)) % confidence" } ?? ""
    let notes = [
      "0.90x [0.85, 0.95] means 0.90 times \(reference): the median of the ratios within blocks, and its "
        + "interval\(interval). It can differ from the ratio of the two medians.",
      "The metrics of a workload apply in order: a strategy that loses on one is eliminated, and the next decides among "
        + "the rest. Each strategy is compared only with \(reference).",
      "Best, same: the whole interval supports the choice, not only the median. Open: the largest difference that the "
        + "intervals allow is beyond \(Width.limit.asRatio). The best strategies are those whose interval overlaps the interval "
        + "of the best median.",
      "A difference counts, and can determine the choice, if its whole interval is beyond "
        + "\(Width.limit.asRatio)\(test(analysis)). A difference in ms or KB is divided by the larger median. "
        + "Stalls up to 4 ms (a quarter of a frame) and wasted bytes up to 40 KB (a hundredth of a large picture) are too "
        + "small to count. In the numbers of images that arrived and of error kinds, a difference of one counts.",
      "\(reference) (2) is a second measurement of \(reference).",
      "better, worse,\(ReportTable.better) and\(ReportTable.worse) mark differences that count; better?, worse? and "
        + "\"probably\" mark visible differences that do not count; ~ marks a difference below 2 %, or an interval that includes \"equal\".",
    ]
    return [.heading("How to read the figures")] + notes.map(ReportBlock.note)
  }

  private static func test(_ analysis: ComparisonAnalysis) -> String {
    if analysis.record.settings.until != nil { return "; the interval comes from bets on the median" }
    return
      ", it exceeds the difference between two measurements of \(analysis.reference), and an exact Wilcoxon signed-rank test "
      + "over the blocks has p <= 0.05 after Holm correction"
  }

  static func strategies(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    let contenders = analysis.record.settings.contenders
    guard !analysis.workloads.isEmpty else { return [] }
    var notes = contenders.compactMap { contender in contender.note.map { "\(contender.name): \($0)." } }
    if analysis.transports.contains(where: \.isSecure) {
      notes += contenders.filter { $0.loadsHTTPS == false }.map { "\($0.name): not over https." }
    }
    for floor in contenders where floor.role == .floor {
      notes.append(
        "\(floor.name) is a reference: it shows what this machine allows without Foundation. The report never recommends it."
      )
    }
    if contenders.contains(.bare) {
      notes.append(
        "\(Contender.bare.name): URLSession in a plain loop, without the model (states, limits, validation) and the bus (events to views)."
      )
    }
    if contenders.contains(where: { $0.name == "blocking" }) {
      notes.append(
        "All strategies except blocking have the same session settings. Data(contentsOf:) opens a session and a connection "
          + "for each image. It runs one read per Dispatch thread: about one per core, here "
          + "\(analysis.record.machine.cores), and at most 8. More cores reduce its waiting.")
    }
    return notes.isEmpty ? [] : [.heading("The strategies")] + notes.map(ReportBlock.note)
  }

  /// Returns explanations of the column titles, including which values are better.
  static func columns(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    let shown = Metric.allCases.filter { metric in
      analysis.workloads.contains { workload in
        workload.columns.contains(metric) && workload.rows.contains { $0.cells[metric] != nil }
      }
    }
    let notes = shown.map { metric in
      ReportBlock.note("\(metric.title): \(metric.explanation)\(metric.wish).")
    }
    return notes.isEmpty ? [] : [.heading("The columns")] + notes
  }

  static func method(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    let record = analysis.record
    let machine = record.machine
    let load = [machine.loadBefore, machine.loadAfter].compactMap { $0?.decimals(1) }.joined(separator: " to ")
    var notes = [
      "\(record.settings.blocks) blocks\(record.settings.until == nil ? "" : " or more") in random order (seed "
        + "\(record.settings.seed)), plus a warm-up, each run in a separate process; \(record.seconds.decimals(0)) s in all.",
      "\(machine.system), \(machine.cores) cores, load \(load), Swift \(machine.swift), \(machine.build) build, "
        + "fetcher \(record.program).",
    ]
    if let until = record.settings.until {
      notes.append(
        "Until decided: blocks were added for \(until.limit.decimals(0)) s at most, and a decided strategy got no further "
          + "blocks. With \(((1 - until.error) * 100).decimals(0)) % confidence, all decisions of a workload are correct, no "
          + "matter when the comparison stopped: the intervals come from bets on the median (Waudby-Smith and Ramdas 2024; "
          + "Howard and Ramdas 2022).")
    }
    if machine.system.hasPrefix("Linux"), record.settings.contenders.contains(where: \.isChoice) {
      notes.append(
        "URLSession on Linux is based on curl. The URLSession of Apple platforms differs, and was not measured.")
    }
    if analysis.workloads.contains(where: { $0.workload != .url }) {
      notes.append(
        "The server is fetcher's own, on the same machine: it shares the cores with the strategies"
          + (analysis.workloads.contains { $0.settings.network != nil }
            ? ". So does the simulated network, which has no loss and no slow start."
            : ", and there is no network between them."))
    }
    if Set(analysis.workloads.map(\.workload)).isSuperset(of: Workload.standard) {
      notes.append("Scrolling large images is measured only where asked: `--workload large-feed`.")
    }
    if let front = record.settings.front {
      notes.append(
        "https: \(front) terminates TLS and forwards each request to the same server over persistent connections. It "
          + "has one worker, does not buffer responses, and shares the cores as well. It counts connections, handshakes "
          + "and bytes.")
      if analysis.workloads.contains(where: { $0.workload == .flaky }) {
        notes.append("flaky is not measured over https: the server in front would change its faults.")
      }
    }
    return [.heading("Method")] + notes.map(ReportBlock.note)
  }
}
