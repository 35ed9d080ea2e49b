/// What can be wrong although every field is right: how they go together.
struct WholeChecks {
  let scenario: Scenario
  /// The value that the scenario was read from.
  let root: JSONNode

  /// The longest scenario for the real clock: somebody waits for it.
  static let longestReal = Duration.seconds(2)

  /// Adds what it finds.
  func run(fileName: String?, _ reading: inout Reading) {
    if let fileName, scenario.name != fileName, let place = root["name"]?.range {
      reading.report(
        .wrongValue, "the name \(quoted(scenario.name)) is not that of the file", at: place,
        "write \(quoted(fileName))")
    }
    if scenario.exploration != nil, scenario.timing == .exact, let place = (root["timing"] ?? root["explore"])?.range {
      reading.report(
        .exactExploration, "\"exact\" timing leaves almost nothing to explore", at: place,
        "write \"timing\": \"any\"")
    }
    if scenario.latestStep > Self.longestReal, scenario.clocks.contains(.real) {
      let place = root["clocks"] ?? root["steps"]?.items.last?["at"] ?? root
      reading.report(
        .wrongValue, "longer than \(Self.longestReal.spelled), which is too long for the real clock",
        at: place.range.clamped(to: place.range.lowerBound..<place.range.lowerBound + 40),
        "write \"clocks\": [\"virtual\"]")
    }
    if !scenario.clocks.contains(scenario.clock), let place = root["clock"]?.range {
      reading.report(
        .wrongValue, "\"clocks\" leaves out the \(scenario.clock.rawValue) clock", at: place,
        "write one of \"clocks\", or leave this out")
    }
    checkRefusals(&reading)
    checkLimits(RunLength(scenario), &reading)
  }

  private func checkLimits(_ length: RunLength, _ reading: inout Reading) {
    guard let longest = length.longest, let nodes = root["expect"]?.items else { return }
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
