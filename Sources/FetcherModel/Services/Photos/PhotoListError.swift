public import Foundation

/// Why a photo service has no list. A picture that cannot be had is a ``FetchError``.
public enum PhotoListError: Error, Equatable, Sendable {
  /// The answer is no JSON at all, such as the page of a portal.
  case notJSON
  /// The answer is JSON and no list of photos, or not one of its photos has all that is needed.
  case invalidJSONData
  /// The service understood and refused: services report a wrong key so, with status 200. In the service's own words.
  case refused(String)
  /// There was no answer, or not a good one.
  case fetch(FetchError)
}

extension PhotoListError: LocalizedError, CustomStringConvertible {
  /// The same as ``description``: what `localizedDescription` returns.
  public var errorDescription: String? { description }

  /// What went wrong and what to do about it: one line of plain English.
  public var description: String {
    switch self {
    case .notJSON: "the list of photos: the answer is no JSON; see what the address leads to"
    case .invalidJSONData:
      "the list of photos: none has an id, a title, url_h and datetaken; the service may have changed its format"
    case .refused(let reason): "the list of photos: the service refused: \(reason); verify the key and the parameters"
    case .fetch(let error): error.message(of: "the list of photos")
    }
  }
}
