import Bytes

/// Explains why workloads are undecided, and how to decide them.
enum UndecidedNote {
  /// Returns nil if every workload is decided.
  static func text(_ analysis: ComparisonAnalysis) -> String? {
    let open = analysis.advice.filter { !$0.isDecided && !$0.choice.isEmpty }
    guard !open.isEmpty else { return nil }
    let reasons = analysis.transports.compactMap { transport -> String? in
      let list = open.filter { $0.situation.transport == transport }.map { advice in
        advice.situation.workload.rawValue + (noise(advice, analysis).map { " (\($0))" } ?? "")
      }
      guard !list.isEmpty else { return nil }
      return list.listed(with: "and") + (analysis.transports.count > 1 ? " over \(transport.title)" : "")
    }
    return "Undecided: \(reasons.joined(separator: "; ")). In parentheses: how far two runs of \(analysis.reference) "
      + "alone can be apart. \(remedy(open, analysis))"
  }

  /// Returns the distance between the reference's two measurements in the metric that does not decide.
  private static func noise(_ advice: Advice, _ analysis: ComparisonAnalysis) -> String? {
    guard let workload = analysis.workloads.first(where: { $0.situation == advice.situation }),
      let metric = advice.certainty.metric ?? workload.workload.deciding.first
    else { return nil }
    return workload.control?.cells[metric].flatMap(Width.init)?.text
  }

  private static func remedy(_ open: [Advice], _ analysis: ComparisonAnalysis) -> String {
    if analysis.record.settings.until != nil { return "A longer `--limit` adds blocks." }
    let workloads = Workload.allCases.filter { workload in open.contains { $0.situation.workload == workload } }
    guard !workloads.contains(.url) else { return "More `--blocks` can decide them." }
    let words =
      ["fetcher compare"] + (analysis.transports.contains(where: \.isSecure) ? ["--https"] : [])
      + (analysis.transports.contains(.https1) ? ["--http1"] : [])
      + ["--workload \(workloads.map(\.rawValue).joined(separator: ","))", "--until decided --wait-idle"]
    let minutes = Int(ComparisonRecord.Until.usualLimit / 60)
    return "To add blocks until they are decided, for \(minutes) minutes at most: `\(words.joined(separator: " "))`."
  }
}
