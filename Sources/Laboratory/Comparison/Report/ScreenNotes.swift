import PlainText

/// The sentences of the screen. Each of them is about the measured situations only.
struct ScreenNotes {
  private let analysis: ComparisonAnalysis
  private let rows: [Screen.Row]
  /// The results that have enough valid blocks.
  private let cells: [Screen.Cell]
  /// The strategies that no situation rules out.
  let common: [String]

  init(_ analysis: ComparisonAnalysis, _ rows: [Screen.Row]) {
    (self.analysis, self.rows) = (analysis, rows)
    cells = rows.flatMap(\.cells).filter { $0.degree != .none }
    common = cells.first?.strategies.filter { [cells] name in cells.allSatisfy { $0.strategies.contains(name) } } ?? []
  }

  /// States what to take in all situations, and where the strategies to take are level.
  ///
  /// - Parameter isBrief: whether to omit the names of the situations that are open.
  func take(isBrief: Bool) -> String {
    if let single { return "nothing to compare: \(single) is the only strategy." }
    guard !analysis.hasTooFewBlocks else {
      return "nothing yet: an interval needs at least \(WorkloadAnalysis.fewestBlocks) valid blocks of each strategy."
    }
    guard !cells.isEmpty else { return "nothing yet: no row has enough valid blocks." }
    guard !common.isEmpty else { return "what is best in your row, because no strategy fits all rows." }
    let missing = analysis.decisions.count { $0.degree == .none }
    let few = missing == 0 ? "" : "; \(missing) without enough valid blocks"
    let count = cells.count + missing
    let names = common.listed(with: "or")
    guard common.count > 1 else {
      let proven = cells.count { $0.degree == .sure }
      guard count > 1 else { return "\(names). \(proven == 1 ? "Proven." : "Not proven: more blocks can change it.")" }
      return "\(names). Proven in \(proven == count ? "all" : "\(proven) of") \(count) rows\(few)."
    }
    let level = cells.count(where: isLevel)
    let open = rows.filter { $0.cells.contains { $0.degree != .none && !isLevel($0) } }.map(\.workload.rawValue)
    let tie =
      level == 0 ? nil : count == 1 ? "level" : "level in \(level == count ? "all" : "\(level) of") \(count) rows"
    let place = isBrief ? level == 0 ? "" : " in the others" : count == 1 ? "" : " in \(open.listed(with: "and"))"
    let doubt = open.isEmpty ? nil : "not told apart yet\(place)"
    let parts = [tie, doubt].compactMap(\.self).joined(separator: ", ")
    return isBrief ? "\(names): \(parts)\(few)." : "\(names), as suits your code: \(parts)\(few)."
  }

  /// The strategy, if only one was measured.
  private var single: String? {
    let choices = analysis.record.settings.contenders.filter(\.isChoice)
    return choices.count == 1 ? choices[0].name : nil
  }

  /// Whether any of the common strategies will do in a situation: the decision is sure, or they are level in every metric
  /// that decides, so that only another strategy is open.
  private func isLevel(_ cell: Screen.Cell) -> Bool {
    cell.degree == .sure
      || cell.measures.allSatisfy { measure in
        common.allSatisfy { name in measure.standing(of: name).map { [.reference, .tie].contains($0) } ?? false }
      }
  }

  /// States in which situations the other strategies lose, except those that are never recommended.
  var avoid: String? {
    guard !analysis.hasTooFewBlocks, !common.isEmpty else { return nil }
    let unfit = Set(analysis.unfit.map(\.strategy))
    let others = Set(cells.flatMap(\.measures).flatMap(\.values).map(\.strategy)).subtracting(common).subtracting(unfit)
    let texts = others.sorted().compactMap { name -> String? in
      // Over several transports, the worst result of a situation counts.
      let lost = rows.compactMap { row -> (workload: String, isProven: Bool)? in
        let lost = row.cells.filter { cell in
          cell.degree != .none && !cell.strategies.contains(name)
            && cell.measures.contains { $0.standing(of: name) != nil }
        }
        let isProven = lost.contains { cell in
          cell.degree == .sure || cell.measures.telling(unfit)?.standing(of: name) == .worse
        }
        return lost.isEmpty ? nil : (row.workload.rawValue, isProven)
      }
      let worse = lost.filter(\.isProven).map(\.workload)
      let likely = lost.filter { !$0.isProven }.map(\.workload)
      let parts = [
        worse.isEmpty ? nil : "worse in \(worse.listed(with: "and"))",
        likely.isEmpty ? nil : "likely worse in \(likely.listed(with: "and"))",
      ].compactMap(\.self)
      return parts.isEmpty ? nil : "\(name): \(parts.joined(separator: "; "))"
    }
    return texts.isEmpty ? nil : texts.joined(separator: ". ") + "."
  }

