#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file or folder, closed when it is released.
final class Descriptor: Sendable {
  let number: Int32

  /// Owns the descriptor that `open` returned. Returns nil for a failure, with the reason in `errno`.
  init?(_ opened: Int32) throws(NoDescriptor) {
    guard opened >= 0 else {
      if [EMFILE, ENFILE, ENOMEM].contains(errno) { throw NoDescriptor() }
      return nil
    }
    number = opened
  }

  deinit { close(number) }
}

/// The file may exist, but the process or the system has too many open files.
struct NoDescriptor: Error {}

/// Calls a function of the C library with a path or name that may not be UTF-8.
func withPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { body($0.baseAddress!) }
}

/// The path without symbolic links and dots, or nil if it does not exist. It may not be UTF-8.
func resolvedPath(_ path: [UInt8]) -> [UInt8]? {
  guard let resolved = withPath(path, { realpath($0, nil) }) else { return nil }
  defer { free(resolved) }
  return UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)).map(\.self)
}

/// A regular file open for reading.
struct OpenFile: Sendable {
  let size: Int
  private let descriptor: Descriptor

  /// Opens the file at a path. Returns nil if it is not a readable regular file.
  init?(path: [UInt8]) throws(NoDescriptor) {
    guard let descriptor = try Descriptor(withPath(path) { open($0, Self.flags) }) else { return nil }
    self.init(descriptor)
  }

  /// Returns nil if it is not a regular file.
  init?(_ descriptor: Descriptor) {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.descriptor = descriptor
    size = Int(status.st_size)
  }

  /// Without O_NONBLOCK, opening a pipe would wait for a writer.
  static let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY

  /// Returns the number of bytes read. A smaller number than requested means that the file ended or failed.
  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    var done = 0
    while done < buffer.count {
      let count = pread(descriptor.number, buffer.baseAddress! + done, buffer.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      done += count
    }
    return done
  }
}
