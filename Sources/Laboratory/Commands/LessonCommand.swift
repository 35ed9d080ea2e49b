import CommandLineTool
import Foundation
import Lessons
import PlainText

/// `fetcher lesson`: teaches concurrency with broken programs.
enum LessonCommand {
  static let diff = CommandOption("--diff", "show: compare the program with our repair instead of explaining it")
  static let file = CommandOption(
    "--file", "FILE", "solve, watch, show --diff: use this file as your version, instead of the file of the lesson")

  static let json = CommandOption("--json", "list: the course and your progress as JSON")

  static let seed = CommandOption(
    "--seed", "N", "solve, watch: judge with the data of this seed; by default, each verdict takes another one")

  /// The actions to which each option applies.
  private static let owners = [
    (diff, ["show"]), (file, ["solve", "watch", "show"]), (seed, ["solve", "watch"]), (LessonPage.option, ["break"]),
    (json, ["list"]),
  ]

  static let command = Command(
    name: "lesson", summary: "teaches concurrency with broken programs: predict, run, break, repair, prove",
    arguments: "[ACTION] [LESSON] [PREDICTION]",
    options: [diff, file, seed, LessonPage.option, json],
    actions: [
      ("list", "lists the lessons as a course, with your position (the default)"),
      ("start", "shows the goal, the code and a question (the default with a LESSON)"),
      ("interface", "lists what the program implements, and what it can call"),
      ("predict", "keeps your prediction: the number of an outcome, or your own words"),
      ("hint", "shows the next hint"),
      ("run", "runs the lesson's program, not your file, once in order: it passes"),
      ("break", "finds an order of events, or an input, that breaks the lesson's program"),
      ("step", "lets you choose each next item, until the lesson's program breaks"),
      ("solve", "judges your version; first change the broken variant in an editor"),
      ("watch", "judges your version after each save, until Ctrl-C"),
      ("show", "shows the explanation"),
      ("check", "replays the failing order on our repair, and searches for another failing order"),
      ("reset", "resets your progress in one lesson, or in all; your files stay"),
    ],
    details: ["Your progress is stored in $XDG_STATE_HOME, by default ~/.local/state."],
    example: "fetcher lesson start L01", run: run)

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    var words = arguments.arguments
    if let word = words.first, Curriculum.entry(word) != nil {
      if words.count == 2, command.actions.contains(where: { $0.name == words[1] }) {
        throw UsageError("write the action before the lesson: `fetcher lesson \(words[1]) \(word)`")
      }
      words.insert("start", at: 0)
    }
    let action = words.first ?? "list"
    guard command.actions.contains(where: { $0.name == action }) else {
      if action.contains(/^[LlXx]?\d+$/) { throw Curriculum.unknown(action) }
      throw UsageError.unknown("action", action, among: command.actions.map(\.name))
    }
    for (option, owners) in owners where !owners.contains(action) && arguments.has(option) {
      throw UsageError("\(option.name) works only with \(owners.map { "`lesson \($0)`" }.listed(with: "and"))")
    }
    if words.count > 2, action != "predict" {
      throw UsageError("write one action and one lesson, as in `fetcher lesson start L01`; remove \"\(words[2])\"")
    }
    let entry = try words.dropFirst().first.map { (name) throws(UsageError) in
      guard let entry = Curriculum.entry(name) else {
        throw Curriculum.unknown(name)
      }
      return entry
    }
    let folder = try LessonFolder(context.resources)
    let progress = LessonProgressFile { context.notes.line($0) }
    if action == "list" {
      let list = LessonList(folder: folder, progress: progress.read())
      if arguments.has(json) { context.output.line(try list.json()) } else { try list.print(to: context.output) }
      return .success
    }
    if action == "reset" {
      let solved = try progress.update { progress in
        defer { progress.forget(entry?.lesson.id) }
        return progress.solvedCount
      }
      let what = entry.map(\.lesson.id) ?? solved.counted("solved lesson")
      context.output.line("cleared your progress in \(what)")
      let (files, keep) = entry == nil ? ("all files", "Your files stay") : ("the file", "Your file stays")
      context.output.line("\(keep) as before. To restore \(files): \(folder.restoring(entry?.lesson))")
      return .success
    }
    guard let entry else { throw UsageError("lesson \(action) needs a LESSON such as L01") }
    let pages = try LessonPages(entry, folder, context.output)
    let file = arguments[file].map { URL(filePath: $0) }
    let seed = try arguments.number(seed, in: 0...Int.max)
    if let file { try LessonAttempts.validate(file) }
    switch action {
    case "start": try pages.start()
    case "interface": try pages.interface()
    case "hint":
      let count = pages.text.hints.count
      guard count > 0 else {
        throw CommandFailure.cannotStart(
          "\(entry.lesson.id) has no hints, because its lesson.md was changed: restore the section \"Hints\"")
      }
      pages.hint(min(try progress.update { $0.takeHint(entry.lesson.id, of: count) }, count - 1))
    case "predict": try predict(words.dropFirst(2).joined(separator: " "), pages, progress)
    case "run": return pages.tried(progress.read().prediction(entry.lesson.id))
    case "break":
      return try broken(entry, pages, progress.read().prediction(entry.lesson.id), PageOutput(arguments, context))
    case "step":
      pages.remindOfFile()
      LessonGolf(entry, context.output).play()
    case "show": arguments.has(diff) ? try pages.difference(from: file) : pages.explanation()
    case "check": return try pages.checked()
    default:
      let attempts = try LessonAttempts(entry.lesson, file, seed: seed, pages, progress, context)
      if action == "watch" { try await attempts.watch() }
      return try await attempts.solve() ? .success : .failed
    }
    return .success
  }

  /// Records the learner's prediction. Without an answer on the command line, it asks for one.
  private static func predict(_ answer: String, _ pages: LessonPages, _ progress: LessonProgressFile) throws {
    var answer = answer
    if answer.isEmpty {
      pages.question()
      pages.output.line()
      pages.output.line("Your prediction, a number or your own words:")
      guard let line = readLine(), !line.isEmpty else { return pages.output.line("No prediction was recorded.") }
      answer = line
    }
    let prediction = try pages.outcomes.prediction(answer)
    try progress.update { $0.predict(pages.outcomes.id, prediction) }
    pages.predicted(prediction)
  }

  private static func broken(
    _ entry: Curriculum.Entry, _ pages: LessonPages, _ prediction: String?, _ output: PageOutput?
  ) throws -> ExitCode {
    let verdict = LessonVerdict(judging: entry.broken)
    pages.broken(verdict, prediction)
    guard let output else { return .success }
    guard let page = LessonPage.page(entry, verdict, pages) else {
      output.context.notes.line("--html: no schedule fails, so no page was written")
      return .success
    }
    output.context.output.line()
    return output.write(page) ? .success : .cannotStart
  }
}
