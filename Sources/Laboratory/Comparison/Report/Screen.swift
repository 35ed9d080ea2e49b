import PlainText

/// The answer of a comparison on one screen: what was measured, what to take, a table of the strategies in each situation,
/// and a few sentences. Every form of a report begins with it.
package struct Screen: Sendable {
  /// The largest number of lines, and of characters in a line.
  package static let maximumLines = 24
  package static let width = 100

  /// A situation in the reader's words, and its results over each transport.
  package struct Row: Sendable, Encodable {
    package let workload: Workload
    package let situation: String
    package let cells: [Cell]

    /// The situation after the workload's name, which the flag `--workload` takes.
    var label: String {
      Workload.measurable.contains(workload) ? "\(workload.rawValue): \(situation)" : situation
    }
  }

  /// The results of one situation over one transport.
  package struct Cell: Sendable, Encodable {
    package let transport: Transport
    package let degree: Decision.Degree
    package let strategies: [String]
    /// The metrics that decide. Empty if there is no valid run.
    package let measures: [Measure]
  }

  /// A sentence with its label, such as `take` or `next`.
  package struct Sentence: Sendable, Encodable {
    package let subject: String
    package let text: String
  }

  /// The measured setup, in one line.
  package let scope: String
  /// The reasons to doubt the numbers, each cut to one line.
  package private(set) var warnings: [String] = []
  package let rows: [Row]
  package private(set) var sentences: [Sentence] = []
  /// The command that measures more, or nil if there is nothing to measure.
  package let command: String?
  /// The number of sentences before the tables.
  private var answers = 0
  /// A table for each transport.
  private var tables: [ReportTable] = []
  private var layout = Layout.whole
  /// What is shown, from the longest screen to the shortest.
  private enum Layout: Int, CaseIterable {
    case whole, oneMetric, fewGaps, noGaps, brief, withoutOthers, withoutLegend

    func omitsAsMuch(as other: Layout) -> Bool { rawValue >= other.rawValue }
  }

  /// Returns nil for a record without workloads, such as that of `--behavior`.
  package init?(_ analysis: ComparisonAnalysis) {
    let settings = analysis.record.settings.workloads
    guard !settings.isEmpty else { return nil }
    rows = Self.rows(analysis)
    let notes = ScreenNotes(analysis, rows)
    let next = notes.next
    command = next.command
    scope = Self.scope(analysis)
    func texts(_ texts: [(String, String?)]) -> [Sentence] {
      texts.compactMap { subject, text in text.map { Sentence(subject: subject, text: Self.cut($0, to: 2)) } }
    }
    let unfit = Set(analysis.unfit.map(\.strategy))
    let columns = Self.columns(analysis, notes.common)
    let transports = Transport.allCases.filter { one in settings.contains { $0.situation.transport == one } }
    // If the lines do not fit, the metrics that decide less go first, then empty lines, then the names that the table shows
    // as well, and at last what explains the result.
    for layout in Layout.allCases where sentences.isEmpty || lines.count > Self.maximumLines {
      self.layout = layout
      let tables = transports.map {
        ScreenTable($0, rows, strategies: columns, unfit: unfit, isWhole: layout == .whole)
      }
      self.tables = tables.map(\.table)
      let isBrief = layout.omitsAsMuch(as: .brief)
      warnings = Self.oneLine(analysis.warnings, most: layout.omitsAsMuch(as: .withoutOthers) ? 2 : 3)
      let answer = texts([
        ("take", notes.take(isBrief: isBrief)), ("avoid", isBrief ? nil : notes.avoid),
        ("never", notes.never),
      ])
      answers = answer.count
      sentences =
        answer
        + texts([
          ("a cell", layout == .withoutLegend ? nil : notes.legend(tables.flatMap(\.measures))),
          ("expectations", notes.expectations),
          ("not measured", layout.omitsAsMuch(as: .withoutOthers) ? nil : notes.notMeasured), ("next", next.text),
        ])
    }
  }

  /// The screen as the first blocks of a report.
  package var blocks: [ReportBlock] {
    let gap: [ReportBlock] = layout.omitsAsMuch(as: .noGaps) ? [] : [.gap]
    let texts = sentences.map { ReportBlock.answer(subject: $0.subject, text: $0.text, reasons: []) }
    var blocks: [ReportBlock] = [.paragraph(scope)] + warnings.map(ReportBlock.warning)
    if layout != .fewGaps { blocks += gap }
    blocks += texts.prefix(answers) + gap + tables.map(ReportBlock.table) + gap + texts.dropFirst(answers)
    if let command { blocks.append(.command(command)) }
    return blocks
  }

  /// The lines for a terminal. The command is not cut, so that it can be pasted, even if it names a long path.
  package var lines: [TextReport.Line] {
    let texts = TextReport.lines(blocks.dropLast(command == nil ? 0 : 1)).map {
      TextReport.Line(text: $0.text.cut(to: Self.width), look: $0.look)
    }
    return texts + TextReport.lines(command.map { [.command($0)] } ?? [])
  }

  private static func rows(_ analysis: ComparisonAnalysis) -> [Row] {
    let settings = analysis.record.settings.workloads
    return Workload.allCases.compactMap { workload -> Row? in
      let own = settings.filter { $0.workload == workload }
      guard let first = own.first else { return nil }
      let metrics = workload.deciding + (workload == .scenario ? [.failed] : [])
      let cells = own.map { settings -> Cell in
        let transport = settings.situation.transport
        guard let decision = analysis.decisions.first(where: { $0.situation == settings.situation }) else {
          return Cell(transport: transport, degree: .none, strategies: [], measures: [])
        }
        let choices = analysis.choices(over: transport)
        return Cell(
          transport: transport, degree: decision.degree, strategies: decision.strategies,
          measures: metrics.compactMap { Measure($0, decision.analysis, choices) })
      }
      return Row(workload: workload, situation: workload.situation(first), cells: cells)
    }
  }

  /// Returns the strategies as columns: the reference, the others that can be taken, and then the rest.
  private static func columns(_ analysis: ComparisonAnalysis, _ common: [String]) -> [String] {
    let unfit = Set(analysis.unfit.map(\.strategy))
    let rank = { (name: String) in
      name == analysis.reference ? 0 : common.contains(name) ? 1 : unfit.contains(name) ? 3 : 2
    }
    let all = analysis.record.settings.contenders.filter(\.isChoice).map(\.name)
    return (0...3).flatMap { number in all.filter { rank($0) == number } }
  }

  /// Returns what was measured and where, in one line. The last parts are omitted if they do not fit.
  private static func scope(_ analysis: ComparisonAnalysis) -> String {
    let record = analysis.record
    let isOwn = record.settings.workloads.contains { $0.workload != .url }
    let network = record.settings.workloads.compactMap(\.network).first
    let system = String(record.machine.system.prefix { $0 != " " })
    let count = record.settings.contenders.count(where: \.isChoice)
    let parts = [
      "Compared \(count.counted("strategy", "strategies"))"
        + " on \(system == "Linux" ? "Linux (an iPhone differs)" : system)",
      isOwn ? network?.inShort ?? "local server" : "server at your address",
      record.settings.until == nil ? "\(record.settings.blocks.counted("run")) each" : nil,
      "\(record.seconds.decimals(0)) s",
      record.machine.cores.counted("core"), record.settings.front.map { "https by \($0.prefix { $0 != "/" })" },
    ].compactMap(\.self)
    let fitting = (1...parts.count).map { parts.prefix($0).joined(separator: ", ") + "." }
    return fitting.last { $0.count <= TextReport.width } ?? parts[0].cut(to: TextReport.width)
  }

  /// Returns the warnings in one line each, and a line for the number of the others.
  private static func oneLine(_ warnings: [String], most: Int) -> [String] {
    let room = TextReport.width - "warning: ".count
    let lines = warnings.map { $0.cut(to: room) }
    return lines.count <= most
      ? lines : lines.prefix(most - 1) + ["\(lines.count - most + 1) more; `--details` lists them"]
  }

  /// Returns the text without the words that do not fit into this number of lines.
  static func cut(_ text: String, to lines: Int) -> String {
    let indent = "".padded(to: "not measured".count + 2)
    let found = text.wrapped(to: TextReport.width - 2, first: indent, rest: indent)
    guard found.count > lines else { return text }
    return found.prefix(lines).map { $0.dropFirst(indent.count) }.joined(separator: " ") + " …"
  }
}

extension Screen: Encodable {
  private enum CodingKeys: String, CodingKey { case scope, warnings, rows, sentences, command }
}

extension Workload {
  /// The situation in the words of a reader who looks for an app.
  fileprivate func situation(_ settings: WorkloadSettings) -> String {
    switch self {
    case .list, .gallery, .largeFeed:
      "\(situation) (\(Unit.bytes.text(Double(settings.size)).replacing(".0 ", with: " ")))"
    case .scenario: settings.scenarioName ?? situation
    default: situation
    }
  }

  /// The situation in a few words.
  package var situation: String {
    switch self {
    case .list: "many small images"
    case .gallery: "few large images"
    case .scroll: "scrolling"
    case .feed: "small images and a large one"
    case .largeFeed: "scrolling large images"
    case .wait: "a slow server"
    case .flaky: "a failing server"
    case .stall: "many slow responses"
    case .url: "images on your server"
    case .scenario: "the steps of a scenario"
    }
  }
}

extension NetworkSettings {
  fileprivate var inShort: String {
    "simulated network (\(Unit.seconds.text(roundTrip))\(bandwidth.map { ", \(Unit.bitRate($0))" } ?? ""))"
  }
}
