package import Foundation
import Scheduling

/// Writes files atomically, so that a name never refers to a partial file. The executable writes all its files with
/// this type. It is safe to use on any thread, and it blocks the thread during disk access.
///
/// The writer writes the bytes to a temporary file in the same folder, syncs the file, and finally renames it. It locks
/// the temporary file, and the system releases the lock if the process dies. The next process that writes into the
/// folder removes unlocked temporary files.
package final class FileWriter: Sendable {
  private struct State {
    var isClosed = false
    /// The paths of the temporary files that are being written.
    var unfinished: Set<String> = []
    /// The folders from which the temporary files of dead processes have been removed.
    var cleaned: Set<String> = []
  }

  /// The shared writer, one per process.
  package static let shared = FileWriter()

  private let state = Locked(State())
  /// A closure that is called after the bytes are on disk and before the file is renamed.
  private let willRename: @Sendable () -> Void

  package init(willRename: @escaping @Sendable () -> Void = {}) { self.willRename = willRename }

  /// Writes a file atomically.
  ///
  /// - Parameters:
  ///   - replacing: Whether to replace an existing file or link. The target of a link is never replaced.
  ///   - prepare: A closure that is called with the path of the temporary file, for example to set attributes.
  /// - Throws: a `POSIXError`, which is `EEXIST` if the name is taken. A failure leaves the existing file unchanged.
  package func write(
    _ bytes: Data, to file: URL, replacing: Bool, preparing prepare: (_ temporary: String) -> Void = { _ in }
  ) throws {
    let folder = file.deletingLastPathComponent()
    removeStaleFiles(in: folder)
    let temporary = try create(in: folder)
    defer {
      state.withLock { _ = $0.unfinished.remove(temporary.path) }
      Foundation.close(temporary.descriptor)
    }
    do {
      prepare(temporary.path)
      try Self.fill(temporary.descriptor, with: bytes, modeOf: replacing ? file.path : nil)
      willRename()
      // Rename under the lock, so that the process exits either before or after the rename, not during it.
      try state.withLock { state in
        guard !state.isClosed else { throw POSIXError(.ECANCELED) }
        try Self.rename(temporary.path, to: file.path, replacing: replacing)
      }
    } catch {
      unlink(temporary.path)
      throw error
    }
  }

  /// Writes to a path that the user named. This method follows links, and writes directly to a device or a pipe.
  package func replace(_ bytes: Data, at path: String) throws {
    var status = stat()
    let isOrdinary = stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    guard isOrdinary, !path.hasPrefix("/dev/"), !path.hasPrefix("/proc/") else {
      return try bytes.write(to: URL(filePath: path))
    }
    var file = URL(filePath: path)
    // Resolve links here, because Foundation does not resolve a link to a missing file. The system rejects chains of
    // more than 40 links.
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: file.path) else { break }
      file = URL(filePath: next, relativeTo: file.deletingLastPathComponent()).absoluteURL
    }
    try write(bytes, to: file, replacing: true)
  }

  /// Removes unfinished files and makes all further writes fail. Call this method before the process exits.
  package func close() {
    state.withLock { state in
      state.isClosed = true
      for path in state.unfinished { unlink(path) }
    }
  }

  private func create(in folder: URL) throws -> (descriptor: Int32, path: String) {
    while true {
      let path = folder.appending(path: Self.prefix + UUID().uuidString + Self.suffix).path
      let descriptor = try state.withLock { state in
        guard !state.isClosed else { throw POSIXError(.ECANCELED) }
        let descriptor = try check(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666))
        state.unfinished.insert(path)
        return descriptor
      }
      var status = stat()
      // Another process may have removed the file before it was locked.
      if flock(descriptor, LOCK_EX) != 0 || fstat(descriptor, &status) != 0 || status.st_nlink > 0 {
        return (descriptor, path)
      }
      state.withLock { _ = $0.unfinished.remove(path) }
      Foundation.close(descriptor)
    }
  }

  private static func fill(_ descriptor: Int32, with bytes: Data, modeOf former: String?) throws {
    var status = stat()
    if let former, lstat(former, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      _ = fchmod(descriptor, status.st_mode & 0o777)
    }
    try bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        rest = rest.dropFirst(try check(count))
      }
    }
    try check(fsync(descriptor))
  }

  private static func rename(_ path: String, to name: String, replacing: Bool) throws {
    if replacing {
      try check(Foundation.rename(path, name))
    } else if link(path, name) == 0 {
      unlink(path)
    } else if errno == EPERM || errno == EOPNOTSUPP {
      try check(renameWithoutReplacing(path, name))
    } else {
      try check(-1)
    }
  }

  /// The fallback for file systems without hard links, such as FAT. It looks up `renameat2` at run time, because
  /// Swift's module for the C library does not declare it.
  private static func renameWithoutReplacing(_ path: String, _ name: String) -> Int32 {
    typealias Rename = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    let noReplace: UInt32 = 1
    guard let symbol = dlsym(nil, "renameat2") else { return -1 }
    return unsafeBitCast(symbol, to: Rename.self)(AT_FDCWD, path, AT_FDCWD, name, noReplace)
  }
}

extension FileWriter {
  private static let prefix = ".fetcher-"
  private static let suffix = ".part"

  /// Removes temporary files that no process has locked. It examines each folder only once.
  package func removeStaleFiles(in folder: URL) {
    guard state.withLock({ $0.cleaned.insert(folder.path).inserted }),
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    else { return }
    for name in names where name.hasPrefix(Self.prefix) && name.hasSuffix(Self.suffix) {
      let isOurs = UUID(uuidString: String(name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count))) != nil
      let path = folder.appending(path: name).path
      let descriptor = isOurs ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
      Foundation.close(descriptor)
    }
  }
}

/// Returns the result of a system call, or throws its error.
///
/// - Throws: the system's error if the result is negative.
@discardableResult private func check<Number: SignedInteger>(_ result: Number) throws -> Number {
  guard result < 0 else { return result }
  throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO)
}
