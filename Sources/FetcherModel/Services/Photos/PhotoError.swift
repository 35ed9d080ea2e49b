/// Why a photo service has no list.
public enum PhotoError: Error, Equatable, Sendable {
  /// The answer is no list of photos, or not one of its photos has all that is needed.
  case invalidJSONData
  /// There was no answer, or not a good one.
  case fetch(FetchError)
}

extension PhotoError: CustomStringConvertible {
  /// What went wrong and what to do about it: one line of plain English.
  public var description: String {
    switch self {
    case .invalidJSONData:
      "the list of photos: none has an id, a title, url_h and datetaken; the service may have changed its format"
    case .fetch(let error): error.message(of: "the list of photos")
    }
  }
}
