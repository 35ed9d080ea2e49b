import Foundation

/// The unit of a number, which determines its text format.
package enum Unit: String, Sendable, Codable {
  /// A number per second.
  case rate = "1/s"
  /// The CPU time for 1,000 images, in seconds.
  case cpu = "s/1000"
  case cores
  case bytes
  case count
  case seconds = "s"
  /// A share from 0 to 1.
  case share

  /// Returns the number with its unit, such as `9.1 MB` or `23.1 ms`. The text omits a unit that the metric's title
  /// already contains.
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

  /// Returns a bit rate as text, such as `10 Mbit/s`.
  static func bitRate(_ value: Double) -> String {
    let (factor, symbol) = value >= 1e9 ? (1e9, "Gbit/s") : value >= 1e6 ? (1e6, "Mbit/s") : (1e3, "Kbit/s")
    let shown = value / factor
    return "\(shown.decimals(shown == shown.rounded() ? 0 : 1)) \(symbol)"
  }

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
  /// The number as a ratio, such as `1.16x`.
  var asRatio: String { "\(decimals(self >= 10 ? 0 : 2))x" }

  /// Returns the number with a fixed number of decimals, regardless of the locale.
  package func decimals(_ count: Int) -> String {
    // Without a locale, the format is that of C. A locale would cost a number formatter for each number.
    let text = String(format: "%.\(count)f", self)
    return text.hasPrefix("-") && !text.contains { ("1"..."9").contains($0) } ? String(text.dropFirst()) : text
  }
}

/// The unit for all values of one metric. A shared unit makes the numbers in a column or a plot directly comparable.
package struct ValueScale: Sendable {
  let unit: Unit
  /// The symbol that follows a number, such as `MB` or `ms`. Empty for a count.
  let symbol: String
  private let factor: Double

  /// - Parameter values: all values shown side by side. The largest number of bytes or the smallest time determines the
  ///   unit, as in 24 MB and 0.4 MB, or 0.2 ms and 1300 ms.
  init(_ unit: Unit, _ values: [Double]) {
    self.unit = unit
    let sizes = values.map(abs).filter { $0 > 0 }
    (factor, symbol) =
      switch unit {
      case .rate: (1, "images/s")
      case .cpu: (1, "CPU s")
      case .cores: (1, "cores")
      case .count: (1, "")
      case .share: (100, "%")
      case .seconds: (sizes.min() ?? 0) >= 1 ? (1, "s") : (1e3, "ms")
      case .bytes:
        switch sizes.max() ?? 0 {
        case 1e6...: (1e-6, "MB")
        case 1e3...: (1e-3, "KB")
        default: (1, "B")
        }
      }
  }

  func shown(_ value: Double) -> Double { value * factor }

  /// Returns the number without its unit.
  func number(_ value: Double) -> String {
    let shown = shown(value)
    switch unit {
    case .bytes, .seconds:
      if shown == 0 || abs(shown) >= 100 { return shown.decimals(0) }
      if abs(shown) >= 0.1 { return shown.decimals(1) }
      return (0..<0.005).contains(shown) ? "<0.01" : shown.decimals(2)
    case .share: return shown.decimals(1)
    case .rate, .cpu, .cores, .count: return unit.text(value)
    }
  }

  func text(_ value: Double) -> String { symbol.isEmpty ? number(value) : "\(number(value)) \(symbol)" }
}