  /// States what the words of the table mean.
  func legend(_ measures: [Measure]) -> String? {
    let standings = Set(measures.flatMap(\.values).map(\.standing))
    let confidence = ((1 - (analysis.record.settings.until?.error ?? PairedEffect.significance)) * 100).decimals(0)
    let negligible = Set(
      measures.filter { $0.values.contains { $0.standing == .tie } }.compactMap(\.negligible)
    ).sorted()
    // One bound covers all open cells only if all of them are ratios.
    let widths = measures.filter { $0.values.contains { $0.standing == .open } }.map {
      $0.metric.comparesByDifference ? nil : $0.open
    }
    let bound = widths.contains(where: { $0 == nil }) ? nil : widths.compactMap(\.self).max()
    let open = bound.map { ", ≤\($0.rounded) either way" } ?? ""
    let words = { (words: [Standing]) -> String? in
      let found = words.filter { standings.contains($0) }.map(\.rawValue)
      return found.isEmpty ? nil : found.joined(separator: ", ")
    }
    let reference = analysis.reference
    let clauses = [
      words([.better, .worse]).map { "\($0): than \(reference), proven at \(confidence) %." },
      words([.probablyBetter, .probablyWorse]).map { "\($0): likely." },
      words([.tie]).map { "\($0): proven within \(([Width.limit.asRatio] + negligible).listed(with: "or"))." },
      words([.open]).map { "\($0): not told apart from \(reference) yet\(open)." },
      words([.unknown]).map { "\($0): too few blocks." },
    ].compactMap(\.self)
    return clauses.isEmpty ? nil : clauses.joined(separator: " ")
  }

  /// States which strategies are never recommended, and why.
  var never: String? {
    guard !analysis.unfit.isEmpty else { return nil }
    return analysis.unfit.map { "\($0.strategy): it \($0.reason)" }.joined(separator: "; ") + "."
  }

  /// States what the numbers do not cover, and the command that covers it.
  var notMeasured: String? {
    let settings = analysis.record.settings.workloads
    let isOwn = settings.contains { Workload.measurable.contains($0.workload) }
    let isSecure = settings.contains { $0.situation.transport.isSecure }
    let isSimulated = settings.contains { $0.network != nil }
    let isLinux = analysis.record.machine.system.hasPrefix("Linux")
    let options = [
      isOwn && !isSecure ? "--https" : nil, isOwn && !isSimulated ? "--rtt 40ms --bandwidth 50Mbit" : nil,
    ].compactMap(\.self)
    let subjects = [
      isLinux ? "iPhone and Mac (another URLSession)" : nil,
      isSecure ? settings.contains { $0.workload == .flaky } ? "failures over https" : nil : isOwn ? "https" : nil,
      isOwn ? "a real network" : nil,
    ].compactMap(\.self)
    guard !subjects.isEmpty else { return nil }
    let command = options.isEmpty ? "" : " `fetcher compare \(options.joined(separator: " "))`"
    let place =
      isLinux
      ? command.isEmpty ? ". Run this on a Mac" : ". Nearer, on a Mac or here:" : command.isEmpty ? "" : ". Nearer:"
    return subjects.joined(separator: "; ") + place + command + "."
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
    let transport = { (workloads: [WorkloadSettings]) in
      (workloads.contains { $0.situation.transport.isSecure } ? ["--https"] : [])
        + (workloads.contains { $0.transport == .https1 } ? ["--http1"] : [])
    }
    let fetcher = analysis.record.machine.build == "release" ? "fetcher" : "swift run -c release fetcher"
    let compare = { (words: [String]) in
      ([fetcher] + (["compare"] + words + (settings.options ?? [])).map(\.shellQuoted)).joined(separator: " ")
    }
    if single != nil {
      var options = settings.options ?? []
      if let index = options.firstIndex(of: "--strategies") {
        options.removeSubrange(index..<min(index + 2, options.count))
      }
      let urls = settings.workloads.lazy.compactMap(\.urls).first.map { ["--url"] + $0 }
      let words = ["compare"] + transport(settings.workloads) + (urls ?? Self.source(settings.workloads)) + options
      return ("measures all strategies:", ([fetcher] + words.map(\.shellQuoted)).joined(separator: " "))
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
      transport(open) + Self.source(open) + ["--until", "decided"]
      + (settings.until != nil ? ["--limit", "\(minutes)min"] : []) + (analysis.needsIdleMachine ? ["--wait-idle"] : [])
    return (
      "measures what is open until it is settled, for \(minutes) minutes at most:",
      compare(words)
    )
  }

  /// Returns the file of a scenario, or the option that selects these workloads. Returns nothing for all workloads.
  private static func source(_ settings: [WorkloadSettings]) -> [String] {
    if let path = settings.lazy.compactMap(\.scenario).first { return [path] }
    let workloads = Workload.measurable.filter { one in settings.contains { $0.workload == one } }
    return workloads == Workload.standard ? [] : ["--workload", workloads.map(\.rawValue).joined(separator: ",")]
  }
}
