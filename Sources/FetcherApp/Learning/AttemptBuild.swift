import EventBus
import Foundation
import Lessons

/// Compiles a learner's file together with the lesson's stage, and runs the executable to judge the file.
struct AttemptBuild: Sendable {
  /// The result of an attempt.
  enum Result: Sendable {
    /// The file uses a forbidden construct. The message names the line.
    case refused(String)
    /// The file does not compile. The text contains the compiler's diagnostics.
    case doesNotCompile(String)
    /// The compiled program crashed or did not terminate.
    case crashed(String)
    case judged(LessonVerdict)
  }

  private static let limit = Duration.seconds(60)
  private static let modules = ["Scheduling", "Bytes", "EventBus", "VirtualTime", "ScheduleExplorer", "Lessons"]
  private static let features = ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"]

  let shutdown: Shutdown
  /// The build folder of the executable, which contains the modules of the stage.
  let products: URL

  /// - Throws: a failure with code 4 if the executable is not in its build folder.
  init(_ shutdown: Shutdown) throws(CommandFailure) {
    self.shutdown = shutdown
    let executable = try ChildProcess.ofThisExecutable(shutdown).executable
    products = executable.resolvingSymlinksInPath().deletingLastPathComponent()
    guard FileManager.default.fileExists(atPath: products.appending(path: "Modules").path) else {
      throw .cannotStart(
        "cannot compile your file, because this executable is not in its build folder: run it in the checkout, with `swift run fetcher`"
      )
    }
  }

  /// Compiles the file and runs it against the lesson's stage, which judges it.
  func run(_ file: URL, of lesson: Lesson) async throws -> Result {
    if let refusal = ForbiddenCalls.complaint(in: try String(contentsOf: file, encoding: .utf8)) {
      return .refused(refusal)
    }
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
    let code = "import Lessons\n\ntry LessonAttempt.main(\(lesson.id).play(\(lesson.program).self))\n"
    try Data(code.utf8).write(to: main)
    let attempt = folder.appending(path: "attempt")
    let compiler = ChildProcess(executable: URL(filePath: "/bin/sh"), shutdown: shutdown, hasChildren: true)
    let built = try await compiler.run(["-c", #"exec "$0" "$@" 2>&1"#] + compilation([file, main], attempt))
    guard built.end == .exited(0) else {
      return .doesNotCompile(Self.diagnostics(String(decoding: built.output, as: UTF8.self)))
    }
    let outcome = try await ChildProcess(executable: attempt, shutdown: shutdown).run([], limit: Self.limit)
    switch outcome.end {
    case .exited(0): return .judged(try JSONDecoder().decode(LessonVerdict.self, from: outcome.output))
    case .overdue: return .crashed("your version did not finish within \(Self.limit): something blocks the thread")
    case .exited, .signal: return .crashed("your version \(outcome.end)")
    }
  }

  private func compilation(_ files: [URL], _ result: URL) throws -> [String] {
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
    return [
      "swiftc", "-swift-version", "6", "-suppress-warnings", "-module-name", "Attempt", "-I",
      products.appending(path: "Modules").path, "-o", result.path,
    ] + Self.features.flatMap { ["-enable-upcoming-feature", $0] } + files.map(\.path) + objects
  }

  /// Removes the compiler driver's messages about its own jobs.
  private static func diagnostics(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("error: fatalError") && !$0.hasPrefix("error: emit-module command failed") }
      .joined(separator: "\n").trimmingCharacters(in: .newlines)
  }
}
