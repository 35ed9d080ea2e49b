import Foundation

/// Explains why a file or folder could not be read or written.
package enum FileFailure {
  /// The system's message, because Foundation's message is often only a number.
  package static func reason(_ error: any Error) -> String {
    let error = error as NSError
    // On Linux, the cause may be a `POSIXError`, which must be converted to an `NSError`.
    let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? error
    guard cause.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(cause.code)))
  }

  /// The reason why a file could not be written, and how to resolve the problem if that is known.
  package static func reason(_ error: any Error, writing path: String) -> String {
    let folder = URL(filePath: path).deletingLastPathComponent()
    guard FileManager.default.fileExists(atPath: folder.path) else { return "create the folder \(folder.path) first" }
    return reason(error)
  }
}
