/// How the fields of a scenario go together. Each check is made whatever is wrong with the fields that it does not ask for.
enum WholeChecks {
  /// The longest scenario for the real clock: somebody waits for it.
  static let longestReal = Duration.seconds(2)

  /// All of them.
  static var all: [Check<Scenario>] {
    [
      Check("name", run: checkName), Check("timing", run: checkExploration), Check("clocks", run: checkLength),
      Check("clock", "clocks", run: checkClock), Check("clocks", "origin", run: checkRefusals),
      Check("clocks", "origin", "steps", run: checkChanges),
      Check("images", "origin", "steps", "expect", run: checkLimits),
    ]
  }

  private static func checkName(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard let name = reading.name, scenario.name != name, let place = root["name"]?.range else { return }
    reading.report(
      .wrongValue, "the name \(quoted(scenario.name)) is not that of the file", at: place, "write \(quoted(name))")
  }

  private static func checkExploration(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard let explore = root["explore"], scenario.timing == .exact else { return }
    reading.report(
      .exactExploration, "\"exact\" timing leaves almost nothing to explore", at: (root["timing"] ?? explore).range,
      "write \"timing\": \"any\"")
  }

  private static func checkLength(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard reading.times.latest > longestReal, scenario.clocks.contains(.real) else { return }
    let place = root["clocks"] ?? root["steps"]?.items.last?["at"] ?? root
    reading.report(
      .wrongValue, "longer than \(longestReal.spelled), which is too long for the real clock",
      at: place.range.clamped(to: place.range.lowerBound..<place.range.lowerBound + 40),
      "write \"clocks\": [\"virtual\"]")
  }

  private static func checkClock(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard !scenario.clocks.contains(scenario.clock), let place = root["clock"]?.range else { return }
    reading.report(
      .wrongValue, "\"clocks\" leaves out the \(scenario.clock.rawValue) clock", at: place,
      "write one of \"clocks\", or leave this out")
  }

  private static func checkLimits(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard let longest = RunLength(scenario).longest, let nodes = root["expect"]?.items else { return }
    for (expectation, node) in zip(scenario.expectations, nodes) {
      guard case .within(_, _, let limit) = expectation.kind, limit > longest,
        let place = node["within"]?["limit"]?.range
      else { continue }
      reading.report(
        .pointlessExpectation, "an expectation that can never fail: no run takes as long as \(limit.spelled)",
        at: place, "a run takes at most \(longest.spelled)")
    }
  }
}
