import PlainText

/// The keys of `final`. Each consists of the name of a view or the id of an image, a dot, and a property.
enum FinalForm {
  /// The value kind for the key `final`.
  static var kind: ValueKind<[Scenario.FinalState]> {
    let states = Scenario.ImageStateName.allCases.map { JSONValue.string($0.rawValue) }
    let keywords: [String: JSONValue] = [
      "minProperties": 1,
      "patternProperties": [
        "\\.shown$": ["type": ["string", "null"]], "\\.visible$": ["type": "boolean"],
        "\\.state$": ["enum": .list(states)],
      ],
    ]
    let final = ValueKind<[Scenario.FinalState]>(.noted(.object(ObjectSchema()), keywords)) { node, reading in
      guard let object = reading.object(node) else { return nil }
      if object.members.isEmpty, object.isWhole {
        reading.report(
          .pointless(
            never: "fail", "nothing is expected", at: node.range, "add a state, such as \"detail.shown\": \"A\""))
      }
      let before = reading.diagnostics.errorCount
      var states: [Scenario.FinalState] = []
      for member in object.members where !reading.isFull {
        guard let state = state(member, &reading) else { continue }
        if let problem = problem(state, at: member.keyRange, reading) {
          reading.report(problem)
        } else {
          states.append(state)
        }
      }
      return reading.diagnostics.errorCount == before && !states.isEmpty ? states : nil
    }
    return final.example { node, reading in
      let image = node.word.flatMap { reading.declared.images?.contains($0) == true ? $0 : nil }
      return example(reading, image)
    }
  }

  /// Returns a final state of a view of the file.
  static func example(_ reading: Reading, _ image: String? = nil) -> String {
    let view = reading.reach?.appearing?.list.first ?? Scenario.standardView
    return "{\(quoted(view + ".shown")): \(quoted(image ?? reading.declared.exampleImage))}"
  }

  private static let commonStates: [String: Scenario.ImageStateName] = [
    "ok": .loaded, "done": .loaded, "success": .loaded, "error": .failed, "loading": .fetching,
  ]

  private static func state(_ member: JSONObject.Member, _ reading: inout Reading) -> Scenario.FinalState? {
    let dot = member.key.lastIndex(of: ".")
    let subject = dot.map { String(member.key[..<$0]) } ?? ""
    let property = dot.map { String(member.key[$0...].dropFirst()) }
    switch property {
    case "shown":
      return shown(member.value, &reading).map { .shown(view: subject, $0) }
    case "visible":
      return ValueKind.flag.read(member.value, &reading).map { .visible(view: subject, $0) }
    case "state":
      let key = JSONNode(content: .string(subject), range: member.keyRange)
      guard let image = ValueKind.image.read(key, &reading) else { return nil }
      return ValueKind.word("state", meant: commonStates).read(member.value, &reading).map {
        .state(image: image, $0)
      }
    default:
      let known = ["shown", "visible", "state"]
      if property == nil, known.contains(member.key) {
        let view = reading.reach?.appearing?.list.first ?? Scenario.standardView
        let owner = member.key == "state" ? reading.declared.exampleImage : view
        reading.report(
          .unknownKey, "\(quoted(member.key)) needs a name before it", at: member.keyRange,
          "such as \(quoted("\(owner).\(member.key)"))")
        return nil
      }
      reading.report(
        .unknownKey, "unknown key \(quoted(member.key))", at: member.keyRange,
        property.flatMap { Spelling.nearest(to: $0, among: known) }.map {
          Spelling.question("\(subject).\($0)", quoting: quoted)
        } ?? "the keys are VIEW.shown, VIEW.visible and IMAGE.state")
      return nil
    }
  }

  /// Reads the content of a view. The word `nothing` can also be written as null.
  private static func shown(_ node: JSONNode, _ reading: inout Reading) -> String? {
    if case .null = node.content { return "nothing" }
    return ValueKind.shown.read(node, &reading)
  }

  /// Returns a problem if the view never appears or the image is never fetched.
  private static func problem(
    _ state: Scenario.FinalState, at location: Range<Int>, _ reading: Reading
  ) -> Diagnostic? {
    switch state {
    case .shown(let view, let shown): unseen(view, isAlways: shown == "nothing", at: location, reading)
    case .visible(let view, let isVisible): unseen(view, isAlways: !isVisible, at: location, reading)
    case .state(let image, let state):
      reading.reach?.obstacle(toFetchOf: image).map {
        .pointless(never: state == .idle ? "fail" : "hold", $0.message, at: location, $0.advice)
      }
    }
  }

  /// - Parameter isAlways: whether the expectation always holds for a view that never appears.
  private static func unseen(
    _ view: String, isAlways: Bool, at location: Range<Int>, _ reading: Reading
  ) -> Diagnostic? {
    guard let known = reading.reach?.appearing, !known.contains(view) else { return nil }
    return .pointless(
      never: isAlways ? "fail" : "hold", "no step makes the view \(quoted(view)) appear", at: location,
      ScenarioRules.mistypedView(view, among: known.list)
        ?? known.advice(for: view, orElse: "add such a step, or remove this", only: "the only view that appears is"))
  }
}
