import Foundation

/// Formats JSON for the output of `fetcher`.
package enum JSONText {
  /// Returns the value as readable JSON, with its keys in alphabetical order.
  package static func of(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
