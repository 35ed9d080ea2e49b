import CommandLineTool
import EventBus
import Foundation
import Lessons
import PlainText
import ScenarioFormat

/// Judges a learner's file as it changes.
struct LessonAttempts {
  /// The polling interval. Polling is simpler than file notifications, whose API differs between systems. In addition,
  /// many editors replace the file when they save it.
  private static let pause = Duration.milliseconds(250)
  /// The maximum seed that `solve` chooses. A learner may have to type it.
  private static let maximumSeed: UInt64 = 9_999
  /// The number of printed lines to show, because the search repeats the program's output thousands of times.
  private static let maximumLines = 20

  private let lesson: Lesson
  private let file: URL
  private let pages: LessonPages
  private let progress: LessonProgressFile
  private let context: CommandContext
  private let build: AttemptBuild
  private let seed: UInt64?
  private var output: Output { context.output }

  /// - Parameters:
  ///   - file: the file to judge, or nil for the learner's file of the lesson.
  ///   - seed: the seed of the generated runs, or nil for another one each time.
  /// - Throws: a failure with code 4 if the executable cannot build the file, or if the lesson's file is not in a
  ///   checkout.
  init(
    _ lesson: Lesson, _ file: URL?, seed: Int?, _ pages: LessonPages, _ progress: LessonProgressFile,
    _ context: CommandContext
  ) throws(CommandFailure) {
    let edited = pages.folder.editedFile(of: lesson)
    if file == nil {
      _ = try pages.folder.code(.broken, of: lesson)
      guard FileManager.default.fileExists(atPath: edited.path) else {
        throw .cannotStart(
          "\(edited.path) does not exist: run `fetcher lesson start \(lesson.id)`, which writes it, or pass your file with --file"
        )
      }
    }
    let file = file ?? edited
    self.lesson = lesson
    self.file = file
    self.seed = seed.map(UInt64.init)
    self.pages = pages
    self.progress = progress
    self.context = context
    build = try AttemptBuild(context.shutdown)
  }

  /// Validates the file passed with `--file`.
  ///
  /// - Throws: a failure with code 4 if the path does not lead to a readable file.
  static func validate(_ file: URL) throws(CommandFailure) {
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw .cannotStart("--file: \(file.path) does not exist; choose a Swift file")
    }
    if ScenarioPaths.isFolder(file.path) { throw .cannotStart("--file: \(file.path) is a folder; choose a Swift file") }
    guard file.pathExtension == "swift" else {
      throw .cannotStart("--file: \(file.path) is not a Swift file; choose a file that ends with .swift")
    }
    guard FileManager.default.isReadableFile(atPath: file.path) else {
      throw .cannotStart("--file: \(file.path) cannot be read; change its permissions")
    }
  }

  /// Judges the current file. Returns whether the file solves the lesson.
  func solve() async throws -> Bool {
    let seed = seed ?? .random(in: 1...Self.maximumSeed)
    pages.remindOfUnchanged(file)
    switch try await build.run(file, of: lesson, seed: seed) {
    case .refused(let reason): output.line(output.style(.red, "✗ not allowed in \(file.lastPathComponent): ") + reason)
    case .doesNotCompile(let text): output.line(text)
    case .crashed(let reason, let printed):
      show(printed)
      output.line(output.style(.red, "✗ ") + reason)
    case .judged(let verdict, let printed):
      show(printed)
      guard verdict.isSolved else {
        try pages.solved(verdict, file, seed: seed, progress.read())
        return false
      }
      let progress = try progress.update { progress in
        progress.solve(lesson.id)
        return progress
      }
      try pages.solved(verdict, file, seed: seed, progress)
      return true
    }
    return false
  }

  /// Prints the first lines that the learner's code printed.
  private func show(_ printed: Data) {
    guard !printed.isEmpty else { return }
    let lines = LessonFolder.lines(String(decoding: printed, as: UTF8.self))
    output.line(output.style(.dim, "\(file.lastPathComponent) prints (the search runs it many times):"))
    // The output could otherwise hide the verdict, which follows it on the same terminal.
    for line in lines.prefix(Self.maximumLines) { output.line(String(shapes(of: String(line.prefix(200))))) }
    if lines.count > Self.maximumLines { output.line(output.style(.dim, "... (further output is omitted)")) }
    output.line()
  }

  /// Judges the file again after every change, until the process exits.
  func watch() async throws -> Never {
    var judged: Data?
    while true {
      // While an editor saves the file, it may be missing or empty.
      if let content = try? Data(contentsOf: file), !content.isEmpty, content != judged {
        judged = content
        do { _ = try await solve() } catch {
          // The file may be half saved, and the learner can still repair whatever failed.
          context.notes.complain((error as? CommandFailure)?.message ?? "\(error)")
        }
        output.line()
        output.line(output.style(.dim, "Save \(file.lastPathComponent) to judge it again, or press Ctrl-C to stop."))
      }
      await withCheckedContinuation { continuation in
        _ = DispatchRuntime.shared.workers.schedule(after: Self.pause) { continuation.resume() }
      }
    }
  }
}
