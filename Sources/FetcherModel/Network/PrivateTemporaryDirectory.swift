import EventBus
public import Foundation

/// The temporary directory of this process.
///
/// On Linux, a download task never deletes its file, and a failed task does not report the file's path. In a private
/// directory, leftover files are easy to find, because every file there comes from a download. Foundation creates the
/// files in the directory that `TMPDIR` names, and a library must not change the environment of its process. Therefore,
/// an application creates the directory at the start of `main`, before it creates a session and before other threads
/// read the environment:
///
/// ```swift
/// if let directory = PrivateTemporaryDirectory.create() { setenv("TMPDIR", directory.path, 1) }
/// ```
///
/// Without this line, failed downloads leave files in the shared temporary directory.
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
    /// The reason why the last download that could not store its file was refused.
    var refusal: NetworkError?
  }
  private static let state = Locked(State())
  /// The name prefix of a directory that is not locked yet.
  private static let hidden = ".new-"
  /// The name suffix of a directory that is being removed.
  private static let removed = ".removed"

  /// The private directory, or nil before ``create()`` is called.
  package static var url: URL? { state.withLock { $0.directory } }

  /// The path of the directory in which Foundation creates the files of downloads.
  static var path: String { FileManager.default.temporaryDirectory.path }

  /// Creates a directory for this process and its user inside the temporary directory.
  ///
  /// Idempotent. Concurrent calls all return the same directory.
  ///
  /// - Returns: the directory, or nil if it cannot be created. In that case, downloads use the common temporary
  ///   directory. A download that cannot create its file there fails with `transport(-3000)`. On Apple platforms, the
  ///   result is always nil: Foundation does not create files in the directory that `TMPDIR` names, and deletes them.
  public static func create() -> URL? {
    #if canImport(Darwin)
      return nil
    #else
      return createDirectory()
    #endif
  }

  private static func createDirectory() -> URL? {
    state.withLock { state in
      if let directory = state.directory { return directory }
      let name = "\(hidden)fetcher-\(ProcessInfo.processInfo.processIdentifier)-XXXXXX"
      var path = Array(FileManager.default.temporaryDirectory.appendingPathComponent(name).path.utf8CString)
      guard let made = mkdtemp(&path).map({ String(cString: $0) }) else { return nil }
      let directory = made.replacing(hidden, with: "", maxReplacements: 1)
      guard publish(made, as: directory) else { return nil }
      state.directory = URL(fileURLWithPath: directory, isDirectory: true)
      removeStaleDirectories(in: state.directory.map { $0.deletingLastPathComponent().path } ?? "/")
      return state.directory
    }
  }

  /// Locks a directory and gives it its name, or removes it if that fails.
  private static func publish(_ made: String, as directory: String) -> Bool {
    // The lock is held until the process exits. The lock is taken before the rename, so a process that removes stale
    // directories always finds this one locked.
    _ = flock(open(made, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), LOCK_EX)
    guard rename(made, directory) != 0 else { return true }
    rmdir(made)
    return false
  }

  /// Removes unlocked directories, which belonged to processes that were killed.
  private static func removeStaleDirectories(in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    // The prefix is cheap to compare. A temporary directory can have thousands of other names.
    for name in names
    where name.hasPrefix("fetcher-") && name.wholeMatch(of: /fetcher-\d+-\w{6}(\.removed)?/) != nil {
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
    }
  }

  /// The error of the last download that was refused because its file could not be stored, or nil.
  package static var refusal: FetchError? { state.withLock { $0.refusal }?.asFetchError }

  /// Returns the error for a download that cannot store a body of up to `bytes` bytes, or nil if it can.
  ///
  /// Foundation on Linux traps if it cannot create or write the file of a download. This method detects the causes that
  /// exist before the download starts. If another program has removed the private directory, it creates the directory
  /// again.
  static func refusal(of bytes: Int) -> NetworkError? {
    let refusal = obstacle(to: bytes)
    if refusal != nil { state.withLock { $0.refusal = refusal } }
    return refusal
  }

  /// The number of bytes by which a body can exceed its limit before Foundation handles the cancellation of its task.
  /// In tests, it was 0.3 MB.
  private static let excess = Double(4 << 20)

  private static func obstacle(to bytes: Int) -> NetworkError? {
    restoreDirectory()
    let folder = path
    let file = "\(folder)/\(UUID().uuidString).tmp"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return .cannotCreateFile }
    // An empty file fits on a full disk.
    let isWritten = write(descriptor, file, 1) == 1
    close(descriptor)
    unlink(file)
    var disk = statvfs()
    let needed = Double(bytes) + excess
    guard isWritten, Double(largestFile) >= needed, statvfs(folder, &disk) == 0,
      Double(disk.f_bavail) * Double(disk.f_frsize) >= needed
    else { return .cannotWriteFile }
    return nil
  }

  /// Creates the private directory again if it is missing.
  private static func restoreDirectory() {
    // Hold the lock, so that `remove` cannot run between the test and the creation.
    state.withLock { state in
      guard !state.isRemoved, let directory = state.directory, access(directory.path, F_OK) != 0 else { return }
      let made = directory.deletingLastPathComponent().path + "/" + hidden + directory.lastPathComponent
      if mkdir(made, 0o700) == 0 { _ = publish(made, as: directory.path) }
    }
  }

  /// The length of the largest file that the process may write, in bytes.
  private static var largestFile: UInt64 {
    var limits = rlimit()
    #if canImport(Glibc)
      let result = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
    #else
      let result = getrlimit(RLIMIT_FSIZE, &limits)
    #endif
    return result == 0 ? UInt64(limits.rlim_cur) : .max
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
  package static func removeTemporaryFiles() {
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

  /// The maximum number of attempts to remove the directory. An attempt fails if a thread creates a file meanwhile.
  private static let mostRemovals = 100

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
    // Once the directory is renamed, no download finds it. One that found it before may still create a file during the
    // removal, which then fails.
    let renamed = directory.path + removed
    rename(directory.path, renamed)
    for _ in 0..<mostRemovals where access(renamed, F_OK) == 0 { try? FileManager.default.removeItem(atPath: renamed) }
  }
}
