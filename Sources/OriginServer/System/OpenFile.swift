#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A regular file open for reading, closed when it is released.
final class OpenFile: Sendable {
  let size: Int
  private let descriptor: Int32

  /// Nil when there is no readable regular file.
  init?(path: [UInt8]) throws(NoDescriptor) {
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    let descriptor = withPath(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      if [EMFILE, ENFILE, ENOMEM].contains(errno) { throw NoDescriptor() }
      return nil
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// How many bytes it read; fewer than wanted means that the file ended or failed.
  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    var done = 0
    while done < buffer.count {
      let count = pread(descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      done += count
    }
    return done
  }
}

/// A file may be there, but the process or the system has too much open.
struct NoDescriptor: Error {}

/// The path without symbolic links and dots, or nil when it names nothing. It need not be UTF-8.
func resolvedPath(_ path: [UInt8]) -> [UInt8]? {
  guard let resolved = withPath(path, { realpath($0, nil) }) else { return nil }
  defer { free(resolved) }
  return UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)).map(\.self)
}

private func withPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { body($0.baseAddress!) }
}
