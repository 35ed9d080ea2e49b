extension WholeChecks {
  /// On a real clock one path is refused by a port that nobody listens on: from the beginning to the end, or never. All together are
  /// refused by an origin that stops listening for some time.
  static func checkRefusals(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard scenario.clocks.contains(.real) else { return }
    for (route, node) in zip(scenario.origin.routes, root["origin"]?["routes"]?.items ?? []) where route.refusal == nil
    {
      report(node, &reading)
    }
    if fallback(of: scenario)?.refusal == nil, let node = root["origin"]?["default"] { report(node, &reading) }
  }

  /// And so no step begins or ends that.
  static func checkChanges(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard scenario.clocks.contains(.real) else { return }
    let fallback = fallback(of: scenario)
    let routes = Dictionary(scenario.origin.routes.map { ($0.path, $0) }) { first, _ in first }
    for (step, node) in zip(scenario.steps, root["steps"]?.items ?? []) {
      if case .originOfAll(let phase?) = step.action, phase.refusal == nil { report(node, &reading) }
      guard case .origin(let route) = step.action else { continue }
      let before = routes[route.path] ?? fallback
      if route.refusal == nil || route.refusal != (before?.refusal ?? .never) { report(node, &reading) }
    }
  }

  private static func fallback(of scenario: Scenario) -> Scenario.Route? {
    scenario.origin.fallback.map { Scenario.Route(responses: [$0]) }
  }

  /// - Parameter node: a route, a step with one, or an answer.
  private static func report(_ node: JSONNode, _ reading: inout Reading) {
    let answers = (node["responses"] ?? node["all"])?.items ?? [node]
    let refusal = answers.first { $0["fault"]?.word == Scenario.Response.Fault.refuse.rawValue }
    let isPhase = node["all"] != nil
    reading.report(
      .wrongValue,
      isPhase
        ? "on the real clock all paths refuse every connection of a phase, or none"
        : "on the real clock a path refuses from the beginning to the end, or never",
      at: (refusal?["fault"] ?? node["path"] ?? node).range,
      isPhase
        ? "leave the other answers to a step of their own, or write \"clocks\": [\"virtual\"]"
        : "write \"clocks\": [\"virtual\"]")
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
