package import Foundation

/// Formats JSON, with the keys in alphabetical order.
package enum JSONText {
  /// Returns the value as readable JSON.
  package static func of(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Returns the value as JSON on one line. The value must not contain a number that JSON lacks, such as infinity.
  package static func line(_ value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return try encoder.encode(value) } catch { preconditionFailure("The value is not JSON: \(error)") }
  }
}
