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
      let states = object.members.compactMap { state($0, &reading) }
      return reading.diagnostics.errorCount == before && !states.isEmpty ? states : nil
    }
  }

  private static func state(_ member: JSONObject.Member, _ reading: inout Reading) -> Scenario.FinalState? {
    let parts = member.key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let subject = parts.dropLast().joined(separator: ".")
    switch parts.last {
    case "shown" where parts.count > 1:
      guard appears(subject, member, &reading), let shown = shown(member.value, &reading) else { return nil }
      return .shown(view: subject, shown)
    case "visible" where parts.count > 1:
      guard appears(subject, member, &reading) else { return nil }
      return ValueKind.flag.read(member.value, &reading).map { .visible(view: subject, $0) }
    case "state" where parts.count > 1:
      let key = JSONNode(content: .string(subject), range: member.keyRange)
      guard let image = ValueKind.image.read(key, &reading) else { return nil }
      guard let state = ValueKind<Scenario.ImageStateName>.word("state").read(member.value, &reading),
        isFetched(image, state, member, &reading)
      else { return nil }
      return .state(image: image, state)
    default:
      let known = ["shown", "visible", "state"]
      let hint = parts.count > 1 ? Spelling.nearest(to: parts[parts.count - 1], among: known) : nil
      reading.report(
        .unknownKey, "unknown key \(quoted(member.key))", at: member.keyRange,
        hint.map { "did you mean \(quoted("\(subject).\($0)"))?" }
          ?? "there are VIEW.shown, VIEW.visible and IMAGE.state")
      return nil
    }
  }

  /// Nothing at all may be written as null.
  private static func shown(_ node: JSONNode, _ reading: inout Reading) -> String? {
    if case .null = node.content { return "nothing" }
    return ValueKind.shown.read(node, &reading)
  }

  private static func appears(_ view: String, _ member: JSONObject.Member, _ reading: inout Reading) -> Bool {
    let update = EventPattern(kind: .uiUpdate, values: [.view: view])
    guard let obstacle = reading.reach?.obstacle(to: update) else { return true }
    reading.report(
      .pointlessExpectation,
      "an expectation that can never fail: no step of this file lets the view \(quoted(view)) appear",
      at: member.keyRange, obstacle.advice)
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
