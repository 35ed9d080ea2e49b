extension ValueKind where Value == Duration {
  /// A length of time with its unit, at most an hour.
  static var duration: ValueKind {
    ValueKind(
      Schema(["type": "string", "pattern": .string("^[0-9]{1,9}(\\.[0-9]{1,9})?(us|ms|s)$")]).named("duration")
    ) { node, reading in
      switch node.content {
      case .number(let number):
        reading.report(
          .durationWithoutUnit, "a duration needs a unit", at: node.range,
          "write \"\(number.text)ms\", or us or s in place of ms")
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
    guard let match = text.wholeMatch(of: /([0-9]{1,9})(?:\.([0-9]{1,9}))?(us|ms|s)?/), let whole = Int(match.1) else {
      reading.report(
        .wrongValue, "\(quoted(text)) is no duration", at: node.range, "write it as \"250us\", \"30ms\" or \"1.5s\"")
      return nil
    }
    guard let unit = match.3 else {
      reading.report(
        .durationWithoutUnit, "a duration needs a unit", at: node.range,
        "write \"\(text)ms\", or us or s in place of ms")
      return nil
    }
    let nanoseconds = ["us": 1_000, "ms": 1_000_000, "s": 1_000_000_000][unit] ?? 0
    let digits = match.2.map { String($0) } ?? ""
    let billionths = Int(digits + String(repeating: "0", count: 9 - digits.count)) ?? 0
    let duration =
      Duration.nanoseconds(whole * nanoseconds) + .nanoseconds(billionths * nanoseconds / 1_000_000_000)
    guard duration <= .seconds(3600) else {
      reading.report(.wrongValue, "\(quoted(text)) is longer than an hour", at: node.range)
      return nil
    }
    return duration
  }
}

extension Duration {
  /// The duration as a scenario spells it, in the largest unit that keeps it whole.
  var spelled: String {
    let nanoseconds = Int(self / .nanoseconds(1))
    if nanoseconds % 1_000_000_000 == 0 { return "\(nanoseconds / 1_000_000_000)s" }
    if nanoseconds % 1_000_000 == 0 { return "\(nanoseconds / 1_000_000)ms" }
    return "\(nanoseconds / 1_000)us"
  }
}
