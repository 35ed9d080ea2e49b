import FetcherModel
import Foundation
import ScenarioFormat

/// The paths of a scenario are decoded, in its file, in its trace and in all that is compared. Only an address is encoded.
extension ScenarioPath {
  /// The address of a path.
  ///
  /// - Parameter base: scheme, host and port.
  static func address(_ base: String, _ path: ScenarioPath) -> String {
    base + (path.text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path.text)
  }

  /// The path that an address asks for.
  static func path(of url: URL) -> ScenarioPath { ScenarioPath(url.path(percentEncoded: false)) }

  /// The path to which a `Location` leads, which may be relative to where it comes from; nil for what is no address.
  static func path(ofLocation location: String, from path: ScenarioPath) -> ScenarioPath? {
    let start = URL(string: address("http://127.0.0.1", path))
    return URL(string: location, relativeTo: start).map { Self.path(of: $0.absoluteURL) }
  }
}
