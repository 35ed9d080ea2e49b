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

  /// Takes over what `open` returned. Nil for a failure, with the reason in `errno`.
  init?(_ opened: Int32) throws(NoDescriptor) {
    guard opened >= 0 else {
      if [EMFILE, ENFILE, ENOMEM].contains(errno) { throw NoDescriptor() }
      return nil
    }
    number = opened
  }

  deinit { close(number) }
}

/// A file may be there, but the process or the system has too much open.
struct NoDescriptor: Error {}

/// Calls a function of the C library with a path, or a name, that need not be UTF-8.
func withPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { body($0.baseAddress!) }
}

/// The path without symbolic links and dots, or nil when it names nothing. It need not be UTF-8.
func resolvedPath(_ path: [UInt8]) -> [UInt8]? {
  guard let resolved = withPath(path, { realpath($0, nil) }) else { return nil }
  defer { free(resolved) }
  return UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)).map(\.self)
}
