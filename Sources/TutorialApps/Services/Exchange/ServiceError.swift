public import FetcherModel
public import Foundation

/// The reason why the data or the settings of a service cannot be used.
public enum ServiceError: Error, Equatable, Hashable, Sendable {
  /// A catalog or a slideshow has an invalid value at `path`, such as `slides[3].file`.
  case catalog(path: String, reason: String)
  /// A setting that a service requires is missing.
  case missingConfiguration(String)
  /// A setting is not a full address. The text is that of the setting, without a query and a user name.
  case invalidURL(String)
  /// The request failed.
  case fetch(FetchError)
}

extension ServiceError: LocalizedError, CustomStringConvertible {
  /// The same text as ``description``. It is also returned by `localizedDescription`.
  public var errorDescription: String? { description }

  /// The problem and its remedy, on one line.
  public var description: String {
    switch self {
    case .catalog(let path, let reason): "catalog: \(path.isEmpty ? "" : "\(path): ")\(reason)"
    case .missingConfiguration(let key): "configuration: “\(key)” is missing; add it"
    case .invalidURL(let text):
      "configuration: \(text.quoted) is not a URL; write it in full, as in https://example.org/, or begin it with /"
    case .fetch(let error): error.message(of: "the slideshow")
    }
  }
}
