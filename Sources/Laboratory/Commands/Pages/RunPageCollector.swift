import CommandLineTool
import EventBus
import Foundation
import PlainText
import RunPages
import ScenarioEngine
import ScenarioFormat
import ScheduleExplorer

/// Writes the pages of `fetcher run`: a single page for one scenario, or a folder with an index and a page for each
/// run.
final class RunPageCollector: Sendable {
  static let option = PageOutput.option.saying(
    "also write a page that plays back the run; for several files, FILE is a folder")

  private struct State {
    var runs: [PageRun] = []
    var page: (title: String, name: String, source: SourceText)?
    var index = RunIndex(title: "Runs")
    var names: Set<String> = []
    var failures = 0
  }

  private let output: PageOutput
  private let isFolder: Bool
  private let state = Locked(State())

  /// - Parameters:
  ///   - files: the scenario files named on the command line.
  ///   - progress: the line that shows when a page is written.
  /// - Throws: a failure with code 4 if the pages could not be written.
  init?(
    _ arguments: ParsedArguments, _ files: [ScenarioFile], _ context: CommandContext, _ progress: ProgressLine
  ) throws(CommandFailure) {
    guard let path = arguments[PageOutput.option] else { return nil }
    isFolder =
      files.count > 1 || ScenarioPaths.isFolder(path) || arguments.arguments.contains(where: ScenarioPaths.isFolder)
    guard var output = isFolder ? try PageOutput(folder: path, context) : try PageOutput(arguments, context) else {
      return nil
    }
    output.progress = progress
    output.isQuiet = arguments.has(ResultOptions.json) || arguments.has(ResultOptions.mermaid)
    self.output = output
  }

  /// Adds a run. If the output is a folder, this method writes the page of the run.
  func add(
    _ scenario: Scenario, _ source: SourceText, _ outcome: ScenarioOutcome, _ record: RunRecord, _ items: RecordedRun?
  ) {
    let isFixed = outcome.variant == Scenario.fixedVariant
    let name = isFixed ? outcome.strategy : "\(outcome.strategy), \(outcome.variant)"
    let id = isFixed ? outcome.strategy : "\(outcome.strategy)-\(outcome.variant)"
    output.progress?.show(visible("\(scenario.name), \(name): page"))
    let run = PageRunBuilder.page(id: id, name: name, record, items, outcome, scenario, source)
    let (title, subtitle) = (scenario.shownTitle, "\(scenario.name) · \(outcome.clock) clock")
    guard isFolder else {
      return state.withLock { state in
        state.runs.append(run)
        state.page = (title, subtitle, source)
      }
    }
    let page = RunPage(title: title, subtitle: "\(subtitle) · \(name)", runs: [run], files: [PageFile(source)])
    let file = state.withLock { state in
      var file = "\(Self.fileName(scenario.name))-\(Self.fileName(id)).html"
      while !state.names.insert(file).inserted { file = "_" + file }
      return file
    }
    let isWritten = output.write(
      RunPageWriter.html(page), to: URL(filePath: output.path).appending(path: file).path)
    state.withLock { state in
      if !isWritten { state.failures += 1 }
      state.index.add(
        RunIndex.Entry(
          row: scenario.name, title: title, column: outcome.strategy + (isFixed ? "" : ", \(outcome.variant)"),
          isPassed: outcome.ok, verdict: run.verdict, file: "\(file)#\(page.startPosition)"))
    }
  }

  /// Returns a file name that is valid in every file system and in every URL.
  private static func fileName(_ name: String) -> String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "_" })
  }

  /// Writes the page or the index, and prints the path to open.
  ///
  /// - Returns: false if a file could not be written.
  func finish() -> Bool {
    let state = state.withLock { $0 }
    if isFolder {
      let file = URL(filePath: output.path).appending(path: "index.html").path
      guard output.write(state.index.html, to: file) else { return false }
      output.say("page: \(visible(output.path.hasSuffix("/") ? output.path : output.path + "/"))index.html")
      return state.failures == 0
    }
    guard let page = state.page else { return true }
    let only = state.runs.count == 1 ? " · \(state.runs[0].name)" : ""
    return output.write(
      RunPage(title: page.title, subtitle: page.name + only, runs: state.runs, files: [PageFile(page.source)]))
  }
}

extension Scenario {
  /// The title to show on a page.
  var shownTitle: String { title.isEmpty ? name : title }
}

extension PageFile {
  /// Creates the page's copy of a scenario file.
  init(_ source: SourceText, path: String? = nil) {
    self.init(path: path ?? source.path, lines: source.lines)
  }
}
