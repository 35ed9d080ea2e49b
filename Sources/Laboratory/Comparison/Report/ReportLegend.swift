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
      "Sure: the whole interval supports the choice, not only the median. 4.20x ahead means at least 4.20x.",
      "A difference counts, and can determine the choice, if its whole interval is beyond "
        + "\(Width.limit.asRatio)\(test(analysis)). A difference in ms or KB is divided by the larger median. "
        + "Stalls up to 4 ms (a quarter of a frame) and wasted bytes up to 40 KB (a hundredth of a large picture) are too "
        + "small to count. In the numbers of images that arrived and of error kinds, a difference of one counts.",
      "\(reference) (2) is a second measurement of \(reference).",
      "Level: no strategy has a difference from \(reference) that counts. “Within 1.15x” and “may differ by 1.30x” state the "
        + "largest difference from \(reference) that the intervals allow. If it is beyond "
        + "\(Width.limit.asRatio), the workload is undecided. The best strategies are those whose interval overlaps "
        + "the interval of the best median.",
      "better, worse,\(ReportTable.better) and\(ReportTable.worse) mark differences that count; better?, worse? and "
        + "\"probably\" mark visible differences that do not count; ~ marks a difference below 2 %, or an interval that includes \"equal\".",
    ]
    return notes.map(ReportBlock.note)
  }

  private static func test(_ analysis: ComparisonAnalysis) -> String {
    if analysis.record.settings.until != nil { return " (it comes from the bets on the median, see “Until decided”)" }
    return
      ", it exceeds the difference between two measurements of \(analysis.reference), and an exact Wilcoxon signed-rank test "
      + "over the blocks has p <= 0.05 after Holm correction"
  }

  static func strategies(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    let contenders = analysis.record.settings.contenders
    guard !analysis.workloads.isEmpty else { return [] }
    var notes = contenders.compactMap { contender in contender.note.map { "\(contender.name): \($0)." } }
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
}
