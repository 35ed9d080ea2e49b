import EventBus
public import Foundation

/// The temporary directory of this process.
///
/// On Linux, a download task never deletes its file, and a failed task does not report its path. A private directory
/// makes these files easy to
/// find: all of its files are stale downloads. An application calls ``install()`` first in `main`, before any session
/// exists and before other
/// threads read the environment. Without that call, failed downloads leave files in the common temporary directory.
///
/// Running and failed downloads have indistinguishable files. So stale files stay while downloads overlap without a
/// break.
public enum PrivateTemporaryDirectory {
  private struct State {
    var directory: URL?
    var isRemoved = false
    var downloads = 0
    var begun = 0
    /// Whether a download has ended and left its file since the last removal.
    var isLittered = false
  }
  private static let state = Locked(State())
  /// The prefix of a directory that is not locked yet.
  private static let hidden = ".new-"
  /// The suffix of a directory that is being removed.
  private static let removed = ".removed"

  /// The directory, or nil before ``install()``.
  public static var url: URL? { state.withLock { $0.directory } }

  /// Creates a directory for this process and its user under the temporary directory, and points `TMPDIR` to it.
  ///
  /// Idempotent. Concurrent calls return the same directory.
  ///
  /// - Returns: the directory, or nil if it cannot be created. Downloads then use the common temporary directory.
  @discardableResult public static func install() -> URL? {
    state.withLock { state in
      if let directory = state.directory { return directory }
      let name = "\(hidden)fetcher-\(ProcessInfo.processInfo.processIdentifier)-XXXXXX"
      var path = Array(FileManager.default.temporaryDirectory.appendingPathComponent(name).path.utf8CString)
      guard let made = mkdtemp(&path).map({ String(cString: $0) }) else { return nil }
      // The lock lasts until the process ends, and precedes the rename: a process that removes stale directories
      // finds it locked.
      _ = flock(open(made, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), LOCK_EX)
      let directory = made.replacing(hidden, with: "", maxReplacements: 1)
      guard rename(made, directory) == 0 else {
        rmdir(made)
        return nil
      }
      setenv("TMPDIR", directory, 1)
      state.directory = URL(fileURLWithPath: directory, isDirectory: true)
      removeStaleDirectories(in: state.directory.map { $0.deletingLastPathComponent().path } ?? "/")
      return state.directory
    }
  }

  /// Removes unlocked directories, whose processes were killed.
  private static func removeStaleDirectories(in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.wholeMatch(of: /fetcher-\d+-\w{6}(\.removed)?/) != nil {
      let path = parent + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0, status.st_uid == getuid() else { continue }
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(atPath: path) }
      close(descriptor)
    }
  }

  /// Counts a download as running, so that no removal deletes its file.
  static func downloadBegins() {
    // A cancelled task may have written its file after its end.
    removeTemporaryFiles()
    state.withLock { state in
      state.downloads += 1
      state.begun += 1
      // Foundation traps if the directory is missing. The lock keeps `remove` from running between the test and the
      // call.
      if state.downloads == 1, !state.isRemoved, let directory = state.directory { mkdir(directory.path, 0o700) }
    }
  }

  /// Counts a download as ended. The last one deletes the files, if it or an overlapping download has set `leavesFile`.
  static func downloadEnds(leavesFile: Bool) {
    let isDue = state.withLock { state in
      state.downloads -= 1
      state.isLittered = state.isLittered || leavesFile
      return state.downloads == 0 && state.isLittered
    }
    if isDue { removeTemporaryFiles() }
  }

  /// Deletes the files of stale downloads. Does nothing while a download is in flight. Any thread; accesses the disk.
  public static func removeTemporaryFiles() {
    let (directory, begun) = state.withLock { ($0.downloads == 0 ? $0.directory : nil, $0.begun) }
    guard let directory,
      let files = try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
    else { return }
    // A download that started meanwhile may own a listed file. A later removal deletes it.
    let isAlone = state.withLock { state in
      if state.begun == begun { state.isLittered = false }
      return state.begun == begun
    }
    guard isAlone else { return }
    for file in files where file.pathExtension == "tmp" { try? FileManager.default.removeItem(at: file) }
  }

  /// Deletes the directory with its contents, at the end of the process. A signal handler's queue can call it.
  ///
  /// A download in flight may trap in Foundation afterwards, because its directory is gone.
  public static func remove() {
    guard
      let directory = state.withLock({ state in
        state.isRemoved = true
        return state.directory
      })
    else { return }
    // Under the new name, no running download can create a file while the removal is under way.
    let renamed = directory.path + removed
    rename(directory.path, renamed)
    try? FileManager.default.removeItem(atPath: renamed)
  }
}
