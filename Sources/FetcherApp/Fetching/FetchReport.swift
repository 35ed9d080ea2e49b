import Bytes
import FetcherModel

/// What `fetch --json` says of one address.
struct FetchReport: Sendable, Encodable {
  /// Without credentials.
  let url: String
  let strategy: String
  var ok = false
  var bytes = 0
  var format: String?
  var width: Int?
  var height: Int?
  var seconds = 0.0
  var file: String?
  /// Whether the file was there already, and nothing was fetched.
  var isSkipped = false
  /// What went wrong and what to do about it, for people.
  var error: String?
  /// What went wrong, for scripts: a category of ``FetchError``, or `file` where the picture could not be written.
  var category: String?
  /// The HTTP status of a failure, where a server answered.
  var status: Int?

  private enum CodingKeys: String, CodingKey {
    case url, strategy, ok, bytes, format, width, height, seconds, file, skipped, error, category, status
  }

  init(url: String, strategy: String) {
    self.url = url.addressWithoutCredentials
    self.strategy = strategy
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(url, forKey: .url)
    try container.encode(strategy, forKey: .strategy)
    try container.encode(ok, forKey: .ok)
    try container.encode(bytes, forKey: .bytes)
    // Always there, null for a failure: a reader may rely on the key.
    try container.encode(format, forKey: .format)
    try container.encode(width, forKey: .width)
    try container.encode(height, forKey: .height)
    try container.encode(seconds, forKey: .seconds)
    try container.encodeIfPresent(file, forKey: .file)
    if isSkipped { try container.encode(true, forKey: .skipped) }
    try container.encodeIfPresent(error, forKey: .error)
    try container.encodeIfPresent(category, forKey: .category)
    try container.encodeIfPresent(status, forKey: .status)
  }
}
