import EventBus
public import Foundation

/// The temporary directory of this process alone.
///
/// On Linux a download task never deletes its file, and one that fails does not even say where it is. The only way to
/// find such files is to let them appear where nothing else does: an application calls ``install()`` first thing in
/// `main`, before any session exists and before other threads read the environment. Without that call failed downloads
/// leave files in the common temporary directory.
///
/// Nothing distinguishes the files of running downloads from those of failed ones, so stale files stay as long as downloads overlap
/// without a break.
public enum PrivateTemporaryDirectory {
  private struct State {
    var directory: URL?
    var isRemoved = false
    var downloads = 0
    var begun = 0
    /// Whether a download has ended since the last removal and left its file.
    var isLittered = false
  }
  private static let state = Locked(State())
  /// Before the name of a directory that is not locked yet.
  private static let hidden = ".new-"
  /// After the name of a directory that is being removed.
  private static let removed = ".removed"

  /// The directory, once installed.
  public static var url: URL? { state.withLock { $0.directory } }

  /// Makes a directory for this process and its user alone under the temporary directory and points `TMPDIR` to it.
  ///
  /// Idempotent; threads that call it at once get one directory.
  ///
  /// - Returns: the directory, or nil when it cannot be made; everything then works as before.
  @discardableResult public static func install() -> URL? {
    state.withLock { state in
      if let directory = state.directory { return directory }
      let name = "\(hidden)fetcher-\(ProcessInfo.processInfo.processIdentifier)-XXXXXX"
      var path = Array(FileManager.default.temporaryDirectory.appendingPathComponent(name).path.utf8CString)
      guard let made = mkdtemp(&path).map({ String(cString: $0) }) else { return nil }
      // Locked until the process ends, and renamed only then: a process that removes stale directories finds it locked.
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

  /// Removes the unlocked directories: their processes were killed.
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

  /// Counts a download in, so that no removal takes its file.
  static func downloadBegins() {
    // A task that was cancelled may have written its file after its end.
    removeTemporaryFiles()
    state.withLock { state in
      state.downloads += 1
      state.begun += 1
      // Foundation traps if the directory is gone. Under the lock, because `remove` must not run between the test and the call.
      if state.downloads == 1, !state.isRemoved, let directory = state.directory { mkdir(directory.path, 0o700) }
    }
  }

  /// Counts a download out. The last one removes the files, if it or one that overlapped with it `leavesFile`.
  static func downloadEnds(leavesFile: Bool) {
    let isDue = state.withLock { state in
      state.downloads -= 1
      state.isLittered = state.isLittered || leavesFile
      return state.downloads == 0 && state.isLittered
    }
    if isDue { removeTemporaryFiles() }
  }

  /// Deletes what stale downloads left. Does nothing while a download is in flight. Any thread; touches the disk.
  public static func removeTemporaryFiles() {
    let (directory, begun) = state.withLock { ($0.downloads == 0 ? $0.directory : nil, $0.begun) }
    guard let directory,
      let files = try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
    else { return }
    // A download that began meanwhile may own a file of the list; then a later removal deletes it.
    let isAlone = state.withLock { state in
      if state.begun == begun { state.isLittered = false }
      return state.begun == begun
    }
    guard isAlone else { return }
    for file in files where file.pathExtension == "tmp" { try? FileManager.default.removeItem(at: file) }
  }

  /// Deletes the directory and its contents, for the end of the process. Also from a signal's handler queue.
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
