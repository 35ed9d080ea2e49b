public import Foundation

/// Why a photo service did not take a picture.
public enum PhotoUploadError: Error, Equatable, Sendable {
  /// The status is good, and the body is not what was asked for: a page of a portal or a proxy, not the service's answer.
  case unexpectedAnswer(contentType: String?)
  /// There was no answer, or not a good one.
  case fetch(FetchError)
}

extension PhotoUploadError: LocalizedError, CustomStringConvertible {
  /// The same as ``description``: what `localizedDescription` returns.
  public var errorDescription: String? { description }

  /// What went wrong and what to do about it: one line of plain English.
  public var description: String {
    switch self {
    case .unexpectedAnswer(let type):
      "the upload: the answer is \(type.map { "of the type \($0)" } ?? "of no known type"), which was not asked for; "
        + "see what the address leads to, as the picture may not have been stored"
    case .fetch(let error): error.message(of: "the upload")
    }
  }
}
