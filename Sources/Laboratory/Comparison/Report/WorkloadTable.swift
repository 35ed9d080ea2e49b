import PlainText

package enum WorkloadTable {
  /// - Parameter isShort: whether to omit the notes.
  static func blocks(_ analysis: WorkloadAnalysis, reference: String, isShort: Bool = false) -> [ReportBlock] {
    let workload = analysis.workload
    let network = analysis.settings.networkSummary.map { "\($0). " } ?? ""
    var blocks: [ReportBlock] = [
      .heading("\(analysis.situation.name): \(workload.title)"),
      .paragraph("\(analysis.settings.summary). \(network)\(deciding(workload))."),
      .table(table(analysis, reference)),
    ]
    if !isShort { blocks += notes(analysis).map(ReportBlock.note) }
    return blocks
  }

  /// Returns a line such as `Decides: throughput, then CPU for 1,000 images`.
  private static func deciding(_ workload: Workload) -> String {
    "Decides: \(workload.deciding.map(\.name).joined(separator: ", then "))"
  }

  /// Returns a table of the strategies with the medians for each column. For the first deciding metric, it also shows
  /// the comparison with the reference.
  ///
  /// - Parameter wanted: the columns, or nil for those of the workload.
  static func table(_ analysis: WorkloadAnalysis, _ reference: String, only wanted: [Metric]? = nil) -> ReportTable {
    let workload = analysis.workload
    let columns = (wanted ?? analysis.columns).filter { metric in analysis.rows.contains { $0.cells[metric] != nil } }
    let first = workload.deciding[0]
    let shares = workload.showsLatency ? [0.5, 0.95, 0.99] : []
    var header = ["strategy"]
    for metric in columns {
      header.append(analysis.rows.lazy.compactMap { $0.cells[metric]?.title }.first ?? metric.title)
      if metric == first { header += ["vs \(reference)"] + shares.map { "p\(Int($0 * 100)) ms" } }
    }
    let words: Set<Int> = columns.contains(first) ? [0, 2] : [0]
    var table = ReportTable(header, wordColumns: words)
    for row in analysis.rows {
      var cells = [ReportTable.Cell(row.contender.name)]
      for metric in columns {
        cells.append(text(row, metric, marked: metric != first))
        guard metric == first else { continue }
        cells.append(effect(row.cells[metric]))
        cells += shares.map { percentile(row, $0) }
      }
      table.add(cells)
    }
    return table.aligningMarks()
  }

  private static func text(_ row: WorkloadAnalysis.Row, _ metric: Metric, marked: Bool) -> ReportTable.Cell {
    guard let cell = row.cells[metric] else { return .missing }
    // The first metric needs no mark, because its verdict is in the next column.
    return marked ? ReportTable.Cell(signed: cell.number, cell.judgement) : ReportTable.Cell(cell.number)
  }

  private static func effect(_ cell: MetricCell?) -> ReportTable.Cell {
    guard let cell else { return .missing }
    if cell.judgement == .reference { return ReportTable.Cell("reference") }
    return ReportTable.Cell(cell.effectText ?? "n/a", cell.judgement)
  }

  private static func percentile(_ row: WorkloadAnalysis.Row, _ share: Double) -> ReportTable.Cell {
    row.latency(share).map { ReportTable.Cell(($0 * 1000).decimals(1)) } ?? .missing
  }

  private static func notes(_ analysis: WorkloadAnalysis) -> [String] {
    var notes: [String] = []
    let workload = analysis.workload
    for metric in workload.deciding {
      // A sequential comparison measures the reference again only in doubt.
      guard let resolution = analysis.resolution(metric), resolution > 1,
        !analysis.isSequential || analysis.isUnproven(metric)
      else { continue }
      notes.append(
        "\(metric.name): \(analysis.differenceFromItself(metric))"
          + (analysis.isUnproven(metric) ? "; UNPROVEN: more than chance, so the metric proves nothing" : "") + ".")
    }
    if workload.showsLatency, let row = analysis.rows.first, row.latency(0.99) == nil {
      notes.append(
        "n/a: a percentile needs ten samples beyond it, but each strategy has only \(row.latencies.count) latencies.")
    }
    if workload.showsLatency, let service = analysis.reference?.cells[.service] {
      notes.append("The server accounts for this part of each latency: \(service.text).")
    }
    if workload == .wait, analysis.isOnLinux {
      notes.append(
        "On Linux, every use of URLSession keeps most of a core busy while a request waits: libcurl repeatedly checks whether "
          + "the connection is writable. The URLSession of Apple platforms differs.")
    }
    if workload == .list, analysis.isOnLinux {
      notes.append(
        "On Linux, the CPU time of URLSession includes waiting, "
          + "so URLSession loses here for the same reason as in the workload wait."
      )
    }
    for row in analysis.rows where !row.serviceTimes.isEmpty {
      let median = (row.serviceTimes.median ?? 0) * 1000
      notes.append("\(row.contender.name): p50 from the actual start \(median.decimals(1)) ms.")
    }
    if analysis.situation.transport.isSecure {
      let protocols = Set(analysis.samples.flatMap { $0.protocols ?? [] }).sorted()
      notes.append("HTTP version of the requests, as logged by the server in front: \(protocols.listed(with: "and")).")
    }
    let duplicates = analysis.rows.filter { ($0.cells[.duplicates]?.values.max() ?? 0) > 0 }
    for row in duplicates {
      notes.append("\(row.contender.name): \(row.cells[.duplicates]?.text ?? "") duplicate requests.")
    }
    for row in analysis.rows where row.cells[.retries]?.median == 0 && row.cells[.arrived]?.judgement.isWorse == true {
      notes.append("\(row.contender.name): never retries, so it loses images instead of time.")
    }
    for row in analysis.rows where !row.failures.isEmpty {
      let runs = analysis.samples.count { $0.contender == row.contender.name && $0.block > 0 }
      notes.append(
        "\(row.contender.name): \(row.failures.count) of \(runs) runs have no result: \(row.failures.reasons).")
    }
    if let cost = analysis.rows.first(where: { $0.contender == .bare })?.cells[.cpu]?.effect, cost.kind == .ratio,
      let interval = cost.interval, let reference = analysis.reference?.contender.name
    {
      let percent = { (ratio: Double) in
        let share = (1 / ratio - 1) * 100
        return (share > 0 ? "+" : "") + share.decimals(0)
      }
      notes.append(
        "CPU time of \(reference) with the model and the bus, compared with the bare API in each block: "
          + "\(percent(cost.median)) % [\(percent(interval.high)), \(percent(interval.low))]"
          + (cost.direction == .none ? ", no difference found." : "."))
    }
    return notes + analysis.flags.map { "\($0)." }
  }
}
