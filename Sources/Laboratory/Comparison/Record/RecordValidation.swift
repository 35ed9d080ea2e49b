/// A value that no measurement has, such as a negative latency, found in a record that was read from a file.
package struct RecordProblem: Error, Equatable {
  /// The path, the value and the valid range, such as `samples[3].latencies[0] is -1.0; expected 0.0 to 1e+09`.
  package let message: String
}

extension ComparisonRecord {
  /// Rejects values that the analysis and the plots cannot process.
  package func validate() throws(RecordProblem) {
    try Self.expect(comparison, 1...1, "comparison")
    try Self.expect(seconds, Bounds.seconds, "seconds")
    try Self.expect(machine.cores, 1...1_000_000, "machine.cores")
    try Self.expect(machine.loadBefore, Bounds.amount, "machine.loadBefore")
    try Self.expect(machine.loadAfter, Bounds.amount, "machine.loadAfter")
    try settings.validate()
    for (index, sample) in samples.enumerated() { try sample.validate("samples[\(index)]") }
  }

  fileprivate enum Bounds {
    static let count = 0...1_000_000_000_000_000
    static let seconds = 0...1e9
    static let amount = 0...1e15
    /// Smaller values would turn a ratio into infinity.
    static let least = 1e-12
  }

  fileprivate static func expect<Value: Comparable>(
    _ value: Value?, _ range: ClosedRange<Value>, _ path: String
  ) throws(RecordProblem) {
    guard let value, !range.contains(value) else { return }
    throw RecordProblem(message: "\(path) is \(value); expected \(range.lowerBound) to \(range.upperBound)")
  }

  fileprivate static func expect<Value: Comparable>(
    _ values: [Value]?, _ range: ClosedRange<Value>, _ path: String
  ) throws(RecordProblem) {
    for (index, value) in (values ?? []).enumerated() { try expect(value, range, "\(path)[\(index)]") }
  }
}

extension ComparisonRecord.Settings {
  fileprivate func validate() throws(RecordProblem) {
    try ComparisonRecord.expect(blocks, 0...1_000_000, "settings.blocks")
    try ComparisonRecord.expect(until?.error, ComparisonRecord.Bounds.least...1, "settings.until.error")
    try ComparisonRecord.expect(until?.limit, ComparisonRecord.Bounds.seconds, "settings.until.limit")
    for (index, workload) in workloads.enumerated() { try workload.validate("settings.workloads[\(index)]") }
  }
}

extension WorkloadSettings {
  /// - Parameter path: the path of these settings in the file.
  package func validate(_ path: String) throws(RecordProblem) {
    let bounds = ComparisonRecord.Bounds.self
    try ComparisonRecord.expect(images, 1...1_000_000_000, "\(path).images")
    try ComparisonRecord.expect(size, bounds.count, "\(path).size")
    try ComparisonRecord.expect(pictureSize, bounds.count, "\(path).pictureSize")
    try ComparisonRecord.expect(latency, bounds.seconds, "\(path).latency")
    try ComparisonRecord.expect(inFlight, 1...1_000_000_000, "\(path).inFlight")
    try ComparisonRecord.expect(rate, bounds.least...1e15, "\(path).rate")
    try ComparisonRecord.expect(duration, bounds.seconds, "\(path).duration")
    try ComparisonRecord.expect(network?.roundTrip, bounds.seconds, "\(path).network.roundTrip")
    try ComparisonRecord.expect(network?.bandwidth, bounds.least...1e15, "\(path).network.bandwidth")
  }
}

extension Sample {
  fileprivate func validate(_ path: String) throws(RecordProblem) {
    let bounds = ComparisonRecord.Bounds.self
    try ComparisonRecord.expect(block, 0...1_000_000, "\(path).block")
    try ComparisonRecord.expect(position, 0...1_000_000, "\(path).position")
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      // Files of later versions can contain other metrics, which the analysis ignores.
      guard let metric = Metric(rawValue: name), value != 0 else { continue }
      try ComparisonRecord.expect(value, metric.range, "\(path).values.\(name)")
    }
    try ComparisonRecord.expect(latencies, bounds.seconds, "\(path).latencies")
    try ComparisonRecord.expect(serviceTimes, bounds.seconds, "\(path).serviceTimes")
    try ComparisonRecord.expect(series?.seconds, bounds.seconds, "\(path).series.seconds")
    try ComparisonRecord.expect(series?.threads, bounds.count, "\(path).series.threads")
    try ComparisonRecord.expect(series?.memory, bounds.count, "\(path).series.memory")
    try ComparisonRecord.expect(series?.cpu, bounds.seconds, "\(path).series.cpu")
    try ComparisonRecord.expect(stalls?.seconds, bounds.seconds, "\(path).stalls.seconds")
    try ComparisonRecord.expect(stalls?.stall, bounds.seconds, "\(path).stalls.stall")
  }
}

extension Metric {
  /// The range of the values other than zero.
  fileprivate var range: ClosedRange<Double> {
    // An image can lose less time to a failure than the other images vary.
    if self == .lost { return -1e9...1e9 }
    return (comparesByDifference ? 0 : ComparisonRecord.Bounds.least)...ComparisonRecord.Bounds.amount.upperBound
  }
}
