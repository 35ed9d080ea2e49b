import CommandLineTool
import Foundation
import Lessons
import PlainText
import ScenarioFormat
import ScheduleExplorer

/// Prints the pages of one lesson, wrapped to 80 columns. Table rows that contain a source location can be wider.
struct LessonPages {
  private static let width = 80

  let entry: Curriculum.Entry
  let text: LessonText
  let folder: LessonFolder
  let output: Output

  private var lesson: Lesson { entry.lesson }
  private var style: TextStyle { output.style }
  var outcomes: Outcomes { Outcomes(entry, text) }

  init(_ entry: Curriculum.Entry, _ folder: LessonFolder, _ output: Output) throws(CommandFailure) {
    self.entry = entry
    self.folder = folder
    self.output = output
    text = try folder.text(of: entry.lesson)
  }

  /// Prints the goal, the code and the question.
  func start() throws(CommandFailure) {
    let isNew = try folder.prepareFile(of: lesson)
    output.line(style(.bold, "\(lesson.id)  \(text.title)"))
    section("Goal")
    output.line()
    let file = folder.editedFile(of: lesson)
    let name = visible(folder.isInstalled ? "your copy: ./\(folder.path(file))" : "your file: \(folder.path(file))")
    let state = folder.isEdited(lesson) ? "kept; you have changed it" : isNew ? "new" : "unchanged"
    output.line(style(.dim, "\(name) (\(state))"))
    for row in CodeListing(lines: try folder.code(file)).rows(style) { output.line(row) }
    question()
    output.line()
    wrap("First predict: does it always work? If not, which \(culprit) breaks it?")
    output.line()
    output.line("`fetcher lesson predict \(lesson.id)` keeps your prediction;")
    output.line("`fetcher lesson run \(lesson.id)` runs the program once, in order;")
    output.line("`fetcher lesson break \(lesson.id)` looks for an \(culprit) that breaks the program;")
    output.line("`fetcher lesson interface \(lesson.id)` lists what your file implements and can call.")
    output.line()
    let allowed = ForbiddenCalls.allowed(isPlain: lesson.isPlain)
    wrap(
      lesson.isPlain
        ? "A repair may use \(allowed). It must not use threads or queues."
        : "A repair may use `Mutex` and the runtime: \(allowed). It must not use threads, queues, or `Task`.")
    output.line()
    output.line("Next: `fetcher lesson predict \(lesson.id)`")
  }

  /// Prints the interface that the learner's file implements, and what it can call.
  func interface() throws(CommandFailure) {
    let stage = StageInterface(try folder.stage(of: lesson)).rows
    output.line(style(.bold, "\(lesson.id)  \(text.title)"))
    output.line()
    wrap("`\(lesson.program)` implements `\(lesson.id).Program`. The comments are promises that the judge checks.")
    output.line()
    for row in stage { output.line(row) }
    for shared in ["Screen", "PictureServer"] where stage.contains(where: { $0.contains(shared) }) {
      output.line()
      for row in StageInterface(try folder.stage(of: lesson, sharedFile: shared)).rows { output.line(row) }
    }
    output.line()
    guard stage.contains(where: { $0.contains("any Runtime") }) else {
      return wrap("It may also use \(ForbiddenCalls.allowed(isPlain: lesson.isPlain)).")
    }
    output.line("runtime: any Runtime")
    for (call, effect) in Self.runtime { output.line("  \(call.padded(to: 37))  \(effect)") }
    guard stage.contains(where: { $0.contains("bus: EventBus") }) else { return }
    output.line()
    output.line("bus: EventBus")
    for (call, effect) in Self.bus { output.line("  \(call.padded(to: 37))  \(effect)") }
  }

  /// The calls of a bus that the lessons need.
  private static let bus = [
    ("post(event)", "delivers it to subscribers of its type"),
    ("subscribe(to: T.self, on: .main) { }", "calls it on main with each event of type"),
    ("", "T; returns a `Subscription`, which ends"),
    ("", "when it is released, or at `cancel()`"),
  ]

