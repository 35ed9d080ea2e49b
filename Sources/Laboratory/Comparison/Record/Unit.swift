import Foundation

/// What a number counts, and how it is written.
package enum Unit: String, Sendable, Codable {
  /// Per second.
  case rate = "1/s"
  /// CPU seconds for 1,000 images.
  case cpu = "s/1000"
  case cores
  case bytes
  case count
  case seconds = "s"
  /// From 0 to 1.
  case share

  /// The number with its unit, such as `9.1 MB` or `23.1 ms`; without one where the title of the metric has it.
  package func text(_ value: Double) -> String {
    switch self {
    case .rate: Self.digits(value)
    case .cpu, .cores: value.decimals(2)
    case .bytes: Self.bytes(value)
    case .count: value == value.rounded() ? value.decimals(0) : value.decimals(1)
    case .seconds: abs(value) >= 1 ? "\(value.decimals(2)) s" : "\((value * 1000).decimals(1)) ms"
    case .share: "\((value * 100).decimals(1)) %"
    }
  }

  private static func digits(_ value: Double) -> String { value.decimals(abs(value) >= 100 ? 0 : 1) }

  private static func bytes(_ value: Double) -> String {
    switch abs(value) {
    case 1e9...: "\((value / 1e9).decimals(1)) GB"
    case 999_500...: "\((value / 1e6).decimals(1)) MB"
    case 1000...: "\((value / 1e3).decimals(0)) KB"
    default: "\(value.decimals(0)) B"
    }
  }
}

extension Double {
  /// The number with a fixed count of decimals, the same in every country.
  package func decimals(_ count: Int) -> String {
    let text = String(format: "%.\(count)f", locale: Locale(identifier: "en_US_POSIX"), self)
    return text.hasPrefix("-") && !text.contains { ("1"..."9").contains($0) } ? String(text.dropFirst()) : text
  }
}
