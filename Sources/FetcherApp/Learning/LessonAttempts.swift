import EventBus
import Foundation
import Lessons

/// A learner's versions of a program, as they stand in a file from time to time.
struct LessonAttempts {
  /// Between two looks at the file. Not a notification of the system: each has another interface, and editors replace the
  /// file as often as they write into it.
  private static let pause = Duration.milliseconds(250)

  private let lesson: Lesson
  private let file: URL
  private let pages: LessonPages
  private let output: Output
  private let build: AttemptBuild

  /// - Parameter file: the version to judge; nil for the one in the checkout.
  /// - Throws: a failure with code 4 where the file cannot be read, or nothing can be built.
  init(_ lesson: Lesson, _ file: URL?, _ pages: LessonPages, _ context: CommandContext) throws(CommandFailure) {
    if let file, !FileManager.default.isReadableFile(atPath: file.path) {
      throw .cannotStart("cannot read \(file.path), which --file names")
    }
    if file == nil { _ = try pages.folder.code(.broken, of: lesson) }
    let file = file ?? pages.folder.file(.broken, of: lesson)
    self.lesson = lesson
    self.file = file
    self.pages = pages
    output = context.output
    build = try AttemptBuild(context.shutdown)
  }

  /// Judges the file as it stands. Returns whether it solves the lesson.
  func solve() async throws -> Bool {
    switch try await build.run(file, of: lesson) {
    case .refused(let reason): output.line(output.style(.red, "✗ not allowed: ") + reason)
    case .doesNotCompile(let text): output.line(text)
    case .crashed(let reason): output.line(output.style(.red, "✗ ") + reason)
    case .judged(let verdict):
      var progress = LessonProgress()
      if verdict.isSolved { try progress.solve(lesson.id) }
      try pages.solved(verdict, progress)
      return verdict.isSolved
    }
    return false
  }

  /// Judges the file whenever its content is another one, until the process is ended.
  func watch() async throws -> Never {
    var judged: Data?
    while true {
      // While an editor saves it there may be none, or an empty one.
      if let content = try? Data(contentsOf: file), !content.isEmpty, content != judged {
        judged = content
        _ = try await solve()
        output.line()
        output.line(output.style(.dim, "Save \(file.lastPathComponent) to have it judged again; Ctrl-C ends."))
      }
      await withCheckedContinuation { continuation in
        _ = DispatchRuntime.shared.workers.schedule(after: Self.pause) { continuation.resume() }
      }
    }
  }
}
