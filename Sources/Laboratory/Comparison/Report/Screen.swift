import PlainText

/// The answer of a comparison on one screen: what was measured, what to take, a table with one row for each situation, and
/// a few sentences. Every form of a report begins with it.
package struct Screen: Sendable {
  /// The largest number of lines, and of characters in a line.
  package static let maximumLines = 24
  package static let width = 100
  /// The title of the table's first column.
  static let question = "what to take for"

  /// A row of the table: a situation in the reader's words, and its answer over each transport.
  package struct Row: Sendable, Encodable {
    package let workload: Workload
    package let situation: String
    package let cells: [Cell]

    /// The situation after the workload's name, which the flag `--workload` takes.
    fileprivate var label: String {
      Workload.measurable.contains(workload) ? "\(workload.rawValue): \(situation)" : situation
    }
  }

  /// The decision about one situation over one transport.
  package struct Cell: Sendable, Encodable {
    package let transport: Transport
    package let degree: Decision.Degree
    package let strategies: [String]
    package let text: String
  }

  /// A sentence with its label, such as `take` or `next`.
  package struct Sentence: Sendable, Encodable {
    package let subject: String
    package let text: String
  }

  /// The measured setup, in one line.
  package let scope: String
  /// The reasons to doubt the numbers, each cut to one line.
  package let warnings: [String]
  package let rows: [Row]
  /// How to measure https, or nil if it was measured.
  package let flag: String?
  package private(set) var sentences: [Sentence]
  /// The command that measures more, or nil if there is nothing to measure.
  package let command: String?
  private let transports: [Transport]
  /// The number of sentences before the table.
  private let answers: Int
  /// The medians of a scenario, which is the only row.
  private let figures: ReportTable?
  private var gaps = Gaps.all
  /// The empty lines.
  private enum Gaps { case all, aroundTables, none }

  /// Returns nil for a record without workloads, such as that of `--behavior`.
  package init?(_ analysis: ComparisonAnalysis) {
    let settings = analysis.record.settings.workloads
    guard !settings.isEmpty else { return nil }
    transports = Transport.allCases.filter { one in settings.contains { $0.situation.transport == one } }
    rows = Self.rows(analysis, transports)
    let notes = ScreenNotes(analysis)
    let next = notes.next
    command = next.command
    scope = Self.scope(analysis)
    figures = analysis.workloads.first { $0.workload == .scenario }.map {
      WorkloadTable.table($0, analysis.reference, only: $0.workload.deciding + [.failed])
    }
    warnings = Self.oneLine(analysis.warnings)
    flag =
      transports.contains(where: \.isSecure) || settings.contains { !Workload.standard.contains($0.workload) }
      ? nil : "https is not measured; `--https` adds a column for it, if nginx is installed."
    func sentences(_ texts: [(String, String?)]) -> [Sentence] {
      texts.compactMap { subject, text in text.map { Sentence(subject: subject, text: Self.cut($0, to: 2)) } }
    }
    let answer = sentences([("take", notes.take(rows)), ("never", notes.never)])
    answers = answer.count
    self.sentences =
      answer
      + sentences([
        ("how sure", notes.howSure(rows)), ("expectations", notes.expectations), ("trade-off", notes.runnerUp),
        ("not measured", notes.notMeasured), ("next", next.text),
      ])
    // If the lines do not fit, omits the gaps first, and then the least important sentence.
    for fewer in [Gaps.aroundTables, .none] where lines.count > Self.maximumLines { gaps = fewer }
    if lines.count > Self.maximumLines { self.sentences.removeAll { $0.subject == "trade-off" } }
  }

  /// The screen as the first blocks of a report.
  package var blocks: [ReportBlock] {
    let gap: [ReportBlock] = gaps == .none ? [] : [.gap]
    let texts = sentences.map { ReportBlock.answer(subject: $0.subject, text: $0.text, reasons: []) }
    var blocks: [ReportBlock] = [.paragraph(scope)] + warnings.map(ReportBlock.warning)
    if gaps == .all { blocks += gap }
    blocks += texts.prefix(answers) + gap + [.table(table)]
    if let figures { blocks += gap + [.table(figures)] }
    if let flag { blocks.append(.paragraph(flag)) }
    blocks += gap + texts.dropFirst(answers)
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

  /// The table. Long names are cut, so that a row fits in a line.
  private var table: ReportTable {
    let fewest = 17
    let most = (Self.width - fewest) / max(1, transports.count) - 2
    let titles = transports.map(\.title)
    let cells = rows.map { $0.cells.map { $0.text.cut(to: most) } }
    let widths = titles.indices.map { index in cells.map { $0[index].count }.reduce(titles[index].count, max) }
    let rest = Self.width - widths.reduce(0) { $0 + $1 + 2 }
    var table = ReportTable([Self.question] + titles, wordColumns: Set(0...titles.count))
    for (row, texts) in zip(rows, cells) {
      let answers = zip(row.cells, texts).map { ReportTable.Cell($1, isSure: $0.degree == .sure) }
      table.add([ReportTable.Cell(row.label.cut(to: rest))] + answers)
    }
    return table
  }

  private static func rows(_ analysis: ComparisonAnalysis, _ transports: [Transport]) -> [Row] {
    let settings = analysis.record.settings.workloads
    // Beside the longest situation, which has 34 characters.
    let room = (width - 34) / max(1, transports.count) - 2
    return Workload.allCases.compactMap { workload -> Row? in
      guard let first = settings.first(where: { $0.workload == workload }) else { return nil }
      let cells = transports.map { transport -> Cell in
        let situation = Situation(workload, transport)
        if let decision = analysis.decisions.first(where: { $0.situation == situation }) {
          return Cell(
            transport: transport, degree: decision.degree, strategies: decision.strategies,
            text: decision.inShort(among: analysis.choices(over: transport), to: room))
        }
        let hasRuns = analysis.record.samples.contains { $0.situation == situation }
        return Cell(
          transport: transport, degree: .none, strategies: [], text: hasRuns ? "no valid run" : "not measured")
      }
      return Row(workload: workload, situation: workload.situation(first), cells: cells)
    }
  }

  /// Returns what was measured and where, in one line. The last parts are omitted if they do not fit.
  private static func scope(_ analysis: ComparisonAnalysis) -> String {
    let record = analysis.record
    let isOwn = record.settings.workloads.contains { $0.workload != .url }
    let network = record.settings.workloads.compactMap(\.network).first
    let system = String(record.machine.system.prefix { $0 != " " })
    let names = record.settings.contenders.filter(\.isChoice).map(\.name)
    let parts = [
      "Compared \(names.count > 4 ? names.count.counted("strategy", "strategies") : names.listed(with: "and"))"
        + " on \(system == "Linux" ? "Linux (an iPhone differs)" : system) in \(record.seconds.decimals(0)) s",
      isOwn ? network?.inShort ?? "local server" : "server at your address",
      record.machine.cores.counted("core"), record.settings.front.map { "https by \($0.prefix { $0 != "/" })" },
    ].compactMap(\.self)
    let fitting = (1...parts.count).map { parts.prefix($0).joined(separator: ", ") + "." }
    return fitting.last { $0.count <= TextReport.width } ?? parts[0].cut(to: TextReport.width)
  }

  /// Returns at most three warnings of one line each.
  private static func oneLine(_ warnings: [String]) -> [String] {
    let room = TextReport.width - "warning: ".count
    let lines = warnings.map { $0.cut(to: room) }
    return lines.count <= 3 ? lines : lines.prefix(2) + ["\(lines.count - 2) more; `--details` lists them"]
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
  private enum CodingKeys: String, CodingKey { case scope, warnings, rows, flag, sentences, command }
}

extension Workload {
  /// The situation in the words of a reader who looks for an app.
  fileprivate func situation(_ settings: WorkloadSettings) -> String {
    switch self {
    case .list, .gallery, .largeFeed: "\(situation) (\(Unit.bytes.text(Double(settings.size))))"
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
