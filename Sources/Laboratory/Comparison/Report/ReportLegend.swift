/// The explanations that make a report readable without other documents.
enum ReportLegend {
  static func howToRead(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    guard !analysis.workloads.isEmpty else { return [] }
    let reference = analysis.reference
    let coverage = analysis.workloads.lazy.flatMap(\.rows).flatMap(\.cells.values).compactMap(\.interval?.coverage)
      .first
    let interval = coverage.map { ", and the interval covers its true value with \(($0 * 100).decimals(1)) %" } ?? ""
    let notes = [
      "0.90x [0.85, 0.95] is 0.90 times \(reference): the median of the ratios in single blocks\(interval). It is not always the "
        + "ratio of the two medians.",
      "The metrics of a workload apply in order: a strategy that loses on one is eliminated, and the next decides among the "
        + "rest. Each strategy is compared with \(reference), and none with another.",
      "Sure: the whole interval of the measurements supports the choice, not only its median. 4.20x ahead means at least 4.20x.",
      "A difference counts, and decides a choice, if its whole interval reaches \(Metric.usualLeastGain.asRatio) either way "
        + "(a difference in ms or KB beside the larger median; of stalls only what exceeds 4 ms, a quarter of a frame; of wasted bytes only what exceeds 40 KB, a hundredth of a large picture; of images that arrived and kinds of errors each one counts)\(test(analysis)). \(reference) (2) is \(reference) measured once more.",
      "Level are strategies of which none differs from \(reference) by what counts, and within 1.15x means that the interval of "
        + "none reaches further; beyond \(blindness(analysis).asRatio) the report says that these blocks cannot tell. The best are those whose own interval overlaps that of the best median.",
      "better, worse,\(ReportTable.better) and\(ReportTable.worse) are differences that count; better? and worse? can be seen and do "
        + "not count; ~ is none that can be seen, or one below 2 %.",
    ]
    return notes.map(ReportBlock.note)
  }

  private static func test(_ analysis: ComparisonAnalysis) -> String {
    if analysis.record.settings.until != nil { return ", by the bets on the median, below" }
    return
      " and as far as \(analysis.reference) differs from itself, and chance does not explain it: Wilcoxon's signed ranks of "
      + "the blocks, all signs tried, 5 %, corrected as Holm did for the strategies beside it"
  }

  private static func blindness(_ analysis: ComparisonAnalysis) -> Double {
    analysis.record.settings.until == nil ? Width.blindness : Width.sequentialBlindness
  }

  static func strategies(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    let contenders = analysis.record.settings.contenders
    guard !analysis.workloads.isEmpty else { return [] }
    var notes = contenders.compactMap { contender in contender.note.map { "\(contender.name): \($0)." } }
    if contenders.contains(.bare) {
      notes.append(
        "\(Contender.bare.name): URLSession in a plain loop, without the model (states, limits, validation) and the bus (events to views)."
      )
    }
    if contenders.contains(where: { $0.name == "blocking" }) {
      notes.append(
        "All strategies have the same session settings but blocking: Data(contentsOf:) has a session and a connection of "
          + "its own for each image, and reads as many at once as Dispatch has threads for it: about one for each core, here "
          + "\(analysis.record.machine.cores), and 8 at most. With more cores it waits less.")
    }
    return notes.isEmpty ? [] : [.heading("The strategies")] + notes.map(ReportBlock.note)
  }

  /// Returns the meaning of the column titles, and the preferred values.
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
