import PlainText

/// The last sentence of the screen, and the command that measures the open rows, or https.
struct NextStep {
  let text: String
  let command: String?

  init(_ analysis: ComparisonAnalysis) {
    let settings = analysis.record.settings
    let decided = Set(analysis.advice.filter(\.isDecided).map(\.situation))
    let withoutChoice = Set(analysis.advice.filter { $0.choice.isEmpty && !$0.misbehaving.isEmpty }.map(\.situation))
    let open = settings.workloads.filter { !decided.contains($0.situation) && !withoutChoice.contains($0.situation) }
    let fetcher = analysis.record.machine.build == "release" ? "fetcher" : "swift run -c release fetcher"
    let options = settings.options ?? []
    let compare = { (words: [String]) in ([fetcher] + (["compare"] + words).map(\.shellQuoted)).joined(separator: " ") }
    guard !open.isEmpty else {
      let canAdd = !settings.workloads.contains { $0.situation.transport.isSecure || $0.urls != nil }
      text =
        canAdd
        ? "nothing is open over http; this measures https as well:"
        : "nothing is open. `--details` prints the figures; `--url URL` measures your own server."
      command = canAdd ? compare(["--https"] + Self.workloads(settings.workloads) + options) : nil
      return
    }
    if let urls = open.lazy.compactMap(\.urls).first {
      text = "more blocks can decide what is open:"
      command = compare(["--url"] + urls + ["--blocks", "\(min(1000, max(10, settings.blocks * 2)))"] + options)
      return
    }
    let limit = settings.until.map { min(86_400, $0.limit * 2) } ?? ComparisonRecord.Until.usualLimit
    let minutes = (limit / 60).rounded(.up)
    let isLonger = settings.until != nil
    text = "this adds blocks until each of these rows is decided, for \(minutes.decimals(0)) minutes at most:"
    command = compare(
      (open.contains { $0.situation.transport.isSecure } ? ["--https"] : [])
        + (open.contains { $0.transport == .https1 } ? ["--http1"] : []) + Self.workloads(open)
        + ["--until", "decided"] + (isLonger ? ["--limit", "\(minutes.decimals(0))min"] : []) + options)
  }

  /// Returns the option that selects these workloads, or no option for all of them.
  private static func workloads(_ settings: [WorkloadSettings]) -> [String] {
    let names = Workload.standard.filter { one in settings.contains { $0.workload == one } }.map(\.rawValue)
    return names.count == Workload.standard.count ? [] : ["--workload", names.joined(separator: ",")]
  }
}
