/// A value that no measurement has, such as a negative latency, found in a record that was read from a file.
package struct RecordProblem: Error, Equatable {
  /// The place, the value and the valid range, such as `samples[3].latencies[0] is -1.0; expected 0.0 to 1e+09`.
  package let message: String
}

extension ComparisonRecord {
  /// Rejects values that the analysis and the plots cannot process.
  package func validate() throws(RecordProblem) {
    try Self.check(comparison, 1...1, "comparison")
    try Self.check(seconds, Bounds.seconds, "seconds")
    try Self.check(machine.cores, 1...1_000_000, "machine.cores")
    try Self.check(machine.loadBefore, Bounds.amount, "machine.loadBefore")
    try Self.check(machine.loadAfter, Bounds.amount, "machine.loadAfter")
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

  fileprivate static func check<Value: Comparable>(
    _ value: Value?, _ range: ClosedRange<Value>, _ place: String
  ) throws(RecordProblem) {
    guard let value, !range.contains(value) else { return }
    throw RecordProblem(message: "\(place) is \(value); expected \(range.lowerBound) to \(range.upperBound)")
  }

  fileprivate static func check<Value: Comparable>(
    _ values: [Value]?, _ range: ClosedRange<Value>, _ place: String
  ) throws(RecordProblem) {
    for (index, value) in (values ?? []).enumerated() { try check(value, range, "\(place)[\(index)]") }
  }
}

extension ComparisonRecord.Settings {
  fileprivate func validate() throws(RecordProblem) {
    try ComparisonRecord.check(blocks, 0...1_000_000, "settings.blocks")
    try ComparisonRecord.check(until?.error, ComparisonRecord.Bounds.least...1, "settings.until.error")
    try ComparisonRecord.check(until?.limit, ComparisonRecord.Bounds.seconds, "settings.until.limit")
    for (index, workload) in workloads.enumerated() { try workload.validate("settings.workloads[\(index)]") }
  }
}

extension WorkloadSettings {
  /// - Parameter place: the place of these settings in the file.
  package func validate(_ place: String) throws(RecordProblem) {
    let bounds = ComparisonRecord.Bounds.self
    try ComparisonRecord.check(images, 1...1_000_000_000, "\(place).images")
    try ComparisonRecord.check(size, bounds.count, "\(place).size")
    try ComparisonRecord.check(pictureSize, bounds.count, "\(place).pictureSize")
    try ComparisonRecord.check(latency, bounds.seconds, "\(place).latency")
    try ComparisonRecord.check(inFlight, 1...1_000_000_000, "\(place).inFlight")
    try ComparisonRecord.check(rate, bounds.least...1e15, "\(place).rate")
    try ComparisonRecord.check(network?.roundTrip, bounds.seconds, "\(place).network.roundTrip")
    try ComparisonRecord.check(network?.bandwidth, bounds.least...1e15, "\(place).network.bandwidth")
  }
}

extension Sample {
  fileprivate func validate(_ place: String) throws(RecordProblem) {
    let bounds = ComparisonRecord.Bounds.self
    try ComparisonRecord.check(block, 0...1_000_000, "\(place).block")
    try ComparisonRecord.check(position, 0...1_000_000, "\(place).position")
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      // Files of later versions can contain other metrics, which the analysis ignores.
      guard let metric = Metric(rawValue: name), value != 0 else { continue }
      try ComparisonRecord.check(value, metric.range, "\(place).values.\(name)")
    }
    try ComparisonRecord.check(latencies, bounds.seconds, "\(place).latencies")
    try ComparisonRecord.check(serviceTimes, bounds.seconds, "\(place).serviceTimes")
    try ComparisonRecord.check(series?.seconds, bounds.seconds, "\(place).series.seconds")
    try ComparisonRecord.check(series?.threads, bounds.count, "\(place).series.threads")
    try ComparisonRecord.check(series?.memory, bounds.count, "\(place).series.memory")
    try ComparisonRecord.check(series?.cpu, bounds.seconds, "\(place).series.cpu")
    try ComparisonRecord.check(stalls?.seconds, bounds.seconds, "\(place).stalls.seconds")
    try ComparisonRecord.check(stalls?.stall, bounds.seconds, "\(place).stalls.stall")
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