  /// The calls of a runtime that the lessons need.
  private static let runtime = [
    ("main.schedule { }", "calls the closure on main, later"),
    ("main.schedule(after: .seconds(1)) { }", "1 s later; its result has `cancel()`"),
    ("main.isCurrent", "whether this code runs on main"),
    ("workers.schedule { }", "calls it on a thread of the pool"),
    ("serial(\"name\")", "creates a serial scheduler"),
    ("gate()", "its `wait()` blocks until `open()`"),
    ("task { }", "starts a task"),
    ("now", "the time since the start, a `Duration`"),
  ]

  /// The cause of the failure, for the question. Without a deviation, the search and the author's test differ only in their inputs.
  private var culprit: String { lesson.deviations == 0 ? "order or input" : "order of events" }

  /// Prints the question and the outcomes among which the learner chooses.
  func question() {
    section("Question")
    output.line()
    for (index, outcome) in outcomes.texts.enumerated() {
      let rows = outcome.wrapped(to: Self.width - 5)
      output.line("  \(index + 1)  \(rows[0])")
      for row in rows.dropFirst() { output.line("     \(row)") }
    }
  }

  /// Prints that a prediction was recorded, and the next steps.
  func predicted(_ prediction: String) {
    wrap("Your prediction is kept: \(visible(prediction))")
    output.line("`fetcher lesson run \(lesson.id)` and `fetcher lesson break \(lesson.id)` compare it with the run.")
  }

  /// Prints the hint with this number, counted from zero.
  func hint(_ number: Int) {
    wrap("Hint \(number + 1) of \(text.hints.count): \(text.hints[number])")
    guard number + 1 == text.hints.count else { return }
    wrap("That was the last hint. `fetcher lesson show \(lesson.id)` explains the lesson.")
  }

  /// Runs the program once, in order, prints the result, and compares it with the learner's prediction.
  func tried(_ prediction: String?) -> ExitCode {
    remindOfFile()
    let (diary, finding) = entry.broken.tryOut()
    output.line("\(diary)")
    output.line()
    output.line(finding.map { style(.red, "✗ \($0.message)") } ?? style(.green, "✓ all checks pass"))
    if let prediction { wrap(visible(outcomes.comparison(prediction, withRun: finding?.message))) }
    if finding != nil { return .failed }
    wrap("It passes. Does it always pass? `fetcher lesson break \(lesson.id)`")
    return .success
  }

  /// Prints the order that breaks the program, and compares it with the learner's prediction.
  func broken(_ verdict: LessonVerdict, _ prediction: String? = nil) {
    remindOfFile()
    explain(verdict)
    if let prediction {
      output.line()
      wrap(visible(outcomes.comparison(prediction, withFailure: verdict.message)))
    }
    guard verdict.token == "\(lesson.token)" else {
      output.line()
      wrap(
        "This program was changed before it was compiled. To restore the original, run this command and build again:")
      return output.line(folder.restoring(lesson))
    }
    guilty()
    output.line()
    wrap("Why: " + text.paragraphs("Why").joined(separator: " "))
    next()
  }

  /// Prints a note if the learner has a file that the page does not describe: a copy of an installed program, or a file
  /// that differs from the compiled program.
  func remindOfFile() {
    let file = folder.editedFile(of: lesson)
    let isCopied = folder.isInstalled && FileManager.default.fileExists(atPath: file.path)
    guard isCopied || folder.isEdited(lesson) else { return }
    let program = folder.isInstalled ? "original" : "compiled"
    wrap(
      "This runs the \(program) program, not your \(visible(file.lastPathComponent)); `fetcher lesson solve \(lesson.id)` judges your file."
    )
    output.line()
  }

  /// Prints a note if the file to judge is the learner's file, and equals the compiled program.
  func remindOfUnchanged(_ file: URL) {
    guard file == folder.editedFile(of: lesson), let compiled = folder.compiledCode(of: lesson),
      (try? folder.code(file)) == compiled
    else { return }
    let name = visible(file.lastPathComponent)
    wrap(
      folder.isInstalled
        ? "You have not changed \(name) yet." : "You have not changed \(name) since fetcher was compiled.")
    output.line()
  }

