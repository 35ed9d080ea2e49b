#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file or folder, which is closed when this object is released.
final class Descriptor: Sendable {
  let number: Int32

  /// Takes ownership of the descriptor that `open` returned. Returns nil if `open` failed; `errno` then contains the
  /// reason.
  init?(_ opened: Int32) throws(NoDescriptor) {
    guard opened >= 0 else {
      if [EMFILE, ENFILE, ENOMEM].contains(errno) { throw NoDescriptor() }
      return nil
    }
    number = opened
  }

  deinit { close(number) }
}

/// The process or the system has too many open files, so a file that may exist cannot be opened.
struct NoDescriptor: Error {}

/// Passes a path or name that may not be valid UTF-8 to a C library function.
func withPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { body($0.baseAddress!) }
}

/// Returns the path without symbolic links and dots, or nil if it does not exist. The path may not be valid UTF-8.
func resolvedPath(_ path: [UInt8]) -> [UInt8]? {
  guard let resolved = withPath(path, { realpath($0, nil) }) else { return nil }
  defer { free(resolved) }
  return UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)).map(\.self)
}

/// A regular file that is open for reading.
struct OpenFile: Sendable {
  let size: Int
  private let descriptor: Descriptor

  /// Opens the file at a path. Returns nil if there is no readable regular file at the path.
  init?(path: [UInt8]) throws(NoDescriptor) {
    guard let descriptor = try Descriptor(withPath(path) { open($0, Self.flags) }) else { return nil }
    self.init(descriptor)
  }

  /// Returns nil if the descriptor does not refer to a regular file.
  init?(_ descriptor: Descriptor) {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.descriptor = descriptor
    size = Int(status.st_size)
  }

  /// The flags for opening a file. Without O_NONBLOCK, opening a pipe would wait for a writer.
  static let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY

  /// Returns the number of bytes read. If fewer bytes are read than requested, the file has ended or reading has
  /// failed.
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
