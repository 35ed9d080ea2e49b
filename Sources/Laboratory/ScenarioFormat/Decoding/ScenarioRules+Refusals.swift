extension ScenarioRules {
  /// On a real clock one path is refused by a port that nobody listens on: from the beginning to the end, or never. All together are
  /// refused by an origin that stops listening for some time.
  static func validateRefusals(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard scenario.clocks.contains(.real) else { return }
    let all = scenario.origin.routes + [fallback(of: scenario)].compactMap(\.self)
    for route in all where route.refusal == nil { report(route, &reading) }
  }

  /// And so no step begins or ends that.
  static func validateChanges(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard scenario.clocks.contains(.real) else { return }
    let fallback = fallback(of: scenario)
    let routes = Dictionary(scenario.origin.routes.map { ($0.path, $0) }) { first, _ in first }
    for step in scenario.steps {
      switch step.action {
      case .originOfAll(let phase?) where phase.refusal == nil: report(phase, isPhase: true, &reading)
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

  private static func report(_ route: Scenario.Route, isPhase: Bool = false, _ reading: inout Reading) {
    let location = (route.responses.first { $0.fault == .refuse }?.location ?? route.location).range
    if isPhase {
      reading.report(
        .wrongValue, "on the real clock all paths refuse every connection of a phase, or none", at: location,
        "leave the other answers to a step of their own, or write \"clocks\": [\"virtual\"]")
    } else {
      reading.report(
        .wrongValue, "on the real clock a path refuses from the beginning to the end, or never", at: location,
        "write \"clocks\": [\"virtual\"]")
    }
  }
}

extension Scenario.Route {
  /// How often nobody listens.
  package enum Refusal: Sendable { case always, never }

  /// Nil for sometimes.
  package var refusal: Refusal? {
    if responses.allSatisfy({ $0.fault != .refuse }) { return .never }
    // A port does not know what a request has in its header.
    let refusesAll = responses.allSatisfy { $0.fault == .refuse && $0.probability == 1 && $0.condition.isEmpty }
    return then != .error && refusesAll ? .always : nil
  }
}
