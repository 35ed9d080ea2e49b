import Bytes

/// One or several runs of the same program, as the content of a page.
package struct RunPage: Sendable, Encodable {
  package let title: String
  /// The names that identify the run, such as the scenario and its clock.
  package let subtitle: String
  package let runs: [PageRun]
  /// The files that the rows refer to.
  package let files: [PageFile]
  /// A sentence about all runs, such as the pair whose order decides, or nil.
  package let summary: String?
  /// The commands that make the page again, or that continue from it.
  package let commands: [String]

  package init(
    title: String, subtitle: String, runs: [PageRun], files: [PageFile], summary: String? = nil, commands: [String] = []
  ) {
    self.title = title.withVisibleControls
    (self.subtitle, self.runs, self.files) = (subtitle.withVisibleControls, runs, files)
    (self.summary, self.commands) = (summary?.withVisibleControls, commands)
  }

  private enum CodingKeys: String, CodingKey {
    case title = "t"
    case subtitle = "u"
    case runs = "r"
    case files = "f"
    case summary = "s"
    case commands = "c"
    case lanes = "l"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(title, forKey: .title)
    try container.encode(subtitle, forKey: .subtitle)
    try container.encode(runs, forKey: .runs)
    try container.encode(files, forKey: .files)
    try container.encodeIfPresent(summary, forKey: .summary)
    if !commands.isEmpty { try container.encode(commands, forKey: .commands) }
    try container.encode(PageLane.allCases.map { "\($0)" }, forKey: .lanes)
  }

  /// The position of a row in a link: `step-14`, or with several runs `E1.0:1,1:1.8cfb6c42/step-5`.
  ///
  /// - Parameters:
  ///   - run: the index of the run.
  ///   - row: the index of the row.
  package func position(run: Int, row: Int) -> String {
    (runs.count > 1 ? "\(runs[run].id)/" : "") + "step-\(row + 1)"
  }

  /// The position where a reader should start: the first failure, or else the first row.
  package var startPosition: String {
    let run = runs.firstIndex { !$0.isPassed } ?? 0
    return position(run: run, row: runs.isEmpty ? 0 : runs[run].failingRow ?? 0)
  }
}

/// A source file, whose lines the page quotes.
package struct PageFile: Sendable, Encodable {
  /// The path as the user would type it.
  package let path: String
  package let lines: [String]

  /// The number of lines from which a file is only named.
  private static let mostLines = 10_000
  /// The number of characters of a line to quote.
  private static let longestLine = 400

  package init(path: String, lines: [String]) {
    self.path = path
    self.lines = lines.count > Self.mostLines ? [] : lines.map { $0.withoutCredentials.cut(to: Self.longestLine) }
  }

  private enum CodingKeys: String, CodingKey {
    case path = "p"
    case lines = "l"
  }
}

/// Where an event of a run happens, from top to bottom.
package enum PageLane: Int, Sendable, CaseIterable {
  case user, bus, main, tasks, workers, network
}

/// One run: its rows, and what the drawing adds to them.
package struct PageRun: Sendable, Encodable {
  /// The identity of the run in links: a strategy or a token.
  package let id: String
  package let name: String
  package var isPassed = true
  /// Whether the times of the rows mean something: an explored order has none.
  package var hasTimes = true
  /// The result in one sentence.
  package var verdict = ""
  package var rows: [PageRow] = []
  package var bars: [PageBar] = []
  package var arrows: [PageArrow] = []
  /// The views that show something, in order of appearance.
  package var views: [String] = []
  /// The kinds of events and items, which rows refer to.
  package var kinds: [String] = []
  /// The names of ready items, which rows refer to.
  package var names: [String] = []

  package init(id: String, name: String) { (self.id, self.name) = (id, name) }

  /// The row that shows the first failure.
  package var failingRow: Int? { rows.firstIndex { $0.failure != nil } }

  private enum CodingKeys: String, CodingKey {
    case id
    case name = "n"
    case isPassed = "ok"
    case hasTimes = "t"
    case verdict = "v"
    case rows = "r"
    case bars = "b"
    case arrows = "a"
    case views = "w"
    case kinds = "k"
    case names = "m"
  }
}
