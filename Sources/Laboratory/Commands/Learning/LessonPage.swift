import CommandLineTool
import Lessons
import RunPages
import ScheduleExplorer

/// The page for a lesson. It shows the order that breaks the program, and the same order with its last pair of items
/// swapped.
enum LessonPage {
  static let option = PageOutput.option.saying(
    "break: also write a page that plays back the order that breaks the program")

  /// Returns the page, or nil if no schedule fails.
  static func page(_ entry: Curriculum.Entry, _ verdict: LessonVerdict, _ pages: LessonPages) -> RunPage? {
    guard let token = verdict.token.flatMap({ Token($0) }) else { return nil }
    let path = pages.folder.path(.broken, of: entry.lesson)
    let lines = pages.folder.compiledCode(of: entry.lesson) ?? []
    let files = [PageFile(path: path, lines: lines)]
    let guilty = lines.firstIndex { $0.contains(entry.lesson.guilty) }.map { PageRow.Source(file: 0, line: $0 + 1) }
    let run = { (id: String, name: String, deviations: Deviations) in
      ScheduleRun.page(
        id: id, name: name, RecordedRun(deviations, of: entry.broken.judge), files: files, guilty: guilty)
    }
    var runs = [run("\(token)", "The order that breaks the program", token.deviations)]
    if verdict.flippedPair != nil, let flipped = token.deviations.withLastPairFlipped {
      runs.append(run("E1.\(flipped)", "The last pair in the other order", flipped))
    }
    return RunPage(
      title: pages.text.title, subtitle: "lesson \(entry.lesson.id) · \(entry.lesson.program) · broken", runs: runs,
      files: files, summary: verdict.flippedPair,
      commands: ["fetcher lesson break \(entry.lesson.id)", "fetcher lesson solve \(entry.lesson.id)"],
      hidesVerdicts: true)
  }
}
