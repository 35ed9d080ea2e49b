import CommandLineTool

/// Parses sizes, durations and bit rates in command-line notation.
enum Amount {
  /// Parses `100KB`, `4MB` or `500`.
  static func bytes(_ text: String, _ option: CommandOption) throws(UsageError) -> Int {
    let factors = ["": 1.0, "B": 1, "KB": 1e3, "MB": 1e6]
    guard let (number, unit) = split(text), let factor = factors[unit.uppercased()], number * factor >= 100,
      number * factor <= 64e6
    else { throw UsageError("\(option.name) takes a size from 100B to 64MB, such as 100KB, not \"\(text)\"") }
    return Int(number * factor)
  }

  /// Parses `20ms` or `1.5s`, and returns seconds.
  static func seconds(_ text: String, _ option: CommandOption, atMost most: Int = 60) throws(UsageError) -> Double {
    let factors = ["us": 1e-6, "ms": 1e-3, "s": 1]
    guard let (number, unit) = split(text), let factor = factors[unit], number * factor <= Double(most) else {
      throw UsageError("\(option.name) takes a time of at most \(most)s with its unit, such as 20ms, not \"\(text)\"")
    }
    return number * factor
  }

  /// Parses `6min` or `90s`, and returns seconds.
  static func minutes(_ text: String) throws(UsageError) -> Double {
    let factors = ["s": 1.0, "min": 60, "h": 3600]
    guard let (number, unit) = split(text), let factor = factors[unit], (1...86_400).contains(number * factor) else {
      throw UsageError("--limit takes a time from 1s to 24h with its unit, such as 6min, not \"\(text)\"")
    }
    return number * factor
  }

  /// Parses `10Mbit` or `500Kbit`, and returns bits per second.
  static func bitsPerSecond(_ text: String, _ option: CommandOption) throws(UsageError) -> Double {
    let factors = ["KBIT": 1e3, "MBIT": 1e6, "GBIT": 1e9]
    guard let (number, unit) = split(text), let factor = factors[unit.uppercased()],
      (1e5...1e10).contains(number * factor)
    else { throw UsageError("\(option.name) takes a rate from 100Kbit to 10Gbit, such as 10Mbit, not \"\(text)\"") }
    return number * factor
  }

  private static func split(_ text: String) -> (Double, String)? {
    guard let match = text.wholeMatch(of: /([0-9]+(?:\.[0-9]+)?)([A-Za-z]*)/), let number = Double(match.1) else {
      return nil
    }
    return (number, String(match.2))
  }
}
