/// The analysis of a whole record.
package struct ComparisonAnalysis: Sendable {
  package let record: ComparisonRecord
  package let workloads: [WorkloadAnalysis]
  package let advice: [Advice]
  /// The advice for strategies that load https, or nil if all strategies or none load it.
  package let adviceOverHTTPS: [Advice]?
  /// One per workload of a sequential comparison. Empty for a fixed number of blocks.
  package let decisions: [Decision]

  package init(_ record: ComparisonRecord) {
    self.record = record
    workloads = record.settings.workloads
      .map { WorkloadAnalysis($0, of: record) }
      .filter { !$0.rows.isEmpty }
    let breaking = Set(record.behaviour.filter { $0.verdict == .breaks }.map(\.strategy))
    advice = workloads.map { Advice($0, breaking: breaking) }
    let choices = record.settings.contenders.filter(\.isChoice)
    let plain = choices.count { $0.loadsHTTPS == false }
    adviceOverHTTPS =
      (1..<choices.count).contains(plain) ? workloads.map { Advice($0, overHTTPS: true, breaking: breaking) } : nil
    let hasPlain = adviceOverHTTPS != nil
    decisions =
      record.settings.until == nil ? [] : workloads.map { Decision($0, hasPlain: hasPlain, breaking: breaking) }
  }

  /// Returns each strategy with the number of workloads that recommend it, the largest number first.
  package func chosen(in advice: [Advice]) -> [(strategy: String, count: Int)] {
    let names = record.settings.contenders.filter(\.isChoice).map(\.name)
    let counts = names.map { name in (name, advice.count { $0.choice.contains(name) }) }
    return counts.enumerated().sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }.map(\.element)
  }

  /// The name of the strategy that the others are compared with.
  package var reference: String {
    record.settings.contenders.first { $0.role == .reference }?.name ?? "the reference"
  }

  /// The rows of the behavior table: the scenarios in order, each with its cells.
  package var behaviour: [(scenario: String, title: String, cells: [BehaviourCell])] {
    record.behaviour.reduce(into: []) { rows, cell in
      if rows.last?.scenario == cell.scenario {
        rows[rows.count - 1].cells.append(cell)
      } else {
        rows.append((cell.scenario, cell.title, [cell]))
      }
    }
  }

  /// The reasons to doubt the numbers, each with a remedy.
  package var warnings: [String] {
    var found: [String] = []
    let machine = record.machine
    if record.incomplete { found.append("incomplete: ended early; covers the measurements until then") }
    if machine.build != "release" && !record.samples.isEmpty {
      found.append("a debug build: its times do not represent a release build")
    }
    if let load = machine.loadBefore, !record.samples.isEmpty, load > Self.quiet(machine.cores) {
      found.append(
        "load \(load.decimals(1)) on \(machine.cores) cores before the start: other work widens the intervals and hides "
          + "differences; run again with --wait-idle")
    }
    if !record.samples.isEmpty, record.settings.blocks < 10 {
      found.append("\(record.settings.blocks) of at least 10 blocks: too few for reliable intervals")
    }
    for analysis in workloads {
      for row in analysis.rows where row.cells[.lateStarts].map({ $0.median > 0.01 }) == true {
        let share = row.cells[.lateStarts]?.text ?? ""
        found.append(
          "\(analysis.workload.rawValue), \(row.contender.name): \(share) of the arrivals started late: generator "
            + "saturated, invalid; ask for a lower --rate")
      }
    }
    return found
  }

  /// Returns the maximum load average of a machine that counts as idle.
  package static func quiet(_ cores: Int) -> Double { max(0.5, 0.25 * Double(cores)) }
}
