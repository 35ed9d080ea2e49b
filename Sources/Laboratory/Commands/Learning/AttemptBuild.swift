import CommandLineTool
import EventBus
import Foundation
import Lessons
import PlainText
import ScenarioEngine
import ScenarioFormat

/// Compiles a learner's file together with the lesson's stage, and runs the executable to judge the file.
struct AttemptBuild: Sendable {
  /// The result of an attempt.
  enum Result: Sendable {
    /// The file uses a forbidden construct. The message names the line.
    case refused(String)
    /// The file does not compile. The text contains the compiler's diagnostics.
    case doesNotCompile(String)
    /// The compiled program crashed or did not terminate.
    case crashed(String, printed: Data)
    case judged(LessonVerdict, printed: Data)
  }

  private static let limit = Duration.seconds(60)
  /// The number of bytes to keep of what the program prints.
  private static let maximumPrinted = 1 << 16
  private static let modules = [
    "Scheduling", "PlainText", "SeededNumbers", "EventBus", "VirtualTime", "ScheduleExplorer", "Lessons",
  ]
  private static let features = ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"]

  let shutdown: Shutdown
  /// The folder with the modules of the stage: the build folder of the executable, or the installed copy.
  let products: URL

  /// - Throws: a failure with code 4 if the executable is neither in its build folder nor installed with the modules.
  init(_ shutdown: Shutdown) throws(CommandFailure) {
    self.shutdown = shutdown
    let executable = try ChildProcess.ofThisExecutable(shutdown).executable
    let folder = executable.resolvingSymlinksInPath().deletingLastPathComponent()
    if FileManager.default.fileExists(atPath: folder.appending(path: "Modules").path) {
      products = folder
    } else if let installed = try? ResourceLocator.ofProcess.folder("lesson-modules") {
      products = installed
    } else {
      throw .cannotStart(
        "cannot compile your file, because the modules of the lessons are missing: install fetcher again with `bash Scripts/install`, or run it in the checkout, with `swift run fetcher`"
      )
    }
  }

  /// Compiles the file and runs it against the lesson's stage, which judges it.
  ///
  /// - Parameter seed: the seed of the generated runs.
  /// - Throws: a failure with code 4 if the file cannot be read, for example because an editor has saved only a part of
  ///   it.
  func run(_ file: URL, of lesson: Lesson, seed: UInt64) async throws -> Result {
    if let refusal = ForbiddenCalls.complaint(in: try Self.code(file), isPlain: lesson.isPlain) {
      return .refused(refusal)
    }
    return try await judge(file, of: lesson, seed: seed)
  }

