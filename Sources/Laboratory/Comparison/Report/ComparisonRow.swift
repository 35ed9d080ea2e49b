/// One metric of one contender in one workload. `--json` lists these rows under the key `rows`, and `--csv` prints
/// them.
package struct ComparisonRow: Sendable, Encodable {
  let workload: String
  let transport: String
  let metric: String
  let unit: String
  let prefers: String
  let contender: String
  let role: String
  let runs: Int
  let median: Double
  let low: Double?
  let high: Double?
  let effect: String?
  let effectMedian: Double?
  let effectLow: Double?
  let effectHigh: Double?
  let coverage: Double?
  let p: Double?
  let adjustedP: Double?
  let verdict: String
  let unproven: Bool

  package static func rows(_ analysis: ComparisonAnalysis) -> [ComparisonRow] {
    analysis.workloads.flatMap { workload in
      workload.rows.flatMap { row in
        Metric.allCases.compactMap { metric in
          row.cells[metric].map { ComparisonRow(workload, row.contender, $0) }
        }
      }
    }
  }

  private init(_ workload: WorkloadAnalysis, _ contender: Contender, _ cell: MetricCell) {
    self.workload = workload.workload.rawValue
    transport = workload.situation.transport.rawValue
    metric = cell.metric.rawValue
    unit = cell.metric.unit.rawValue
    prefers = cell.metric.preference.rawValue
    self.contender = contender.name
    role = contender.role.rawValue
    runs = cell.values.count
    median = cell.median
    low = cell.interval?.low
    high = cell.interval?.high
    effect = cell.effect?.kind.rawValue
    effectMedian = cell.effect?.median
    effectLow = cell.effect?.interval?.low
    effectHigh = cell.effect?.interval?.high
    coverage = cell.effect?.interval?.coverage ?? cell.interval?.coverage
    p = cell.effect?.p
    adjustedP = cell.adjusted
    verdict = cell.judgement == .reference ? "reference" : cell.judgement.mark
    unproven = workload.isUnproven(cell.metric)
  }

  /// Returns the lines of a CSV file, including the header line.
  package static func csv(_ rows: [ComparisonRow]) -> [String] {
    let header = [
      "workload", "metric", "unit", "prefers", "contender", "role", "runs", "median", "low", "high", "effect",
      "effectMedian", "effectLow", "effectHigh", "coverage", "p", "adjustedP", "verdict", "unproven",
      "transport",
    ]
    return [header.joined(separator: ",")]
      + rows.map { row in
        let number = { (value: Double?) in value.map { "\($0)" } ?? "" }
        let cells = [
          row.workload, row.metric, row.unit, row.prefers, row.contender, row.role, "\(row.runs)", "\(row.median)",
          number(row.low), number(row.high), row.effect ?? "", number(row.effectMedian), number(row.effectLow),
          number(row.effectHigh), number(row.coverage), number(row.p), number(row.adjustedP), row.verdict,
          "\(row.unproven)", row.transport,
        ]
        return cells.map(\.quotedForCSV).joined(separator: ",")
      }
  }
}

extension String {
  /// The text in quotation marks if a CSV reader would otherwise split it.
  fileprivate var quotedForCSV: String {
    contains { $0 == "," || $0 == "\"" || $0.isNewline } ? "\"\(replacing("\"", with: "\"\""))\"" : self
  }
}
