/// Finds runs that stand apart. They are reported and stay in the analysis.
enum Outliers {
  /// How many median deviations away from the median a run stands apart.
  private static let reach = 6.0

  static func flags(_ analysis: WorkloadAnalysis) -> [String] {
    guard let metric = analysis.workload.deciding.first else { return [] }
    let far = analysis.rows.compactMap { row -> String? in
      guard let cell = row.cells[metric], cell.values.count >= 6, cell.median > 0 else { return nil }
      let deviation = (cell.values.map { abs($0 - cell.median) }.median ?? 0) * 1.4826
      let values = cell.values.filter { abs($0 - cell.median) > max(reach * deviation, 0.1 * cell.median) }
      guard let worst = values.max(by: { abs($0 - cell.median) < abs($1 - cell.median) }) else { return nil }
      let count = values.count == 1 ? "" : " (\(values.count) runs)"
      return "\(row.contender.name) \(cell.scale.number(worst)) beside \(cell.text)\(count)"
    }
    let slow = analysis.rows.compactMap { row -> String? in
      let first = analysis.samples.first { $0.block == 0 && $0.contender == row.contender.name }?[metric]
      guard metric.preference == .higher, let first, let cell = row.cells[metric], first < 0.5 * cell.median else {
        return nil
      }
      return "\(row.contender.name) \(cell.scale.number(first)) beside \(cell.text)"
    }
    return (far.isEmpty ? [] : ["runs that stand apart, and are included: \(far.joined(separator: ", "))"])
      + (slow.isEmpty
        ? [] : ["slow first runs, which are the warm-up and do not count: \(slow.joined(separator: ", "))"])
  }
}
