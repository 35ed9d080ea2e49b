import Foundation
import ScenarioFormat

/// The paths of a scenario are decoded, in its file, in its trace and in all that is compared. Only an address is
/// encoded.
extension ScenarioPath {
  /// The address of a path.
  ///
  /// - Parameter base: scheme, host and port.
  static func address(_ base: String, _ path: ScenarioPath) -> String {
    base + (path.text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path.text)
  }

  /// The path that an address asks for.
  static func path(of url: URL) -> ScenarioPath { ScenarioPath(url.path(percentEncoded: false)) }
}
