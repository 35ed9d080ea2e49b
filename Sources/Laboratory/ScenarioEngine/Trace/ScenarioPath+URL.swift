import Foundation
import ScenarioFormat

/// A scenario's paths are percent-decoded in its file, in its trace, and in all comparisons. Only addresses contain the
/// encoded form.
extension ScenarioPath {
  /// The address of a path.
  ///
  /// - Parameter base: the scheme, host and port.
  static func address(_ base: String, _ path: ScenarioPath) -> String {
    base + (path.text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path.text)
  }

  /// The path of an address.
  static func path(of url: URL) -> ScenarioPath { ScenarioPath(url.path(percentEncoded: false)) }
}
