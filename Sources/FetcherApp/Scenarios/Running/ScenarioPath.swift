import FetcherModel
import Foundation

/// The paths of a scenario are decoded, in its file, in its trace and in all that is compared. Only an address is encoded.
enum ScenarioPath {
  /// The address of a path.
  ///
  /// - Parameter base: scheme, host and port.
  static func address(_ base: String, _ path: UTF8Key) -> String {
    base + (path.text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path.text)
  }

  /// The path that an address asks for.
  static func path(of url: URL) -> UTF8Key { UTF8Key(url.path(percentEncoded: false)) }

  /// The path to which a `Location` leads, which may be told from where it comes; nil for what is no address.
  static func path(ofLocation location: String, from path: UTF8Key) -> UTF8Key? {
    let start = URL(string: address("http://127.0.0.1", path))
    return URL(string: location, relativeTo: start).map { Self.path(of: $0.absoluteURL) }
  }
}
