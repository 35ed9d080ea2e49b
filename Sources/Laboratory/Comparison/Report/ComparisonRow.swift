/// One metric of one contender in one workload. `--json` lists these rows under the key `rows`, and `--csv` prints
/// them.
package struct ComparisonRow: Sendable, Encodable {
  /// A value of a row. JSON omits a missing value, and CSV has an empty cell for it.
  private enum Value: Sendable, Encodable {
    case text(String)
    case count(Int)
    case number(Double)
    case flag(Bool)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .count(let count): try container.encode(count)
      case .number(let number): try container.encode(number)
      case .flag(let flag): try container.encode(flag)
      }
    }

    var csv: String {
      switch self {
      case .text(let text): text.quotedForCSV
      case .count(let count): "\(count)"
      case .number(let number): "\(number)"
      case .flag(let flag): "\(flag)"
      }
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// The names of the values, in the order of the CSV columns.
  private static let names = [
    "workload", "metric", "unit", "prefers", "contender", "role", "runs", "median", "low", "high", "effect",
    "effectMedian", "effectLow", "effectHigh", "coverage", "p", "adjustedP", "verdict", "unproven", "transport",
  ]

  /// The values, in the order of their names.
  private let values: [Value?]

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
    let effect = cell.effect
    values = [
      .text(workload.workload.rawValue),
      .text(cell.metric.rawValue),
      .text(cell.metric.unit.rawValue),
      .text(cell.metric.preference.rawValue),
      .text(contender.name),
      .text(contender.role.rawValue),
      .count(cell.values.count),
      .number(cell.median),
      (cell.interval?.low).map(Value.number),
      (cell.interval?.high).map(Value.number),
      (effect?.kind.rawValue).map(Value.text),
      (effect?.median).map(Value.number),
      (effect?.interval?.low).map(Value.number),
      (effect?.interval?.high).map(Value.number),
      (effect?.interval?.coverage ?? cell.interval?.coverage).map(Value.number),
      (effect?.p).map(Value.number),
      (cell.adjusted).map(Value.number),
      .text(cell.judgement == .reference ? "reference" : cell.judgement.mark),
      .flag(workload.isUnproven(cell.metric)),
      .text(workload.situation.transport.rawValue),
    ]
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (name, value) in zip(Self.names, values) {
      try container.encodeIfPresent(value, forKey: Key(stringValue: name))
    }
  }

  /// Returns the lines of a CSV file, including the header line.
  package static func csv(_ rows: [ComparisonRow]) -> [String] {
    [names.joined(separator: ",")] + rows.map { row in row.values.map { $0?.csv ?? "" }.joined(separator: ",") }
  }
}

extension String {
  /// The text in quotation marks if a CSV reader would otherwise split it.
  fileprivate var quotedForCSV: String {
    contains { $0 == "," || $0 == "\"" || $0.isNewline } ? "\"\(replacing("\"", with: "\"\""))\"" : self
  }
}
