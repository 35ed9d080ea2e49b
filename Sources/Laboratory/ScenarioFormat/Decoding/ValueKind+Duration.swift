import PlainText

extension ValueKind where Value == Duration {
  /// A duration with a unit, of at most one hour.
  static var duration: ValueKind {
    ValueKind(
      .named("duration", .noted(.text, ["pattern": .string("^[0-9]{1,9}(\\.[0-9]{1,9})?(us|ms|s)$")]))
    ) { node, reading in
      switch node.content {
      case .number(let number):
        reportMissingUnit(number.integer.map { [number.text, String($0)] } ?? [number.text], node, &reading)
        return nil
      case .string(let text):
        return read(text, node, &reading)
      default:
        reading.wrongKind(node, expected: "a duration such as \"30ms\"")
        return nil
      }
    }
  }

  private static func read(_ text: String, _ node: JSONNode, _ reading: inout Reading) -> Duration? {
    guard let duration = Duration(spelled: text) else {
      if SpelledNumber(text)?.unit == "" {
        reportMissingUnit([text], node, &reading)
      } else {
        let meant = Duration(otherwiseSpelled: text).map {
          $0 <= longestDuration ? "write \(quoted($0.spelled))" : tooLong
        }
        reading.report(.wrongValue, "\(quoted(text)) is not a duration", at: node.range, meant ?? durationExamples)
      }
      return nil
    }
    guard duration <= longestDuration else {
      reading.report(.wrongValue, "\(quoted(text)) is longer than an hour", at: node.range, tooLong)
      return nil
    }
    return duration
  }

  /// - Parameter numbers: possible spellings of the number. The message suggests the first one that is valid with `ms`.
  ///   A fraction or a small number may be in seconds, so the message suggests both units.
  private static func reportMissingUnit(_ numbers: [String], _ node: JSONNode, _ reading: inout Reading) {
    let number = numbers.first { Duration(spelled: $0 + "ms").map { $0 <= longestDuration } ?? false }
    let advice = number.map { number in
      let milliseconds = quoted(number + "ms")
      let isSmall = Int(number).map { (1...5).contains($0) } ?? number.contains(".")
      guard isSmall, let seconds = Duration(spelled: number + "s"), seconds <= longestDuration else {
        return "write \(milliseconds); the units are us, ms and s"
      }
      return "write \(quoted(seconds.spelled)) if the number is in seconds, or \(milliseconds)"
    }
    reading.report(.durationWithoutUnit, "a duration needs a unit", at: node.range, advice ?? durationExamples)
  }
}

private let longestDuration = Duration.seconds(3600)
private let tooLong = "the longest duration is \"3600s\""
private let durationExamples = "write it as \"250us\", \"30ms\" or \"1.5s\""

/// A number such as `12.5ms`. It has up to nine digits, up to nine decimals, and a unit.
private struct SpelledNumber {
  let whole: Int
  let billionths: Int
  let unit: Substring

  /// Built once, because building it takes longer than a match. Matching does not change it.
  private nonisolated(unsafe) static let form = /([0-9]{1,9})(?:\.([0-9]{1,9}))?([^0-9.].*|)/

  init?(_ text: String) {
    guard text.utf8.count <= 24, let parts = text.wholeMatch(of: Self.form)?.output, let whole = Int(parts.1)
    else { return nil }
    self.whole = whole
    billionths = parts.2.flatMap { Int(String($0).padded(to: 9, with: "0")) } ?? 0
    unit = parts.3
  }
}

extension Duration {
  /// Parses a duration as it is written in a scenario. Returns nil for any other string.
  package init?(spelled text: String) {
    guard let number = SpelledNumber(text) else { return nil }
    let nanoseconds: Int
    switch number.unit {
    case "us": nanoseconds = 1_000
    case "ms": nanoseconds = 1_000_000
    case "s": nanoseconds = 1_000_000_000
    default: return nil
    }
    self = .nanoseconds(number.whole * nanoseconds) + .nanoseconds(number.billionths * nanoseconds / 1_000_000_000)
  }

  /// Parses a duration with a space before the unit, or with a unit that scenarios do not have.
  fileprivate init?(otherwiseSpelled text: String) {
    guard let number = SpelledNumber(text.filter { $0 != " " }) else { return nil }
    let factors = [
      "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "msec": 1e-3, "s": 1, "sec": 1, "min": 60, "m": 60, "h": 3600,
    ]
    guard let factor = factors[String(number.unit)] else { return nil }
    self = .microseconds(Int(((Double(number.whole) + Double(number.billionths) / 1e9) * factor * 1e6).rounded()))
  }

  /// The duration as it is written in a scenario, exact to the nanosecond.
  var spelledExactly: String {
    let nanoseconds = Int(self / .nanoseconds(1))
    let fraction = String(nanoseconds % 1_000_000_000).padded(to: 9, .right, with: "0")
    return "\(nanoseconds / 1_000_000_000).\(fraction)s"
  }

  /// The duration as it is written in a scenario, in the largest unit that needs no fraction.
  package var spelled: String {
    let nanoseconds = Int(self / .nanoseconds(1))
    if nanoseconds % 1_000_000_000 == 0 { return "\(nanoseconds / 1_000_000_000)s" }
    if nanoseconds % 1_000_000 == 0 { return "\(nanoseconds / 1_000_000)ms" }
    return "\(nanoseconds / 1_000)us"
  }
}
