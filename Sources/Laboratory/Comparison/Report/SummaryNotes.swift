import PlainText

/// The explanations below the first table: the workloads and, for each transport, which of them are decided and
/// undecided.
enum SummaryNotes {
  static func blocks(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    let transports = analysis.transports.reversed().flatMap { transport -> [ReportBlock] in
      let title = analysis.transports.count > 1 ? [ReportBlock.paragraph("Over \(transport.title):")] : []
      return title + notes(analysis.advice(over: transport), analysis).map(ReportBlock.note)
    }
    return (words(analysis) + meanings(analysis) + notMeasured(analysis)).map(ReportBlock.note) + transports
  }

  /// Explains the words in the table. The legend has the details.
  private static func words(_ analysis: ComparisonAnalysis) -> [String] {
    let reference = analysis.reference
    let noisy = analysis.advice.contains { $0.open?.isNoisy == true }
    let open = analysis.advice.contains { $0.open?.widest != nil }
    guard open else { return [] }
    return [
      "Sure: the whole interval supports the choice. May differ by 1.30x: the measurements allow that distance from "
        + "\(reference)."
        + (noisy
          ? " Noisy: they also allow more than \(Width.limit.asRatio) between two runs of \(reference)."
          : "")
    ]
  }

  /// Describes the workloads, so that readers find those that resemble their app.
  private static func meanings(_ analysis: ComparisonAnalysis) -> [String] {
    let workloads = Set(analysis.workloads.map(\.workload))
    guard workloads.count > 1 else { return [] }
    let titles = Workload.allCases.filter(workloads.contains).map { workload in
      let size = analysis.workloads.first { $0.workload == workload }?.settings.sizes
      return "\(workload.rawValue): \(workload.title)\(size.map { " (\($0))" } ?? "")."
    }
    return ["Read each workload that resembles your app. " + titles.joined(separator: " ")]
  }

  /// Returns a note for each strategy and workload without https figures.
  private static func notMeasured(_ analysis: ComparisonAnalysis) -> [String] {
    guard analysis.transports.contains(where: \.isSecure) else { return [] }
    let plain = analysis.record.settings.contenders.filter { $0.isChoice && $0.loadsHTTPS == false }.map(\.name)
    let hasFlaky = analysis.workloads.contains { $0.workload == .flaky }
    return plain.map { "\($0): not over https." }
      + (hasFlaky ? ["flaky is not measured over https: the server in front would change its faults."] : [])
  }

  /// Returns notes about the decided and the undecided workloads over one transport.
  private static func notes(_ advice: [Advice], _ analysis: ComparisonAnalysis) -> [String] {
    let decided = advice.filter(\.isDecided)
    let leads = decided.compactMap { one -> String? in
      guard case .ahead(_, _, let metric) = one.certainty else { return nil }
      return "\(one.situation.workload.rawValue) by \(metric.name)"
    }
    // With one transport, the table has these figures.
    let level =
      analysis.transports.count == 1
      ? []
      : decided.filter { if case .ahead = $0.certainty { false } else { true } }.map { one in
        one.situation.workload.rawValue + (one.figures.isEmpty ? "" : " (\(one.figures))")
      }
    let open = advice.compactMap { one in
      one.open.map { open in
        "\(one.situation.workload.rawValue) is undecided: \(open.ranges.joined(separator: "; "))."
          + open.differences.map { " \($0)." }.joined()
      }
    }
    let asides = advice.flatMap { one in one.strikingAsides.map { "\(one.situation.workload.rawValue): \($0)." } }
    return (leads.isEmpty ? [] : ["Decided: \(leads.joined(separator: ", "))."])
      + (level.isEmpty ? [] : ["Level in every deciding metric: \(level.joined(separator: ", "))."]) + open + asides
  }
}
