#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A regular file open for reading.
struct OpenFile: Sendable {
  let size: Int
  private let descriptor: Descriptor

  /// Opens the file at a path. Nil when there is no readable regular file.
  init?(path: [UInt8]) throws(NoDescriptor) {
    guard let descriptor = try Descriptor(withPath(path) { open($0, Self.flags) }) else { return nil }
    self.init(descriptor)
  }

  /// Nil when it is not a regular file.
  init?(_ descriptor: Descriptor) {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.descriptor = descriptor
    size = Int(status.st_size)
  }

  /// Without O_NONBLOCK, opening a pipe would wait for a writer.
  static let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY

  /// How many bytes it read; fewer than wanted means that the file ended or failed.
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
