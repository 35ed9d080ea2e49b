/// A condition under which a comparison fails, such as `scroll.wasted > 1MB`. A strategy that meets the condition
/// fails.
package struct FailCondition: Sendable, Equatable {
  /// An explanation of why a condition cannot be parsed.
  package struct Problem: Error, Equatable { package let message: String }

  package let workload: Workload
  package let metric: Metric
  /// The name of the strategy, or nil if the condition applies to every strategy.
  package let contender: String?
  package let isAbove: Bool
  package let bound: Double

  /// Parses a condition of the form `WORKLOAD.METRIC[.STRATEGY] > NUMBER[UNIT]`. The operator can also be `<`.
  package init(_ text: String) throws(Problem) {
    let form = "write it as \"scroll.wasted > 1MB\" or \"list.throughput.async < 100\""
    guard
      let match = text.wholeMatch(
        of: /\s*([A-Za-z]+)\.([A-Za-z]+)(?:\.([A-Za-z]+))?\s*([<>])\s*([0-9.]+)\s*([A-Za-z%]*)\s*/)
    else { throw Problem(message: "\"\(text)\" is not a condition; \(form)") }
    guard let workload = Workload(rawValue: String(match.1)) else {
      let names = Workload.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem(message: "there is no workload \"\(match.1)\"; choose from \(names)")
    }
    guard let metric = Metric(rawValue: String(match.2)) else {
      let names = workload.columns.map(\.rawValue).joined(separator: ", ")
      throw Problem(
        message:
          "\(workload.rawValue) has no metric \"\(match.2)\"; choose from \(names), as in \"\(workload.rawValue).\(workload.columns[0].rawValue) > 1\""
      )
    }
    guard let number = Double(match.5), let factor = Self.factor(String(match.6), metric.unit) else {
      throw Problem(message: "\"\(match.5)\(match.6)\" is not a valid \(metric.rawValue); \(form)")
    }
    self.workload = workload
    self.metric = metric
    contender = match.3.map(String.init)
    isAbove = match.4 == ">"
    bound = number * factor
  }

  private static func factor(_ name: String, _ unit: Unit) -> Double? {
    let factors: [String: Double] =
      switch unit {
      case .bytes: ["": 1, "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9]
      case .seconds: ["s": 1, "ms": 1e-3, "us": 1e-6]
      case .share: ["": 1, "%": 0.01]
      default: ["": 1]
      }
    return factors[name]
  }

  /// Returns, for each transport, a line for each strategy whose median meets the condition. A metric that was not
  /// measured counts as a failure.
  package func failures(in analysis: ComparisonAnalysis) -> [String] {
    let name = "\(workload.rawValue).\(metric.rawValue)"
    let cells = analysis.workloads.filter { $0.workload == workload }.flatMap { workload in
      workload.rows.filter { contender == nil ? $0.contender.isChoice : $0.contender.name == contender }
        .compactMap { row in row.cells[metric].map { (row.contender.name, $0, workload.situation.transport) } }
    }
    guard !cells.isEmpty else { return ["\(name): nothing was measured"] }
    return cells.filter { isAbove ? $0.1.median > bound : $0.1.median < bound }.map { contender, cell, transport in
      "\(contender): \(name) is \(metric.unit.text(cell.median)), \(isAbove ? "above" : "below") \(metric.unit.text(bound))"
        + (transport.isSecure ? " over \(transport.title)" : "")
    }
  }
}
