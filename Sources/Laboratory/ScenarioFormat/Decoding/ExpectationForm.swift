/// The table of fields of an expectation: each has one key for its kind.
enum ExpectationForm {
  typealias Kind = Scenario.Expectation.Kind

  private struct Draft: Sendable {
    var kind: Kind?
    var why: String?
  }

  static var expectation: ValueKind<Scenario.Expectation> {
    let form = Form(
      empty: Draft(), choices: [Choice(keys: kinds.map(\.name), isRequired: true)],
      fields: kinds + [Field("why", .text, \.why, "the sentence that a learner reads")]
    ).kind
    return ValueKind(form.schema) { node, reading in
      guard let draft = form.read(node, &reading), let kind = draft.kind else { return nil }
      return Scenario.Expectation(kind: kind, why: draft.why, range: node.range)
    }
  }

  private static var kinds: [Field<Draft>] {
    let pattern = PatternForm.pattern
    let never = pattern.map { Kind.never($0) }
    let order = pattern.list(2...Int.max).map { Kind.order($0) }
    return [
      kind("final", FinalForm.kind.map { Kind.final($0) }, "how things stand in the end"),
      kind("never", never, "no such event"),
      kind("always", always, "every such event has these values"),
      kind("nth", nth, "the event of this number among all such has these values"),
      kind("count", count, "so many such events"),
      kind("atOnce", atOnce, "so much at a time, from such an event to the one that ends it"),
      kind("order", order, "such events one after the other, whatever happens in between"),
      kind("within", within, "the first such event comes soon enough"),
      kind("apart", apart, "from each such event to the next so much time"),
      kind("outcome", outcome, "how the last fetch of an image ended"),
      kind("leaks", leaks, "the most that is still alive when everybody has let go"),
      kind("lane", lane, "where every such event happens"),
      kind("stall", stall, "how long main may be busy or blocked"),
    ]
  }

  private static func kind(_ name: String, _ kind: ValueKind<Kind>, _ help: String) -> Field<Draft> {
    Field(name, kind, \.kind, help)
  }

  /// A pattern with what is expected of its events, before the key of the expectation decides which of these count.
  private struct Wish: Sendable {
    var pattern = EventPattern()
    var has = EventPattern()
    var number = 1
    var equals: Int?
    var atMost: Int?
    var atLeast: Int?
    var after: EventPattern?
    var length = Duration.zero
    var lane = TraceLane.main

    var count: (low: Int, high: Int) { (equals ?? atLeast ?? 0, equals ?? atMost ?? Int.max) }
  }

  /// A pattern, and beside it these fields.
  private static func wish(_ fields: [Field<Wish>]) -> ValueKind<Wish> {
    PatternForm.form(Wish(), pattern: \.pattern, common: fields).kind
  }

  private static var always: ValueKind<Kind> { having().map { .always($0.pattern, has: $0.has.values) } }

  private static var nth: ValueKind<Kind> {
    let number = ValueKind.integer(1...1_000_000).validated { number, node, reading in
      guard let most = reading.reach?.mostEvents, number > most else { return nil }
      return .pointless(never: "hold", "no run has more than \(most) events", at: node.range, "choose a smaller number")
    }
    return having([Field("number", number, \.number, "which of them, counted from 1").required])
      .map { .nth($0.pattern, $0.number, has: $0.has.values) }
  }

  /// A pattern, and values that events have beside those.
  private static func having(_ fields: [Field<Wish>] = []) -> ValueKind<Wish> {
    let attributes = TraceAttribute.allCases.map { PatternForm.field($0) }
    let has = Form(empty: EventPattern(), fields: attributes).kind
    return wish([Field("is", has, \.has, "what it has").required] + fields).validated { draft, node, _ in
      if draft.has.values.isEmpty, let location = node["is"]?.range {
        return .pointless(never: "fail", "\"is\" asks for nothing", at: location, "such as {\"lane\": \"main\"}")
      }
      let known = draft.pattern.kind.attributes + [.lane]
      let foreign = TraceAttribute.allCases.first { draft.has.values[$0] != nil && !known.contains($0) }
      guard let foreign, let location = node["is"]?[foreign.rawValue] else { return nil }
      return Diagnostic(
        .unknownKey, "the event \"\(draft.pattern.kind.rawValue)\" has no \"\(foreign.rawValue)\"", at: location.range,
        "there are \(known.map(\.rawValue).joined(separator: ", "))")
    }.reachable(\.pattern).validated { draft, node, _ in
      guard draft.has.values.allSatisfy({ draft.pattern.values[$0] == $1 }) else { return nil }
      return .pointless(
        never: "fail", "\(draft.pattern.summary) is always like that", at: (node["is"] ?? node).range,
        "ask for what the pattern leaves open")
    }
  }

  private static var atOnce: ValueKind<Kind> {
    wish([
      Field("atMost", ValueKind.integer(1...1_000_000), \.number, "no more than these").required
    ]).validated { draft, node, _ in
      guard draft.pattern.kind.ends.isEmpty, let location = node["event"] else { return nil }
      let known = TraceKind.allCases.filter { !$0.ends.isEmpty }.map(\.rawValue)
      return Diagnostic(
        .wrongValue, "nothing ends what \(quoted(draft.pattern.kind.rawValue)) begins", at: location.range,
        "there are \(listed(known))")
    }.reachable(\.pattern).map { .atOnce($0.pattern, atMost: $0.number) }
  }

