/// The keys of `final`: the name of a view or the id of an image, a dot, and a property.
enum FinalForm {
  /// How things stand in the end.
  static var kind: ValueKind<[Scenario.FinalState]> {
    let states = Scenario.ImageStateName.allCases.map { JSONValue.string($0.rawValue) }
    let schema = Schema([
      "type": "object", "minProperties": 1, "additionalProperties": false,
      "patternProperties": [
        "\\.shown$": ["type": ["string", "null"]], "\\.visible$": ["type": "boolean"],
        "\\.state$": ["enum": .list(states)],
      ],
    ])
    return ValueKind(schema) { node, reading in
      guard case .object(let object) = node.content else {
        reading.wrongKind(node, expected: "an object")
        return nil
      }
      if object.members.isEmpty, object.isWhole {
        reading.report(
          .pointlessExpectation, "an expectation that can never fail: nothing is expected", at: node.range,
          "such as {\"detail.shown\": \"A\"}")
      }
      let before = reading.diagnostics.errorCount
      var states: [Scenario.FinalState] = []
      for member in object.members where !reading.isFull {
        if let state = state(member, &reading) { states.append(state) }
      }
      return reading.diagnostics.errorCount == before && !states.isEmpty ? states : nil
    }
  }

  private static func state(_ member: JSONObject.Member, _ reading: inout Reading) -> Scenario.FinalState? {
    let dot = member.key.lastIndex(of: ".")
    let subject = dot.map { String(member.key[..<$0]) } ?? ""
    let property = dot.map { String(member.key[$0...].dropFirst()) }
    switch property {
    case "shown":
      guard let shown = shown(member.value, &reading), appears(subject, shown == "nothing", member, &reading) else {
        return nil
      }
      return .shown(view: subject, shown)
    case "visible":
      guard let isVisible = ValueKind.flag.read(member.value, &reading),
        appears(subject, !isVisible, member, &reading)
      else { return nil }
      return .visible(view: subject, isVisible)
    case "state":
      let key = JSONNode(content: .string(subject), range: member.keyRange)
      guard let image = ValueKind.image.read(key, &reading) else { return nil }
      guard let state = ValueKind<Scenario.ImageStateName>.word("state").read(member.value, &reading),
        isFetched(image, state, member, &reading)
      else { return nil }
      return .state(image: image, state)
    default:
      let known = ["shown", "visible", "state"]
      reading.report(
        .unknownKey, "unknown key \(quoted(member.key))", at: member.keyRange,
        property.flatMap { Spelling.nearest(to: $0, among: known) }.map {
          "did you mean \(quoted("\(subject).\($0)"))?"
        } ?? "there are VIEW.shown, VIEW.visible and IMAGE.state")
      return nil
    }
  }

  /// Nothing at all may be written as null.
  private static func shown(_ node: JSONNode, _ reading: inout Reading) -> String? {
    if case .null = node.content { return "nothing" }
    return ValueKind.shown.read(node, &reading)
  }

  /// - Parameter always: whether the expectation holds for a view that nobody sees.
  private static func appears(
    _ view: String, _ always: Bool, _ member: JSONObject.Member, _ reading: inout Reading
  ) -> Bool {
    guard let known = reading.reach?.appearing, !known.contains(view) else { return true }
    reading.report(
      .pointlessExpectation,
      "an expectation that can never \(always ? "fail" : "hold"): no step lets the view \(quoted(view)) appear",
      at: member.keyRange, known.advice(for: view, orElse: "add such a step, or remove this"))
    return false
  }

  private static func isFetched(
    _ image: String, _ state: Scenario.ImageStateName, _ member: JSONObject.Member, _ reading: inout Reading
  ) -> Bool {
    guard let obstacle = reading.reach?.obstacle(toFetchOf: image) else { return true }
    reading.report(
      .pointlessExpectation,
      "an expectation that can never \(state == .idle ? "fail" : "hold"): \(obstacle.message)", at: member.keyRange,
      obstacle.advice)
    return false
  }
}
