import EventBus
public import Foundation

/// The temporary directory of this process.
///
/// On Linux, a download task never deletes its file, and a failed task does not report the file's path. In a private
/// directory, leftover files are easy to find, because every file there comes from a download. An application must call
/// ``install()`` at the start of `main`, before creating a session and before other threads read the environment.
/// Without a call to ``install()``, failed downloads leave files in the shared temporary directory.
///
/// The files of running and failed downloads are indistinguishable. Stale files therefore remain while any download is
/// running.
public enum PrivateTemporaryDirectory {
  private struct State {
    var directory: URL?
    var isRemoved = false
    var downloads = 0
    var begun = 0
    /// Whether a download has ended and left its file behind since the last removal.
    var isLittered = false
  }
  private static let state = Locked(State())
  /// The name prefix of a directory that is not locked yet.
  private static let hidden = ".new-"
  /// The name suffix of a directory that is being removed.
  private static let removed = ".removed"

  /// The private directory, or nil before ``install()`` is called.
  public static var url: URL? { state.withLock { $0.directory } }

  /// Creates a directory for this process and its user inside the temporary directory, and sets `TMPDIR` to its path.
  ///
  /// Idempotent. Concurrent calls all return the same directory.
  ///
  /// - Returns: the directory, or nil if it cannot be created. In that case, downloads use the common temporary
  ///   directory.
  @discardableResult public static func install() -> URL? {
    state.withLock { state in
      if let directory = state.directory { return directory }
      let name = "\(hidden)fetcher-\(ProcessInfo.processInfo.processIdentifier)-XXXXXX"
      var path = Array(FileManager.default.temporaryDirectory.appendingPathComponent(name).path.utf8CString)
      guard let made = mkdtemp(&path).map({ String(cString: $0) }) else { return nil }
      // The lock is held until the process exits. The lock is taken before the rename, so a process that removes stale
      // directories always finds this one locked.
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

  /// Removes unlocked directories, which belonged to processes that were killed.
  private static func removeStaleDirectories(in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    let form = /fetcher-\d+-\w{6}(\.removed)?/
    for name in names where name.wholeMatch(of: form) != nil {
      let path = parent + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0, status.st_uid == getuid() else { continue }
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(atPath: path) }
      close(descriptor)
    }
  }

  /// Counts a download as running, so its file cannot be removed.
  static func downloadBegins() {
    // A cancelled task may have written its file after it ended.
    removeTemporaryFiles()
    state.withLock { state in
      state.downloads += 1
      state.begun += 1
      // Foundation traps if the directory is missing. Hold the lock, so that `remove` cannot run between the test and
      // `mkdir`.
      if state.downloads == 1, !state.isRemoved, let directory = state.directory { mkdir(directory.path, 0o700) }
    }
  }

  /// Counts a download as ended. If no other download is running, deletes the leftover files, provided that
  /// `leavesFile` was true for any of the overlapping downloads.
  static func downloadEnds(leavesFile: Bool) {
    let isDue = state.withLock { state in
      state.downloads -= 1
      state.isLittered = state.isLittered || leavesFile
      return state.downloads == 0 && state.isLittered
    }
    if isDue { removeTemporaryFiles() }
  }

  /// Deletes the files that earlier downloads left behind. Does nothing while a download is in flight. You can call
  /// this method from any thread, but it accesses the disk.
  public static func removeTemporaryFiles() {
    let (directory, begun) = state.withLock { ($0.downloads == 0 ? $0.directory : nil, $0.begun) }
    guard let directory,
      let files = try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
    else { return }
    // A download that started after `begun` was read may own one of the listed files. In that case, a later removal
    // deletes the files.
    let isAlone = state.withLock { state in
      if state.begun == begun { state.isLittered = false }
      return state.begun == begun
    }
    guard isAlone else { return }
    for file in files where file.pathExtension == "tmp" { try? FileManager.default.removeItem(at: file) }
  }

  /// Deletes the directory and its contents. Call this method when the process is about to exit. You can call it on the
  /// queue that handles signals.
  ///
  /// Afterwards, a download in flight may trap in Foundation because its directory is gone.
  public static func remove() {
    guard
      let directory = state.withLock({ state in
        state.isRemoved = true
        return state.directory
      })
    else { return }
    // Once the directory is renamed, running downloads cannot create files in it during the removal.
    let renamed = directory.path + removed
    rename(directory.path, renamed)
    try? FileManager.default.removeItem(atPath: renamed)
  }
}
