import Foundation

/// JSON as `fetcher` prints it.
package enum JSONText {
  /// The value as readable JSON with its keys in alphabetical order.
  package static func of(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

extension Double {
  /// The number with a fixed count of decimals, the same in every country.
  package func fixed(_ decimals: Int) -> String {
    formatted(
      .number.precision(.fractionLength(decimals)).grouping(.never).locale(Locale(identifier: "en_US_POSIX")))
  }
}
