/// Reads what must hold in the end.
struct ExpectationReader {
  let images: [String]

  func check(_ node: ScenarioNode, views: [String]) throws(ScenarioError) -> Scenario.Check {
    let members = try node.object(["final", "count", "why"])
    let why = try members["why"]?.string()
    switch (members["final"], members["count"]) {
    case (let final?, nil):
      return Scenario.Check(expectation: try self.final(final, views), path: final.path, why: why)
    case (nil, let count?):
      return Scenario.Check(expectation: try self.count(count, views), path: count.path, why: why)
    default:
      throw node.wrong("needs either \"final\" or \"count\"")
    }
  }

  private func final(_ node: ScenarioNode, _ views: [String]) throws(ScenarioError) -> Scenario.Expectation {
    let members = try node.object(views.map { "\($0).shown" })
    guard members.count == 1, let (key, value) = members.first else {
      throw node.wrong("needs exactly one key, such as \"detail.shown\"")
    }
    let shown: String? = value.value == .null ? nil : try value.word("image", images + ["placeholder"])
    return .shown(view: String(key.dropLast(".shown".count)), is: shown)
  }

  private func count(_ node: ScenarioNode, _ views: [String]) throws(ScenarioError) -> Scenario.Expectation {
    let members = try node.object(["event", "image", "view", "equals", "atMost", "atLeast"])
    let event = try members.required("event", of: node).word("event", Scenario.events)
    let image = try members["image"].map { (node) throws(ScenarioError) in try node.word("image", images) }
    let view = try members["view"].map { (node) throws(ScenarioError) in try node.word("view", views) }
    if event != "ui.update", let view = members["view"] { throw view.wrong("only \"ui.update\" belongs to a view") }
    let limit = 0...1_000_000
    let equals = try members["equals"]?.integer(limit)
    let atLeast = try members["atLeast"]?.integer(limit)
    let atMost = try members["atMost"]?.integer(limit)
    guard equals != nil || atMost != nil || (atLeast ?? 0) > 0 else {
      throw node.wrong("can never fail: give \"equals\", \"atMost\", or \"atLeast\" above 0")
    }
    let low = equals ?? atLeast ?? 0
    let high = equals ?? atMost ?? Int.max
    guard low <= high else { throw node.wrong("can never hold: \"atLeast\" is above \"atMost\"") }
    return .count(event: event, image: image, view: view, in: low...high)
  }
}
