/// Reads the steps of a scenario and puts each at its time.
struct StepReader {
  let images: [String]

  private static let actions = ["appear", "disappear", "select", "switch"]

  /// The views that steps speak of.
  static func views(_ steps: [Scenario.Step]) -> [String] {
    Scenario(
      name: "", title: "", strategies: [], images: [], fallback: nil, routes: [], steps: steps, checks: []
    ).views
  }

  func steps(_ node: ScenarioNode) throws(ScenarioError) -> [Scenario.Step] {
    var steps: [Scenario.Step] = []
    var times: [String: Duration] = [:]
    for item in try node.list() {
      let members = try item.object(["at", "after", "plus", "id", "do", "view", "image", "strategy"])
      let time = try time(members, of: item, times)
      if let last = steps.last, time < last.time {
        throw item.wrong("time goes backwards: this step is before the one above it")
      }
      steps.append(Scenario.Step(time: time, action: try action(members, of: item)))
      if let id = members["id"] { times[try id.string()] = time }
    }
    return steps
  }

  private func time(
    _ members: [String: ScenarioNode], of node: ScenarioNode, _ times: [String: Duration]
  ) throws(ScenarioError) -> Duration {
    if let at = members["at"] {
      guard members["after"] == nil else { throw node.wrong("has both \"at\" and \"after\"") }
      return try at.duration()
    }
    let after = try members.required("after", of: node)
    guard let base = times[try after.string()] else {
      throw after.wrong("there is no step \"\(try after.string())\" above")
    }
    return base + (try members["plus"]?.duration() ?? .zero)
  }

  private func action(
    _ members: [String: ScenarioNode], of node: ScenarioNode
  ) throws(ScenarioError) -> Scenario.Action {
    let view = try members["view"]?.string() ?? "detail"
    return switch try members.required("do", of: node).word("step", Self.actions) {
    case "appear": .appear(view: view)
    case "disappear": .disappear(view: view)
    case "select": .select(image: try members.required("image", of: node).word("image", images), view: view)
    default: .switchStrategy(try members.required("strategy", of: node).word("strategy", StrategyNames.all))
    }
  }
}