  private static var apart: ValueKind<Kind> {
    wish([Field("atLeast", .duration, \.length, "no less than this").required]).validated { draft, node, _ in
      guard draft.length == .zero, let location = node["atLeast"] else { return nil }
      return .pointless(never: "fail", "every distance is at least 0", at: location.range, "give a longer time")
    }.reachable(\.pattern).map { .apart($0.pattern, atLeast: $0.length) }
  }

  private static var count: ValueKind<Kind> {
    let number = ValueKind.integer(0...1_000_000)
    return wish([
      Field("equals", number, \.equals, "exactly so many"), Field("atMost", number, \.atMost, "no more than these"),
      Field("atLeast", number, \.atLeast, "no fewer than these"),
    ]).validated { draft, node, reading in
      let start = node.range.lowerBound..<node.range.lowerBound + 1
      let (low, high) = draft.count
      if (low, high) == (0, Int.max) {
        return .pointless(
          never: "fail", "every count is at least 0", at: node["atLeast"]?.range ?? start,
          "give \"equals\", \"atMost\", or \"atLeast\" above 0")
      }
      if draft.equals != nil, let other = node["atMost"] ?? node["atLeast"] {
        return Diagnostic(.duplicate, "a limit beside \"equals\"", at: other.range, "keep one of them")
      }
      if low > high {
        return Diagnostic(
          .wrongValue, "no count is at least \(low) and at most \(high)", at: node["atLeast"]?.range ?? start)
      }
      guard let most = reading.reach?.mostEvents, low > most || low == 0 && high >= most else { return nil }
      let (verdict, location) = low == 0 ? ("fail", node["atMost"]) : ("hold", node["equals"] ?? node["atLeast"])
      return .pointless(
        never: verdict, "no run has more than \(most) events", at: location?.range ?? start, "choose a smaller number")
    }.reachable(\.pattern).map { .count($0.pattern, in: $0.count.low...$0.count.high) }
  }

  private static var within: ValueKind<Kind> {
    wish([
      Field("after", PatternForm.pattern, \.after, "after the first such event; else after the beginning"),
      Field("limit", .duration, \.length, "how long it may take").required,
    ]).reachable(\.pattern).map { .within($0.pattern, after: $0.after, limit: $0.length) }
  }

  private struct Ending: Sendable {
    var image = ""
    var outcome = Scenario.Outcome.none
  }

  /// What people write for the end of a fetch, and what the format calls it.
  private static let commonWords = [
    "done": "loaded", "ok": "loaded", "success": "loaded", "finished": "loaded", "error": "failed",
    "canceled": "cancelled", "timeout": "error:timedOut",
  ]

  private static var outcome: ValueKind<Kind> {
    let plain: [(String, Scenario.Outcome)] = [
      ("loaded", .loaded), ("failed", .failed), ("cancelled", .cancelled), ("none", .none),
    ]
    let errors = Scenario.ErrorCategory.allCases.map { ("error:\($0.rawValue)", Scenario.Outcome.error($0)) }
    let words = Dictionary(uniqueKeysWithValues: plain + errors)
    return Form(
      empty: Ending(),
      fields: [
        Field("image", .image, \.image, "the id of an image").required,
        Field(
          "is",
          ValueKind.word("outcome", (plain + errors).map(\.0), meant: Self.commonWords).map { words[$0] ?? .none },
          \.outcome,
          "the end of its last fetch"
        ).required,
      ]
    ).kind.validated { ending, node, reading in
      reading.reach?.obstacle(toFetchOf: ending.image).map { obstacle in
        .pointless(
          never: ending.outcome == .none ? "fail" : "hold", obstacle.message, at: (node["image"] ?? node).range,
          obstacle.advice)
      }
    }.map { .outcome(image: $0.image, is: $0.outcome) }
  }

  private static var leaks: ValueKind<Kind> {
    Form(
      empty: Scenario.Leaks(),
      fields: [
        Field("models", .integer(0...1000), \.models, "images; default 0"),
        Field("subscriptions", .integer(0...1000), \.subscriptions, "subscriptions; default 0"),
      ]
    ).kind.map { .leaks($0) }
  }

  private static var lane: ValueKind<Kind> {
    wish([Field("is", .word("lane"), \.lane, "the lane").required]).reachable(\.pattern).validated { draft, node, _ in
      guard draft.pattern.values[.lane] == draft.lane.rawValue else { return nil }
      return .pointless(
        never: "fail", "\(draft.pattern.summary) is always on \(draft.lane.rawValue)",
        at: (node["is"] ?? node).range, "remove it")
    }.map { .lane($0.pattern, is: $0.lane) }
  }

  private static var stall: ValueKind<Kind> {
    Form(
      empty: Duration.zero,
      fields: [Field("atMost", .duration, \.self, "the longest that is allowed").required]
    ).kind.map { .stall(atMost: $0) }
  }
}