  /// Compiles and judges a file, whatever it calls.
  func judge(_ file: URL, of lesson: Lesson, seed: UInt64) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "attempt-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Skip the removal while the process is exiting, because the shutdown removes the enclosing folder at the same
    // time.
    let isLeaving = Locked(false)
    let key = shutdown.atEnd { isLeaving.withLock { $0 = true } }
    defer {
      isLeaving.withLock { if !$0 { try? FileManager.default.removeItem(at: folder) } }
      shutdown.forget(key)
    }
    let main = folder.appending(path: "main.swift")
    try Data(Self.entryPoint(of: lesson).utf8).write(to: main)
    let (object, attempt) = (folder.appending(path: "attempt.o"), folder.appending(path: "attempt"))
    let compiler = ChildProcess(executable: URL(filePath: "/bin/sh"), shutdown: shutdown, hasChildren: true)
    // The compiler's temporary files are in the folder, because the private directory of this process is emptied when an
    // environment shuts down.
    let script = #"export TMPDIR="$0"; exec "$@" 2>&1"#
    let compile = { (words: [String]) in try await compiler.run(["-c", script, folder.path, "swiftc"] + words) }
    var built = try await compile(compilation([file, main], object))
    if built.end == .exited(0) {
      let words = try linking(object, attempt, in: folder)
      built = try await compile(words)
      // Once, on a busy machine, the compiler's driver linked without the libraries of the toolchain, for an unknown reason. If
      // the code is the cause, the second link fails as well.
      if built.end == .exited(1) { built = try await compile(words) }
    }
    // The shell's code for a command that it does not find.
    if built.end == .exited(127) {
      throw CommandFailure.cannotStart(
        "`lesson solve` compiles your file with swiftc, which is not in PATH: install a Swift toolchain from https://www.swift.org/install"
      )
    }
    guard built.end == .exited(0) else {
      return .doesNotCompile(Self.diagnostics(String(decoding: built.output, as: UTF8.self)))
    }
    // The report has a dedicated descriptor, because the standard output belongs to the learner's code. The proof of a
    // solution is passed on a pipe, because arguments and the environment are visible to that code.
    let report = folder.appending(path: "report")
    let proof = Self.makeProof()
    let outcome = try await ChildProcess(executable: URL(filePath: "/bin/sh"), shutdown: shutdown)
      .run(
        ["-c", "exec \"$0\" \(LessonAttempt.descriptor)>\"$1\"", attempt.path, report.path],
        input: Data("\(proof) \(seed)\n".utf8), limit: Self.limit, keeping: Self.maximumPrinted,
        keepingErrors: Self.maximumPrinted)
    let crash = CrashReport(String(decoding: outcome.errors, as: UTF8.self), of: file)
    let printed = outcome.output + Data(crash.rest.utf8)
    switch outcome.end {
    case .exited(0):
      let data = (try? Data(contentsOf: report)) ?? Data()
      guard let verdict = LessonReport.verdict(in: data, proof: proof) else {
        return .crashed("your version ended the process before the search was complete", printed: printed)
      }
      return .judged(verdict, printed: printed)
    case .overdue:
      return .crashed(
        "your version did not finish within \(Self.limit): something blocks the thread", printed: printed)
    case .exited, .signal: return .crashed(crash.message ?? "your version \(outcome.end)", printed: printed)
    }
  }

  /// Returns the code that starts the judge. Each name has its module, because the learner's file may declare the same
  /// names.
  private static func entryPoint(of lesson: Lesson) -> String {
    let program = "Attempt::\(lesson.program)"
    let conformance = lesson.isPlain ? "extension \(program): Lessons::\(lesson.id).Program {}\n\n" : ""
    return """
      import Lessons

      \(conformance)Lessons::LessonAttempt.Lessons::main(Lessons::\(lesson.id).Lessons::play(\(program).self))

      """
  }

  private static func makeProof() -> String {
    var numbers = SystemRandomNumberGenerator()
    return [numbers.next(), numbers.next()].map { String($0, radix: 16) }.joined(separator: "-")
  }

  private static func code(_ file: URL) throws(CommandFailure) -> String {
    let data: Data
    do { data = try Data(contentsOf: file) } catch {
      throw .cannotStart("cannot read \(visible(file.path)): \(FileFailure.reason(error))")
    }
    guard let code = String(validating: data, as: UTF8.self) else {
      throw .cannotStart("\(visible(file.path)) is not UTF-8 text; save the file as UTF-8")
    }
    return code
  }

  private func compilation(_ files: [URL], _ object: URL) -> [String] {
    var words = ["-g", "-swift-version", "6", "-suppress-warnings", "-module-name", "Attempt", "-wmo", "-c"]
    words += ["-I", products.appending(path: "Modules").path, "-o", object.path]
    #if os(Linux)
      words += SwitchPointCode.options
    #endif
    return words + Self.features.flatMap { ["-enable-upcoming-feature", $0] } + files.map(\.path)
  }

  private func linking(_ object: URL, _ result: URL, in folder: URL) throws -> [String] {
    let objects = try Self.modules.flatMap { module in
      // Use the package manager's list of object files, because the folder may still contain objects of deleted
      // sources. In this list, an empty name stands for the whole module.
      let folder = products.appending(path: "\(module).build")
      let list = try Data(contentsOf: folder.appending(path: "output-file-map.json"))
      return try JSONDecoder().decode([String: [String: String]].self, from: list).compactMap {
        $0.isEmpty ? nil : $1["object"]
      }
      .map { folder.appending(path: URL(filePath: $0).lastPathComponent).path }.sorted()
    }
    // The learner's object is the last one. Of equal functions, the linker then takes one without points.
    var words = objects + [object.path, "-o", result.path]
    #if os(Linux)
      words += try SwitchPointCode.write(to: folder)
    #endif
    return words
  }

  /// Removes the compiler driver's messages about its own jobs.
  private static func diagnostics(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("error: fatalError") && !$0.hasPrefix("error: emit-module command failed") }
      .joined(separator: "\n").trimmingCharacters(in: .newlines)
  }
}
