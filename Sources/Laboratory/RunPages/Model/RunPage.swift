import PlainText
import ScenarioFormat

/// The content of a page: one or more runs of the same program.
package struct RunPage: Sendable, Encodable {
  package let title: String
  /// The names that identify the run, such as those of the scenario and its clock.
  package let subtitle: String
  package let runs: [PageRun]
  /// The files to which the rows refer.
  package let files: [PageFile]
  /// A sentence about all runs, such as one that names the items whose order determines the result, or nil.
  package let summary: String?
  /// The commands that recreate the page or continue from it.
  package let commands: [String]
  /// Whether the page shows the verdicts only on request, so that its readers can first predict them.
  package let hidesVerdicts: Bool

  package init(
    title: String, subtitle: String, runs: [PageRun], files: [PageFile], summary: String? = nil,
    commands: [String] = [],
    hidesVerdicts: Bool = false
  ) {
    self.title = title.withVisibleControls
    (self.subtitle, self.runs, self.files) = (subtitle.withVisibleControls, runs, files)
    (self.summary, self.commands) = (summary?.withVisibleControls, commands)
    self.hidesVerdicts = hidesVerdicts
  }

  private enum CodingKeys: String, CodingKey {
    case title = "t"
    case subtitle = "u"
    case runs = "r"
    case files = "f"
    case summary = "s"
    case commands = "c"
    case lanes = "l"
    case hidesVerdicts = "h"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(title, forKey: .title)
    try container.encode(subtitle, forKey: .subtitle)
    try container.encode(runs, forKey: .runs)
    try container.encode(files, forKey: .files)
    try container.encodeIfPresent(summary, forKey: .summary)
    if !commands.isEmpty { try container.encode(commands, forKey: .commands) }
    if hidesVerdicts { try container.encode(true, forKey: .hidesVerdicts) }
    try container.encode(PageLane.allCases.map { "\($0)" }, forKey: .lanes)
  }

  /// The position of all runs together, for use in a link.
  package static let allRuns = "all-runs"

  /// Returns the position of a row for use in a link: `step-14`, or, if there are several runs,
  /// `E1.0:1,1:1.8cfb6c42/step-5`.
  ///
  /// - Parameters:
  ///   - run: the run's index.
  ///   - row: the row's index.
  package func position(run: Int, row: Int) -> String {
    (runs.count > 1 ? "\(runs[run].id)/" : "") + "step-\(row + 1)"
  }

  /// The position at which a reader should start, which is the first failure. Without failures, and on a page that hides
  /// its verdicts, it is the first row.
  package var startPosition: String {
    let run = runs.firstIndex { !$0.isPassed } ?? 0
    return position(run: run, row: runs.isEmpty || hidesVerdicts ? 0 : runs[run].failingRow ?? 0)
  }
}

/// A source file whose lines the page quotes.
package struct PageFile: Sendable, Encodable {
  /// The file's path as a user would type it.
  package let path: String
  package let lines: [String]

  /// The maximum number of lines in a quoted file. The page names a longer file, but does not quote it.
  private static let maximumLines = 10_000
  /// The maximum number of characters quoted from a line.
  private static let longestLine = 400

  package init(path: String, lines: [String]) {
    self.path = path
    self.lines = lines.count > Self.maximumLines ? [] : lines.map { visible($0).cut(to: Self.longestLine) }
  }

  private enum CodingKeys: String, CodingKey {
    case path = "p"
    case lines = "l"
  }
}

/// The lane in which an event of a run happens, in order from top to bottom.
package enum PageLane: Int, Sendable, CaseIterable {
  case user, bus, main, tasks, workers, network
}

/// A run with its rows, and the bars, arrows and names that the drawing adds.
package struct PageRun: Sendable, Encodable {
  /// The identifier of the run in links, such as a strategy or a token.
  package let id: String
  package let name: String
  package var isPassed = true
  /// Whether the rows have meaningful times. The rows of a ``ScheduleRun`` have none.
  package var hasTimes = true
  /// A one-sentence result.
  package var verdict = ""
  package var rows: [PageRow] = []
  package var bars: [PageBar] = []
  package var arrows: [PageArrow] = []
  /// The views that show something, in order of appearance.
  package var views: [String] = []
  /// The kinds of events and items to which rows refer.
  package var kinds: [String] = []
  /// The names of ready items to which rows refer.
  package var names: [String] = []

  package init(id: String, name: String) { (self.id, self.name) = (id, name) }

  /// The index of the row that shows the first failure.
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
