import PlainText

/// The analysis of a whole record.
package struct ComparisonAnalysis: Sendable {
  package let record: ComparisonRecord
  /// The workloads that have a valid run.
  package let workloads: [WorkloadAnalysis]
  /// A sentence for each workload without a valid run, and one for the workloads that were not measured at all.
  package let absences: [String]
  /// A sentence for each workload in which failed runs leave too few valid blocks.
  package var shortfalls: [String] { workloads.compactMap(\.shortfall) }
  /// The decisions, in the order of ``workloads``.
  package let decisions: [Decision]
  /// The strategies that are never recommended, each with the reason.
  package let unfit: [(strategy: String, reason: String)]

  package init(_ record: ComparisonRecord) {
    self.record = record
    let all = record.settings.workloads.map { WorkloadAnalysis($0, of: record) }
    workloads = all.filter(\.hasValidRun)
    absences = Self.absences(all)
    let choices = record.settings.contenders.filter(\.isChoice)
    let broken = Set(record.behavior.filter { $0.verdict == .breaks }.map(\.strategy))
    unfit = choices.compactMap { choice in
      let reason = choice.unfit ?? (broken.contains(choice.name) ? "breaks scenarios" : nil)
      return reason.map { (choice.name, $0) }
    }
    let unfit = Set(self.unfit.map(\.strategy))
    decisions = workloads.map { Decision($0, unfit: unfit) }
  }

  private static func absences(_ all: [WorkloadAnalysis]) -> [String] {
    let invalid = all.filter { !$0.rows.isEmpty && !$0.hasValidRun }.map { one in
      "\(one.situation.name): no valid run: \(one.rows.flatMap(\.failures).reasons)"
    }
    let missing = all.filter(\.rows.isEmpty).map(\.situation.name)
    return invalid + (missing.isEmpty ? [] : ["not measured: \(missing.listed(with: "and"))"])
  }

  /// The transports that were measured, plain http first.
  package var transports: [Transport] {
    Transport.allCases.filter { transport in workloads.contains { $0.situation.transport == transport } }
  }

  /// The names of the strategies that can be chosen and load images over a transport.
  func choices(over transport: Transport) -> [String] {
    record.settings.contenders.filter { $0.isChoice && !(transport.isSecure && $0.loadsHTTPS == false) }.map(\.name)
  }

  /// Whether there are too few blocks to compute an interval.
  package var hasTooFewBlocks: Bool {
    !workloads.contains { $0.rows.contains { $0.cells.values.contains { $0.interval != nil } } }
  }

  /// The name of the strategy that the others are compared with.
  package var reference: String {
    record.settings.contenders.first { $0.role == .reference }?.name ?? "the reference"
  }

  /// A scenario with its result for each strategy.
  package typealias BehaviorRow = (scenario: String, title: String, cells: [BehaviorCell])

  /// The rows of the behavior table: the scenarios in order, each with its cells.
  package var behavior: [BehaviorRow] {
    record.behavior.reduce(into: []) { rows, cell in
      if rows.last?.scenario == cell.scenario {
        rows[rows.count - 1].cells.append(cell)
      } else {
        rows.append((cell.scenario, cell.title, [cell]))
      }
    }
  }

  /// The load before the measurement, or nil if the machine was idle or nothing was measured.
  private var loadBefore: Double? {
    record.samples.isEmpty
      ? nil : record.machine.loadBefore.flatMap { $0 > Self.quiet(record.machine.cores) ? $0 : nil }
  }

  /// Whether the machine was busy, and `--wait-idle` was not given.
  var needsIdleMachine: Bool { loadBefore != nil && record.settings.waitedIdle != true }

  /// The reasons to doubt the numbers, each with a remedy.
  package var warnings: [String] {
    var found: [String] = []
    let machine = record.machine
    if record.incomplete { found.append("incomplete: ended early; covers the measurements until then") }
    found += absences + workloads.compactMap(\.failedRuns)
    if machine.build != "release" && !record.samples.isEmpty {
      found.append("a debug build: its timings are not representative of a release build")
    }
    if let busy = loadBefore {
      found.append(
        "load \(busy.decimals(1)) on \(machine.cores) cores before the start widens the intervals"
          + (needsIdleMachine ? "; run again with --wait-idle" : ", and the machine did not become idle"))
    }
    // The intervals of a sequential comparison are reliable after any number of blocks.
    if !record.samples.isEmpty, record.settings.until == nil, record.settings.blocks < 10 {
      found.append("\(record.settings.blocks) of at least 10 blocks: too few for reliable intervals")
    }
    for analysis in workloads {
      for row in analysis.rows where row.cells.isEmpty {
        found.append("\(analysis.situation.name), \(row.contender.name): no valid run: \(row.failures.reasons)")
      }
      for row in analysis.rows where row.cells[.lateStarts].map({ $0.median > 0.01 }) == true {
        let share = row.cells[.lateStarts]?.text ?? ""
        found.append(
          "\(analysis.situation.name), \(row.contender.name): \(share) of the arrivals started late: generator "
            + "saturated, results invalid; use a lower --rate")
      }
    }
    return found
  }

  /// Returns the maximum load average at which a machine counts as idle.
  package static func quiet(_ cores: Int) -> Double { max(0.5, 0.25 * Double(cores)) }
}

extension [String] {
  /// The distinct failures of several runs.
  var reasons: String { isEmpty ? "no values" : Set(self).sorted().joined(separator: "; ") }
}
