import CommandLineTool
import Foundation
import PlainText
import ScenarioEngine
import ScenarioFormat

/// The file in the user's state folder that stores the progress. Several processes can use the file at the same time.
struct LessonProgressFile: Sendable {
  private struct Unusable: Error {
    let reason: String
  }

  private let file: URL
  private let note: @Sendable (String) -> Void

  /// - Parameters:
  ///   - environment: the environment variables. `XDG_STATE_HOME` names the state folder, which defaults to
  ///     `~/.local/state`.
  ///   - note: a closure that prints a note for the user.
  init(
    environment: [String: String] = ProcessInfo.processInfo.environment, note: @escaping @Sendable (String) -> Void
  ) {
    let given = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
    let home = FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/state")
    file = (given ?? home).appending(path: "swift-fetcher-lab/lessons.json")
    self.note = note
  }

  /// Returns the stored progress. If the file is unusable, this method prints a note and returns no progress.
  func read() -> LessonProgress {
    do { return try load() } catch {
      note(visible("cannot use your progress in \(file.path): \(error.reason). The file was not changed."))
      return LessonProgress()
    }
  }

  /// Changes the stored progress. A lock orders the changes of all processes, so that each change uses the latest
  /// progress.
  ///
  /// If the file is unusable, this method renames it, prints its new name, and starts without progress.
  ///
  /// - Throws: a failure with code 1 if the progress cannot be written.
  func update<Result>(_ change: (inout LessonProgress) -> Result) throws(CommandFailure) -> Result {
    // The note is printed after the lock is released, because its reader may be slow.
    var remark: String?
    defer { if let remark { note(visible(remark)) } }
    do {
      let folder = file.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // The lock is a separate file, because each write replaces the file with the progress.
      return try withLock(on: folder.appending(path: "lessons.lock")) {
        let former: LessonProgress
        do throws(Unusable) { former = try load() } catch {
          remark =
            "cannot use your progress in \(file.path): \(error.reason). The file is now \(try setAside().path), and your progress restarts."
          former = LessonProgress()
        }
        var progress = former
        let result = change(&progress)
        if progress != former {
          let encoder = JSONEncoder()
          encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
          try FileWriter.shared.replace(encoder.encode(progress), at: file.path)
        }
        return result
      }
    } catch {
      throw .failed("cannot write your progress to \(visible(file.path)): \(FileFailure.reason(error))")
    }
  }

  private func withLock<Result>(on lock: URL, _ body: () throws -> Result) throws -> Result {
    let failure = { POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
    let descriptor = open(lock.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure() }
    // Closing the descriptor releases the lock, and so does the end of the process.
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw failure() }
    }
    return try body()
  }

  /// Renames the file to an unused name.
  private func setAside() throws -> URL {
    var (number, status) = (1, stat())
    while true {
      let kept = file.deletingLastPathComponent().appending(path: "lessons-damaged-\(number).json")
      if lstat(kept.path, &status) != 0 {
        try FileManager.default.moveItem(at: file, to: kept)
        return kept
      }
      number += 1
    }
  }

  private func load() throws(Unusable) -> LessonProgress {
    var status = stat()
    guard stat(file.path, &status) == 0 else {
      if errno == ENOENT { return LessonProgress() }
      throw Unusable(reason: String(cString: strerror(errno)))
    }
    // Opening a pipe could block forever.
    guard status.st_mode & S_IFMT == S_IFREG else { throw Unusable(reason: "it is not a regular file") }
    let progress: LessonProgress
    do { progress = try JSONDecoder().decode(LessonProgress.self, from: Data(contentsOf: file)) } catch {
      throw Unusable(
        reason: error is DecodingError ? "it does not contain the progress of lessons" : FileFailure.reason(error))
    }
    if let id = progress.invalidLesson { throw Unusable(reason: "the number of hints for \(id) is negative") }
    return progress
  }
}
