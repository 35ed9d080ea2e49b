import PlainText

/// The sentences of the screen. Each of them is about the measured situations only.
struct ScreenNotes {
  private let analysis: ComparisonAnalysis

  init(_ analysis: ComparisonAnalysis) { self.analysis = analysis }

  /// States what to take in all situations, and how much of that is proven.
  func take(_ rows: [Screen.Row]) -> String {
    guard !analysis.hasTooFewBlocks else {
      return "nothing yet: an interval needs at least \(WorkloadAnalysis.fewestBlocks) valid blocks of each strategy."
    }
    let cells = rows.flatMap(\.cells).filter { $0.degree != .none }
    guard let first = cells.first else { return "nothing yet: no row has enough valid blocks." }
    let common = first.strategies.filter { name in cells.allSatisfy { $0.strategies.contains(name) } }
    let others = common.dropFirst()
    let alternative = others.isEmpty ? "" : ", or \(Array(others).listed(with: "or")) if that suits your code better"
    let names =
      common.first.map { $0 + alternative }
      ?? "what your row names or `--details` leaves open, because no strategy fits all rows"
    let named = [1: "it fits", 2: "both fit"][common.count] ?? "all fit"
    let reason = common.isEmpty || cells.count == 1 ? "" : ": \(named) every row"
    let sure = cells.filter { $0.degree == .sure }
    let ties = sure.count { $0.strategies.count > 1 }
    let winners = sure.count - ties
    let missing = analysis.decisions.count { $0.degree == .none }
    if cells.count == 1, missing == 0 {
      return "\(names). \(sure.isEmpty ? "Not proven: more blocks can change it" : "Proven")."
    }
    let likely = cells.count { $0.degree == .probably }
    let open = cells.count - sure.count - likely
    let kinds = [
      winners == 0 ? nil : winners.counted("winner"), ties == 0 ? nil : ties.counted("tie"),
      likely == 0 ? nil : "\(likely) likely", open == 0 ? nil : "\(open) open",
      missing == 0 ? nil : "\(missing) without enough valid blocks",
    ].compactMap(\.self)
    return "\(names)\(reason). Of \(cells.count + missing) results: \(kinds.joined(separator: ", "))."
  }

  /// States what the words of the table mean.
  func howSure(_ rows: [Screen.Row]) -> String? {
    guard !analysis.hasTooFewBlocks else { return nil }
    let texts = rows.flatMap(\.cells).map(\.text)
    let amounts = texts.contains { $0.contains("≤") } ? "; the wrong one may be up to that much worse" : ""
    let confidence = (1 - (analysis.record.settings.until?.error ?? PairedEffect.significance)) * 100
    let clauses = [
      ("(best)", "best: at least \(Width.limit.asRatio) ahead at \(confidence.decimals(0)) %."),
      ("(tie)", "tie: within \(Width.limit.asRatio) at \(confidence.decimals(0)) %, so any will do."),
      ("(likely)", "likely: ahead, but not proven."),
      ("open", "open: not proven which of them is best\(amounts)."),
    ].filter { mark, _ in texts.contains { $0.contains(mark) } }.map(\.1)
    return clauses.isEmpty ? nil : clauses.joined(separator: " ")
  }

  /// States which strategies are never recommended, and why.
  var never: String? {
    guard !analysis.unfit.isEmpty else { return nil }
    return analysis.unfit.map { "\($0.strategy): it \($0.reason)" }.joined(separator: "; ") + "."
  }

  /// States what the best of the other strategies cost, and the visible differences of open rows.
  var runnerUp: String? {
    guard !analysis.hasTooFewBlocks else { return nil }
    let clauses = Workload.allCases.flatMap { workload in
      costs(analysis.decisions.filter { $0.situation.workload == workload }).map { "\(workload.situation)\($0)" }
    }
    guard clauses.isEmpty else { return Self.fitting(clauses) }
    guard !analysis.decisions.isEmpty, analysis.decisions.allSatisfy(\.isSure) else { return nil }
    let unfit = analysis.unfit.map(\.strategy)
    let others = unfit.isEmpty ? "" : " but \(unfit.listed(with: "and"))"
    return "none: in each row, all strategies\(others) are level, so any of them costs the same."
  }

  /// Returns the costs in one workload, each with its transport. Equal costs over http and https are one text.
  private func costs(_ decisions: [Decision]) -> [String] {
    if decisions.count == 2, let text = decisions[0].cost, decisions[1].cost != nil, let one = decisions[0].runnerUp,
      let other = decisions[1].runnerUp, one.name == other.name, one.cell.metric == other.cell.metric
    {
      return [": \(text) (https: \(other.cell.leastLoss))"]
    }
    return decisions.flatMap { one -> [String] in
      let over = one.situation.transport.isSecure ? "https" : "http"
      let texts = one.isSure ? [one.cost].compactMap(\.self) : one.visible
      return texts.map { (analysis.transports.count > 1 ? " over \(over)" : "") + ": \($0)" }
    }
  }

