extension WholeChecks {
  /// On a real clock a path is refused by a port that nobody listens on: from the beginning to the end, or never.
  static func checkRefusals(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard scenario.clocks.contains(.real) else { return }
    let all = scenario.origin.routes + [fallback(of: scenario)].compactMap(\.self)
    for route in all where route.refusal == nil { report(route, &reading) }
  }

  /// And so no step begins or ends that.
  static func checkChanges(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard scenario.clocks.contains(.real) else { return }
    let fallback = fallback(of: scenario)
    let routes = Dictionary(scenario.origin.routes.map { ($0.path, $0) }) { first, _ in first }
    for step in scenario.steps {
      switch step.action {
      case .originOfAll(let phase?) where phase.refusal != .never:
        report(phase, orElse: "\"close-before-headers\", or ", &reading)
      case .origin(let route):
        let before = (routes[route.path] ?? fallback)?.refusal ?? .never
        if route.refusal == nil || route.refusal != before { report(route, &reading) }
      default: break
      }
    }
  }

  private static func fallback(of scenario: Scenario) -> Scenario.Route? {
    scenario.origin.fallback.map { Scenario.Route(responses: [$0]) }
  }

  private static func report(_ route: Scenario.Route, orElse other: String = "", _ reading: inout Reading) {
    let refusing = route.responses.first { $0.fault == .refuse }
    reading.report(
      .wrongValue, "on the real clock a path refuses from the beginning to the end, or never",
      at: (refusing?.place ?? route.place).range, "write \(other)\"clocks\": [\"virtual\"]")
  }
}

extension Scenario.Route {
  /// How often nobody listens.
  package enum Refusal: Sendable { case always, never }

  /// Nil for sometimes.
  package var refusal: Refusal? {
    if responses.allSatisfy({ $0.fault != .refuse }) { return .never }
    return then != .error && responses.allSatisfy { $0.fault == .refuse && $0.probability == 1 } ? .always : nil
  }
}
