/// Sizes and times as a command line spells them.
enum Amount {
  /// `100KB`, `4MB`, `500`.
  static func bytes(_ text: String, _ flag: String) throws(UsageError) -> Int {
    let factors = ["": 1.0, "B": 1, "KB": 1e3, "MB": 1e6]
    guard let (number, unit) = split(text), let factor = factors[unit.uppercased()], number * factor >= 100,
      number * factor <= 64e6
    else { throw UsageError("\(flag) takes a size from 100B to 64MB, such as 100KB, not \"\(text)\"") }
    return Int(number * factor)
  }

  /// `20ms`, `1.5s`, in seconds.
  static func seconds(_ text: String, _ flag: String) throws(UsageError) -> Double {
    let factors = ["us": 1e-6, "ms": 1e-3, "s": 1]
    guard let (number, unit) = split(text), let factor = factors[unit], number * factor <= 60 else {
      throw UsageError("\(flag) takes a time of at most 60s with its unit, such as 20ms, not \"\(text)\"")
    }
    return number * factor
  }

  private static func split(_ text: String) -> (Double, String)? {
    guard let match = text.wholeMatch(of: /([0-9]+(?:\.[0-9]+)?)([A-Za-z]*)/), let number = Double(match.1) else {
      return nil
    }
    return (number, String(match.2))
  }
}
