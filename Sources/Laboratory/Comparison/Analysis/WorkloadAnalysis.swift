import PlainText

/// The analysis of one workload, which compares every contender with the reference.
package struct WorkloadAnalysis: Sendable {
  /// The results of one contender.
  package struct Row: Sendable {
    package let contender: Contender
    var name: String { contender.name }
    package let cells: [Metric: MetricCell]
    /// The latencies of all images in all blocks, in seconds.
    package let latencies: [Double]
    /// Under open-loop load, the latencies measured from the actual start of each request instead of its planned start.
    package let serviceTimes: [Double]
    /// The failure messages of runs that produced no measurement.
    package let failures: [String]
    /// The blocks in which the contender has a valid run.
    let blocks: Set<Int>

    /// Returns a percentile of the latencies, or nil if there are too few latencies.
    package func latency(_ share: Double) -> Double? { Percentile.of(latencies, share) }
  }

  /// The smallest number of blocks for which a median has an interval with a confidence of 95 %.
  static let fewestBlocks = 6

  package let settings: WorkloadSettings
  package let rows: [Row]
  private let record: ComparisonRecord

  package var workload: Workload { settings.workload }

  package var situation: Situation { settings.situation }

  /// The columns of the workload's table. Over https, the columns also include the connections and the handshakes.
  package var columns: [Metric] {
    let secure: [Metric] = situation.transport.isSecure ? [.connections, .handshakes] : []
    return workload.columns + secure.filter { !workload.columns.contains($0) }
  }

  package init(_ settings: WorkloadSettings, of record: ComparisonRecord) {
    self.settings = settings
    self.record = record
    let samples = record.samples.filter { $0.situation == settings.situation && $0.block > 0 }
    let own = Dictionary(grouping: samples, by: \.contender)
    let valid = own.mapValues { $0.filter { $0.problem == nil } }
    let contenders = record.settings.contenders.filter { own[$0.name] != nil }
    let reference = contenders.first { $0.role == .reference }
    let inference = Self.inference(settings.workload, contenders, record.settings.until)
    var cells: [Contender: [Metric: MetricCell]] = [:]
    for metric in Metric.allCases {
      for cell in Self.cells(metric, contenders, reference, valid, inference) {
        cells[cell.0, default: [:]][metric] = cell.1
      }
    }
    rows = contenders.map { contender in
      let samples = valid[contender.name] ?? []
      return Row(
        contender: contender, cells: cells[contender] ?? [:], latencies: samples.flatMap(\.latencies),
        serviceTimes: samples.flatMap { $0.serviceTimes ?? [] },
        failures: (own[contender.name] ?? []).compactMap(\.problem), blocks: Set(samples.map(\.block)))
    }
  }

  /// Returns the method of inference. In a sequential comparison, every strategy is compared in every deciding metric,
  /// and these comparisons share the allowed error rate equally.
  private static func inference(
    _ workload: Workload, _ contenders: [Contender], _ until: ComparisonRecord.Until?
  ) -> Inference {
    guard let until else { return .fixed }
    let comparisons = contenders.count { $0.role == .strategy } * workload.deciding.count
    return .anytime(error: until.error / Double(max(1, comparisons)))
  }

  /// Returns the cell of every contender for which the metric was measured. Holm's correction includes all contenders
  /// except the control.
  private static func cells(
    _ metric: Metric, _ contenders: [Contender], _ reference: Contender?, _ samples: [String: [Sample]],
    _ inference: Inference
  ) -> [(Contender, MetricCell)] {
    let byBlock = { (name: String) -> [Int: Double] in
      (samples[name] ?? []).reduce(into: [:]) { $0[$1.block] = $1[metric] }
    }
    let known = reference.map { byBlock($0.name) } ?? [:]
    let effects = contenders.map { contender -> PairedEffect? in
      guard contender.role != .reference else { return nil }
      let blocks = byBlock(contender.name)
      let common = blocks.keys.filter { known[$0] != nil }.sorted()
      return PairedEffect(
        common.compactMap { blocks[$0] }, to: common.compactMap { known[$0] },
        isDifference: metric.comparesByDifference, inference)
    }
    let control = contenders.firstIndex { $0.role == .control }
    let tested = contenders.indices.filter { contenders[$0].role != .control && effects[$0] != nil }
    let adjusted = Dictionary(
      uniqueKeysWithValues: zip(tested, Holm.adjusted(tested.compactMap { effects[$0]?.p })))
    let valuesOf = contenders.map { byBlock($0.name).sorted { $0.key < $1.key }.map(\.value) }
    let intervals = valuesOf.map { MedianInterval($0, inference) }
    let scale = ValueScale(
      metric.unit, valuesOf.compactMap(\.median) + intervals.compactMap { $0 }.flatMap { [$0.low, $0.high] })
    return contenders.indices.compactMap { index in
      let values = valuesOf[index]
      guard let median = values.median else { return nil }
      let effect = effects[index]
      let judgement =
        contenders[index].role == .reference
        ? .reference
        : effect.map { effect in
          Judgement(
            effect, adjusted: adjusted[index] ?? 0,
            // A sequential comparison does not use the control here, because its bets alone bound the error.
            control: index == control || effect.isSequential ? nil : control.flatMap { effects[$0] }, metric)
        } ?? .unknown
      return (
        contenders[index],
        MetricCell(
          metric: metric, values: values, median: median, interval: intervals[index], effect: effect,
          adjusted: adjusted[index], judgement: judgement, scale: scale)
      )
    }
  }

  var hasValidRun: Bool { rows.contains { !$0.cells.isEmpty } }

  /// All samples of the workload, including the warm-up.
  package var samples: [Sample] { record.samples.filter { $0.situation == situation } }

  /// The largest number of blocks in which any contender was measured, without the warm-up.
  package var blocks: Int { Set(samples.map(\.block)).subtracting([0]).count }

  /// The number of failed runs, and their reasons, in one sentence. Nil if no run failed.
  var failedRuns: String? {
    let failed = rows.filter { !$0.failures.isEmpty }
    guard !failed.isEmpty else { return nil }
    let names = failed.map { "\($0.contender.name) \($0.failures.count)" }.joined(separator: ", ")
    return "\(situation.name): \(failed.flatMap(\.failures).count) of \(samples.count { $0.block > 0 }) runs failed"
      + "\(failed.count == rows.count ? "" : " (\(names))"): \(failed.flatMap(\.failures).reasons)"
  }

  /// The number of valid blocks that each contender needs.
  private var neededBlocks: Int { min(record.settings.blocks, Self.fewestBlocks) }

  /// The contenders whose failed runs leave too few blocks to compare them with the reference.
  private var short: [Row] {
    rows.filter { row in
      let valid = reference.map { row.blocks.intersection($0.blocks) } ?? row.blocks
      return !row.failures.isEmpty && valid.count < neededBlocks
    }
  }

  /// Returns whether a strategy that could be recommended failed too often, so that nothing can be chosen.
  func lacksChoice(_ unfit: Set<String>) -> Bool {
    short.contains { $0.contender.isChoice && !unfit.contains($0.contender.name) }
  }

  /// A sentence about the contenders that failed too often, or nil if there are none.
  var shortfall: String? {
    guard !short.isEmpty else { return nil }
    return "\(situation.name): fewer than \(neededBlocks.counted("valid block")) of "
      + "\(short.map(\.contender.name).listed(with: "and")): \(short.flatMap(\.failures).reasons)"
  }

  var isSequential: Bool { record.settings.until != nil }

  var isOnLinux: Bool { record.machine.system.hasPrefix("Linux") }

  /// All strategies except the reference.
  var strategies: [Contender] { record.settings.contenders.filter { $0.role == .strategy } }

  package var reference: Row? { rows.first { $0.contender.role == .reference } }

  /// The row with the second measurement of the reference.
  package var control: Row? { rows.first { $0.contender.role == .control } }

  /// Returns the largest ratio, above one, that the control's interval allows.
  package func resolution(_ metric: Metric) -> Double? { control?.cells[metric]?.effect?.reach }

  /// Returns the smallest ratio above one at which a difference can decide which strategy to choose. An effect counts
  /// if its interval lies entirely beyond this ratio.
  package func leastThatCounts(_ metric: Metric) -> Double {
    isSequential ? metric.leastGain : max(metric.leastGain, resolution(metric) ?? 1)
  }

  /// Returns whether a difference is worth mentioning: it counts, or its whole interval exceeds the difference between
  /// two runs of the reference.
  func isVisible(_ cell: MetricCell) -> Bool {
    guard cell.judgement.isBetter || cell.judgement.isWorse else { return false }
    if cell.judgement.counts { return true }
    guard let control = control?.cells[cell.metric]?.effect else { return false }
    if let distance = cell.effect?.distance { return distance.lowerBound > abs(control.median) }
    return cell.leastReach > max(control.median, 1 / control.median)
  }

  /// Returns text such as `dataTask differs from itself by up to 1.07x`. If the difference is more than chance, the
  /// text includes the second measurement.
  func differenceFromItself(_ metric: Metric) -> String {
    let name = reference?.contender.name ?? "the reference"
    let again = isUnproven(metric) ? control?.cells[metric]?.effectText.map { ", measured again \($0)" } : nil
    let width = control?.cells[metric].flatMap(Width.init)?.text ?? 1.0.asRatio
    return "\(name) differs from itself by up to \(width)\(again ?? "")"
  }

  /// Returns whether the reference's two measurements differ by more than the negligible amount. If they do,
  /// differences between strategies in this metric prove nothing.
  package func isUnproven(_ metric: Metric) -> Bool {
    guard let cell = control?.cells[metric] else { return false }
    if let distance = cell.effect?.distance, distance.upperBound <= metric.negligible { return false }
    // In a sequential comparison, a control that is level with the reference does not cast doubt on the metric.
    if isSequential, cell.effect?.reach ?? 1 <= Width.limit { return false }
    let judgement = cell.judgement
    return judgement.isBetter || judgement.isWorse || judgement == .other
  }

  /// Notes about outliers among the runs. Outliers are still included in the results.
  package var flags: [String] { Outliers.flags(self) }
}

/// Finds outliers among the runs. The report lists them, but the analysis does not exclude them.
enum Outliers {
  /// The distance from the median, in scaled median absolute deviations, above which a run is an outlier.
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
    return (far.isEmpty ? [] : ["outliers, included in the results: \(far.joined(separator: ", "))"])
      + (slow.isEmpty
        ? [] : ["slow warm-up runs, which do not count: \(slow.joined(separator: ", "))"])
  }
}
