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
        of: /\s*([A-Za-z-]+)\.([A-Za-z]+)(?:\.([A-Za-z]+))?\s*([<>])\s*([0-9.]+)\s*([A-Za-z%]*)\s*/)
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
    guard let number = Double(match.5), number.isFinite, let factor = Self.factor(String(match.6), metric.unit) else {
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

  /// Returns, for each transport, a line for each strategy whose median meets the condition or was not measured.
  package func failures(in analysis: ComparisonAnalysis) -> [String] {
    let settings = analysis.record.settings
    let lines = settings.workloads.filter {
      $0.workload == workload && metric.exists(over: $0.situation.transport)
    }
    .compactMap { workload -> [String]? in
      let names = settings.contenders.filter {
        (contender == nil ? $0.isChoice : $0.name == contender) && workload.canBeLoaded(by: $0)
      }
      .map(\.name)
      let rows = analysis.workloads.first { $0.situation == workload.situation }?.rows ?? []
      let cells = rows.reduce(into: [:]) { $0[$1.contender.name] = $1.cells[metric] }
      return names.isEmpty ? nil : failures(of: names, cells, workload.situation.transport)
    }
    return lines.isEmpty ? ["\(name): nothing was measured"] : lines.flatMap(\.self)
  }

  private var name: String { "\(workload.rawValue).\(metric.rawValue)" }

  private func failures(of names: [String], _ cells: [String: MetricCell], _ transport: Transport) -> [String] {
    let over = transport.isSecure ? " over \(transport.title)" : ""
    guard names.contains(where: { cells[$0] != nil }) else { return ["\(name): nothing was measured\(over)"] }
    return names.compactMap { contender in
      guard let median = cells[contender]?.median else { return "\(contender): \(name) was not measured\(over)" }
      guard isAbove ? median > bound : median < bound else { return nil }
      return "\(contender): \(name) is \(metric.unit.text(median)), \(isAbove ? "above" : "below") "
        + metric.unit.text(bound) + over
    }
  }
}