  /// States what the numbers do not cover.
  var notMeasured: String? {
    let settings = analysis.record.settings.workloads
    let network: String? =
      if settings.contains(where: { $0.network != nil }) {
        "a real network, which loses packets"
      } else if settings.contains(where: { Workload.measurable.contains($0.workload) }) {
        "a real network (`--rtt 40ms --bandwidth 50Mbit` simulates one)"
      } else {
        nil
      }
    let isSecure = settings.contains { $0.situation.transport.isSecure }
    let fails = isSecure && settings.contains { $0.workload == .flaky }
    let faults = fails ? "failures over https" : nil
    let unfit = analysis.unfit.map(\.strategy)
    let rest = unfit.isEmpty ? "" : ": only the advice against \(unfit.listed(with: "and")) carries over"
    let isLinux = analysis.record.machine.system.hasPrefix("Linux")
    let systems = isLinux ? "iPhone and Mac\(rest)" : nil
    let parts = [systems, network, faults].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ") + "."
  }

  /// States how many expectations of a scenario fail with each strategy.
  var expectations: String? {
    guard let workload = analysis.workloads.first(where: { $0.workload == .scenario }) else { return nil }
    let failing = workload.rows.filter(\.contender.isChoice).compactMap { row in
      row.cells[.failed].flatMap { $0.median > 0 ? "\(row.name) \($0.median.decimals(0))" : nil }
    }
    guard !failing.isEmpty else { return "all that the file states hold with every strategy." }
    // A command that is cut would be wrong, so a long path is replaced.
    let texts = [workload.settings.scenario?.shellQuoted ?? "FILE", "FILE"].map {
      "failed in most runs: \(failing.joined(separator: ", ")); why: `fetcher run \($0) --strategy all`."
    }
    return texts.first { Screen.cut($0, to: 2) == $0 } ?? texts[1]
  }

  /// The last sentence, and the command that measures the open rows, or https. The command is nil if there is nothing to
  /// measure.
  var next: (text: String, command: String?) {
    let settings = analysis.record.settings
    let closed = analysis.decisions.filter { $0.isSure || $0.degree == .none && !$0.misbehaving.isEmpty }
    let open = settings.workloads.filter { one in !closed.contains { $0.situation == one.situation } }
    let fetcher = analysis.record.machine.build == "release" ? "fetcher" : "swift run -c release fetcher"
    let compare = { (words: [String]) in
      ([fetcher] + (["compare"] + words + (settings.options ?? [])).map(\.shellQuoted)).joined(separator: " ")
    }
    guard !open.isEmpty else {
      let canAdd = settings.workloads.allSatisfy {
        !$0.situation.transport.isSecure && $0.workload != .url && $0.workload != .scenario
      }
      guard canAdd else {
        return ("everything is proven. `--details` prints the figures; `--url URL` measures your own server.", nil)
      }
      let words = ["--https"] + Self.source(settings.workloads)
      return ("everything is proven over http; this measures https as well:", compare(words))
    }
    if let urls = open.lazy.compactMap(\.urls).first {
      let blocks = min(1000, max(10, settings.blocks * 2))
      return ("more blocks can prove the rest:", compare(["--url"] + urls + ["--blocks", "\(blocks)"]))
    }
    let limit = settings.until.map { min(86_400, $0.limit * 2) } ?? ComparisonRecord.Until.usualLimit
    let minutes = (limit / 60).rounded(.up).decimals(0)
    let words =
      (open.contains { $0.situation.transport.isSecure } ? ["--https"] : [])
      + (open.contains { $0.transport == .https1 } ? ["--http1"] : []) + Self.source(open) + ["--until", "decided"]
      + (settings.until != nil ? ["--limit", "\(minutes)min"] : []) + (analysis.needsIdleMachine ? ["--wait-idle"] : [])
    return (
      "this measures the rows that are not proven, until they are, for \(minutes) minutes at most:",
      compare(words)
    )
  }

  /// Returns the file of a scenario, or the option that selects these workloads. Returns nothing for all workloads.
  private static func source(_ settings: [WorkloadSettings]) -> [String] {
    if let path = settings.lazy.compactMap(\.scenario).first { return [path] }
    let workloads = Workload.measurable.filter { one in settings.contains { $0.workload == one } }
    return workloads == Workload.standard ? [] : ["--workload", workloads.map(\.rawValue).joined(separator: ",")]
  }

  /// Joins as many clauses as fit into two lines.
  private static func fitting(_ clauses: [String]) -> String {
    let texts = (1...clauses.count).map { count in
      clauses.prefix(count).joined(separator: "; ") + (count < clauses.count ? "; more in `--details`." : ".")
    }
    return texts.last { Screen.cut($0, to: 2) == $0 } ?? texts[0]
  }
}