  /// Prints the verdict on the learner's version.
  ///
  /// - Parameters:
  ///   - file: the learner's file.
  ///   - seed: the seed of the generated runs.
  func solved(
    _ verdict: LessonVerdict, _ file: URL, seed: UInt64, _ progress: LessonProgress
  ) throws(CommandFailure) {
    explain(verdict, seed: seed)
    if let place = verdict.place { mark(place, in: try folder.code(file), folder.path(file)) }
    if verdict.isSolved {
      let interrupted =
        verdict.interruptedRuns > 0
        ? " In \(verdict.interruptedRuns) of them, other items also run between the locks of an item." : ""
      wrap(
        "It also passes \(verdict.generatedRuns.counted("run")) with other data, which seed \(seed) generates.\(interrupted)"
      )
      section("Rule")
      output.line()
      wrap("`fetcher lesson show \(lesson.id)` prints the explanation; with `--diff`, it compares your file with ours.")
      guard let next = Curriculum.next(after: lesson.id, progress) else {
        return output.line("You have solved all lessons.")
      }
      let title = try folder.text(of: next.lesson).title
      wrap("Next lesson: \(title). `fetcher lesson start \(next.lesson.id)`")
    } else {
      output.line()
      wrap("Not solved yet. `fetcher lesson hint \(lesson.id)` helps.")
    }
  }

  func explanation() {
    output.line(style(.bold, "\(lesson.id)  \(text.title)"))
    let others = ["Goal", "Question", "Outcomes", "Input", "Hints", "Why", "Commands"]
    for heading in text.headings where !others.contains(heading) { section(heading) }
  }

  /// Prints the difference between the learner's file and the repair.
  ///
  /// - Parameter file: the learner's file, or nil for the lesson's file in the checkout.
  func difference(from file: URL?) throws(CommandFailure) {
    let edited = folder.editedFile(of: lesson)
    let isEdited = FileManager.default.fileExists(atPath: edited.path)
    let file = file ?? (isEdited ? edited : folder.file(.broken, of: lesson))
    let yours = CodeListing(lines: try folder.code(file))
    let ours = CodeListing(lines: try folder.code(.fixed, of: lesson))
    if yours.lines == ours.lines { return output.line("Your version equals ours.") }
    output.line(style(.dim, "-  yours: \(visible(folder.path(file)))"))
    output.line(style(.dim, "+  ours:  \(visible(folder.path(.fixed, of: lesson)))"))
    for row in yours.difference(to: ours, style) { output.line(row) }
  }

  /// Prints the part of the program that causes the failure, if the compiled code is known.
  private func guilty() {
    guard let code = folder.compiledCode(of: lesson),
      let line = code.firstIndex(where: { $0.contains(lesson.guilty) })
    else { return }
    mark(line, in: code, folder.path(.broken, of: lesson))
  }

  /// Prints the learner's code around the place of a failure.
  private func mark(_ place: LessonVerdict.Place, in code: [String], _ path: String) {
    if place.pair.isEmpty {
      guard let line = place.last else { return }
      return mark(line - 1, in: code, path, ", the last place of this run in your file, not always the cause")
    }
    let items = place.pair.count == 1 ? "an item of this pair comes" : "the items of this pair come"
    mark(place.pair.map { $0 - 1 }, in: code, path, ", where \(items) from")
  }

  private func mark(_ line: Int, in code: [String], _ path: String, _ reason: String = "") {
    mark([line], in: code, path, reason)
  }

  /// Prints the code around some lines.
  ///
  /// - Parameters:
  ///   - lines: the indices of the lines, in ascending order.
  ///   - reason: the reason for the mark, which follows the numbers of the lines.
  private func mark(_ lines: [Int], in code: [String], _ path: String, _ reason: String) {
    guard !lines.isEmpty, lines.allSatisfy(code.indices.contains) else { return }
    output.line()
    let numbers = lines.map { "\($0 + 1)" }.joined(separator: " and ")
    output.line(style(.dim, "\(visible(path)):\(numbers)\(reason)"))
    for row in CodeListing(lines: code).rows(marking: lines, style) { output.line(row) }
  }

