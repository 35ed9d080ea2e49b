import Foundation

/// Why a file or a folder could not be read or written.
package enum FileFailure {
  /// The reason in the words of the system, because those of Foundation are often no more than a number.
  package static func reason(_ error: any Error) -> String {
    let error = error as NSError
    // On Linux the cause may be a `POSIXError`, which is no `NSError` until it is asked to be one.
    let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? error
    guard cause.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(cause.code)))
  }

  /// The same for a file that was to be written, with what is to be done where that is known.
  package static func reason(_ error: any Error, writing path: String) -> String {
    let folder = URL(filePath: path).deletingLastPathComponent()
    guard FileManager.default.fileExists(atPath: folder.path) else { return "make the folder \(folder.path) first" }
    return reason(error)
  }
}