  private func explain(_ verdict: LessonVerdict, seed: UInt64? = nil) {
    guard let message = verdict.message else {
      output.line(style(.green, "✓ passes in ") + bound(verdict))
      return wrap(
        verdict.interruptedRuns > 0
          ? "In these orders, no item is interrupted. The search cannot find data races."
          : "The search never interrupts an item. It cannot find data races.")
    }
    for row in "✗ \(message)".wrapped(to: Self.width) { output.line(style(.red, row)) }
    if let generated = verdict.generated {
      let order =
        verdict.failsAsTried
        ? "in order" : verdict.interruptedRuns > 0 ? "where other items run between two locks" : "in one of many orders"
      wrap("in a run with \(generated), \(order):")
    } else if verdict.failsAsTried {
      output.line("  even when the program runs once, in order:")
    } else {
      output.line("  " + size(verdict))
      if verdict.deviations == 0 { for paragraph in text.paragraphs("Input") { indented(paragraph) } }
    }
    output.line()
    output.line(verdict.table.withoutTokens)
    if let pair = verdict.flippedPair {
      output.line()
      wrap(pair)
    }
    if verdict.generated != nil, let seed {
      output.line()
      wrap("The data of this run is generated. `fetcher lesson solve \(lesson.id) --seed \(seed)` repeats it.")
    }
  }

  private func size(_ verdict: LessonVerdict) -> String {
    if verdict.deviations == 0 { return "no deviation from first in, first out: the input or its timing is enough" }
    let rank = verdict.isMinimal ? "; no run with fewer deviations fails" : ""
    return """
      with \(Self.deviations(verdict.deviations)) from first in, first out\(rank)
        (a deviation runs an item before those that wait longer)
      """
  }

  /// Returns the number of deviations as text.
  static func deviations(_ count: Int) -> String {
    count == 0 ? "no deviation" : count.counted("deviation")
  }

  private func bound(_ verdict: LessonVerdict) -> String {
    let bound = verdict.bound ?? ""
    return verdict.isEverything ? bound : "\(bound), and in others (\(verdict.schedules) in all)"
  }

  /// Replays the failure on the repaired program, then searches the repaired program for failures.
  func checked() throws -> ExitCode {
    wrap(
      "This checks our repair, not your file; `fetcher lesson solve \(lesson.id)` judges your file.")
    output.line()
    let token = lesson.token
    guard let failure = try entry.broken.replay(token) else {
      output.line(style(.red, "✗ the broken variant passes in the order of `lesson break`: it has been changed"))
      return .failed
    }
    output.line("broken  fails in the order of `lesson break`")
    output.line("        \(failure.finding.message)")
    if let failure = try entry.fixed.replay(token, loosely: true) {
      output.line(style(.red, "✗ repair fails in the same order: \(failure.finding.message)"))
      return .failed
    }
    output.line("repair  passes in the same order")
    let verdict = LessonVerdict(judging: entry.fixed)
    explain(verdict)
    return verdict.isSolved ? .success : .failed
  }

  private func next() {
    output.line()
    let file = folder.editedFile(of: lesson)
    if folder.isInstalled, !FileManager.default.fileExists(atPath: file.path) {
      return output.line("Next: `fetcher lesson start \(lesson.id)`, in the folder for your version")
    }
    output.line("Next: edit \(visible(folder.path(file))),")
    output.line("then `fetcher lesson solve \(lesson.id)`")
  }

  private func section(_ heading: String) {
    output.line()
    output.line(style(.bold, heading))
    for (index, paragraph) in text.paragraphs(heading).enumerated() {
      if index > 0 { output.line() }
      wrap(paragraph)
    }
  }

  private func indented(_ paragraph: String) {
    for row in paragraph.wrapped(to: Self.width - 2) { output.line("  " + row) }
  }

  private func wrap(_ paragraph: String) {
    for line in paragraph.split(separator: "\n") {
      for row in String(line).wrapped(to: Self.width) { output.line(row) }
    }
  }
}

extension String {
  /// A table of a schedule without the parts for tokens, which the lessons do not explain.
  fileprivate var withoutTokens: String {
    replacing(/(?m)(; the token stores this as .*|^(\*.*) {2}[0-9]+:[0-9]+)$/) { String($0.2 ?? "") }
  }
}
