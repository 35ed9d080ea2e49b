import PlainText

/// The field table of an expectation. Each expectation has one key, which determines its kind.
enum ExpectationForm {
  typealias Kind = Scenario.Expectation.Kind

  static var expectation: ValueKind<Scenario.Expectation> {
    ValueKind.object(
      Fields(.oneOf(rows, splits: true), Field("why", .text, "the reason, printed if the expectation fails").optional) {
        Scenario.Expectation(kind: $0, why: $1)
      }.located(\.range)
    ).example { example($1) }.unless { node, _ in misplaced(node) }
  }

  /// Returns the problem with a pattern without an expectation around it, with a key that belongs in the object of the
  /// kind, or with a kind inside another. Returns nil for other entries.
  private static func misplaced(_ node: JSONNode) -> Diagnostic? {
    guard case .object(let object) = node.content else { return nil }
    let found = object.members.filter { kinds[$0.key] != nil }
    if found.isEmpty, let event = node["event"] {
      let pattern = "\"event\": \(quoted(event.word ?? "fetch.done"))"
      return Diagnostic(
        .missing, "a pattern says nothing by itself", at: node.start,
        "write it in an expectation, such as {\"never\": {\(pattern), ...}} or {\"count\": {\(pattern), ..., \"equals\": 1}}"
      )
    }
    guard found.count == 1, case .object(let parts) = found[0].value.content, let keys = kinds[found[0].key] else {
      return nil
    }
    let kind = quoted(found[0].key)
    if let other = parts.members.first(where: { kinds[$0.key] != nil && !keys.contains($0.key) }) {
      let name = quoted(other.key)
      return Diagnostic(
        .unknownKey, "an entry has one kind of expectation, so \(kind) cannot contain \(name)", at: other.keyRange,
        "write \(name) without \(kind): {\(name): \(other.value.spelled)}")
    }
    return object.members.first { keys.contains($0.key) && kinds[$0.key] == nil }.map { stray in
      let member = "\(quoted(stray.key)): \(stray.value.spelled)"
      return Diagnostic(
        .unknownKey, "\(quoted(stray.key)) belongs in \(kind)", at: stray.keyRange,
        "write {\(kind): {..., \(member)}}")
    }
  }

  /// The value kind for the list of expectations.
  static var expectations: ValueKind<[Scenario.Expectation]> { expectation.list().example { "[\(example($1))]" } }

  private static func example(_ reading: Reading) -> String { "{\"final\": \(FinalForm.example(reading))}" }

  /// The keys of each kind's object.
  private static let kinds = Dictionary(
    uniqueKeysWithValues: Fields.oneOf(rows).keys.map { ($0.name, $0.schema.names) })

  private static var rows: [Field<Kind>] {
    let pattern = PatternForm.pattern
    return [
      Field("final", FinalForm.kind.map { .final($0) }, "the state at the end of the run"),
      Field("never", pattern.map { .never($0) }, "no event matches the pattern"),
      Field("always", always, "every matching event has these values"),
      Field("nth", nth, "the matching event with this number has these values"),
      Field("count", count, "the number of matching events"),
      Field(
        "atOnce", atOnce,
        "the number of spans open at the same time; a span lasts from a matching event to the event that ends it"
      ),
      Field(
        "order",
        pattern.list(2...Int.max, #"add a later event, or write {"count": {..., "atLeast": 1}} for one event"#).example(
          #"[{"event": "fetch.start"}, {"event": "fetch.done"}]"#
        ).map { .order($0) },
        "matching events in this order, with any events between them"),
      Field("within", within, "the first matching event comes within a time limit"),
      Field("apart", apart, "the time from each matching event to the next"),
      Field("outcome", outcome, "the outcome of the last fetch of an image"),
      Field(
        "leaks", leaks,
        "the maximum numbers of images and subscriptions that still exist after the program has released everything"),
      Field("lane", lane, "the lane of every matching event"),
      Field("stall", stall, "the maximum time that main may be busy or blocked"),
    ]
  }

  private static var always: ValueKind<Kind> {
    having(Fields {}).example(#"{"event": "ui.update", "is": {"lane": "main"}}"#)
      .map { .always($0.pattern, has: $0.more.has) }
  }

  private static var nth: ValueKind<Kind> {
    let number = ValueKind.integer(1...1_000_000).validated { number, node, reading in
      guard let most = reading.reach?.maximumEvents, number > most else { return nil }
      return .pointless(never: "hold", "a run has at most \(most) events", at: node.range, "choose a smaller number")
    }
    return having(Field("number", number, "the number of the event, counted from 1").required)
      .example(1, in: 1...1000) { #"{"event": "ui.update", "number": \#($0), "is": {"lane": "main"}}"# }
      .map { .nth($0.pattern, $0.more.rest, has: $0.more.has) }
  }

  /// Returns the value kind for an object with a pattern, the values that matching events must have, and the keys in
  /// `rest`.
  private static func having<Rest>(
    _ rest: Fields<Rest>
  ) -> ValueKind<(pattern: EventPattern, more: (has: TraceValues, rest: Rest))> {
    let has = ValueKind.object(PatternForm.values(TraceAttribute.allCases)).example(#"{"lane": "main"}"#)
    let more = Fields(Field("is", has, "the values of the event").required, rest) { (has: $0, rest: $1) }
    return PatternForm.pattern(with: more).validated { draft, node, _ in
      let (pattern, has) = (draft.pattern, draft.more.has)
      if has.isEmpty, let location = node["is"]?.range {
        return .pointless(
          never: "fail", "\"is\" has no values to compare", at: location, "add a value, such as \"lane\": \"main\"")
      }
      let known = pattern.kind.row.attributes + [.lane]
      let foreign = TraceAttribute.allCases.first { has[$0] != nil && !known.contains($0) }
      guard let foreign, let location = node["is"]?[foreign.rawValue] else { return nil }
      return Diagnostic(
        .unknownKey, "the event \"\(pattern.kind.rawValue)\" has no \"\(foreign.rawValue)\"", at: location.range,
        "it has only \(known.map(\.rawValue).joined(separator: ", "))")
    }.reachable(\.pattern).validated { draft, node, _ in
      guard draft.more.has.allSatisfy({ draft.pattern.values[$0] == $1 }) else { return nil }
      return .pointless(
        never: "fail", "\(draft.pattern.summary) always has these values", at: (node["is"] ?? node).range,
        "compare a value that the pattern does not contain")
    }
  }

  private static var atOnce: ValueKind<Kind> {
    PatternForm.pattern(with: Field("atMost", ValueKind.integer(1...1_000_000), "the maximum").required)
      .validated { draft, node, _ in
        guard draft.pattern.kind.row.ends.isEmpty, let location = node["event"] else { return nil }
        let known = TraceKind.allCases.filter { !$0.row.ends.isEmpty }.map(\.rawValue)
        return Diagnostic(
          .wrongValue, "\(quoted(draft.pattern.kind.rawValue)) begins no span, so \"atOnce\" has nothing to count",
          at: location.range, "choose from \(listed(known))")
      }.reachable(\.pattern).example(2, in: 1...1000) { #"{"event": "fetch.start", "atMost": \#($0)}"# }
      .map { .atOnce($0.pattern, atMost: $0.more) }
  }

  private static var apart: ValueKind<Kind> {
    PatternForm.pattern(with: Field("atLeast", ValueKind.duration, "the minimum").required)
      .validated { draft, node, _ in
        guard draft.more == .zero, let location = node["atLeast"] else { return nil }
        return .pointless(never: "fail", "every interval is at least 0", at: location.range, "choose a longer time")
      }.reachable(\.pattern).example { node, _ in
        #"{"event": "request.begin", "atLeast": "\#(time(node, or: .milliseconds(100)))"}"#
      }
      .map { .apart($0.pattern, atLeast: $0.more) }
  }

  private struct CountLimits: Sendable {
    let equals: Int?
    let atMost: Int?
    let atLeast: Int?

    var low: Int { equals ?? atLeast ?? 0 }
    var high: Int { equals ?? atMost ?? Int.max }
  }

  private static var count: ValueKind<Kind> {
    let number = ValueKind.integer(0...1_000_000)
    let limits = Fields(
      Field("equals", number, "the exact number").optional, Field("atMost", number, "the maximum").optional,
      Field("atLeast", number, "the minimum").optional, make: CountLimits.init)
    return PatternForm.pattern(with: limits).validated { draft, node, reading in
      let (low, high) = (draft.more.low, draft.more.high)
      if (low, high) == (0, Int.max) {
        return .pointless(
          never: "fail", "every count is at least 0", at: node["atLeast"]?.range ?? node.start,
          "add \"equals\", \"atMost\", or an \"atLeast\" above 0")
      }
      if draft.more.equals != nil, let other = node["atMost"] ?? node["atLeast"] {
        return Diagnostic(
          .duplicate, "\"equals\" cannot be combined with another limit", at: other.range, "keep one of them")
      }
      if low > high {
        return Diagnostic(
          .wrongValue, "no count is at least \(low) and at most \(high)", at: node["atLeast"]?.range ?? node.start)
      }
      guard let most = reading.reach?.maximumEvents, low > most || low == 0 && high >= most else { return nil }
      let (verdict, location) = low == 0 ? ("fail", node["atMost"]) : ("hold", node["equals"] ?? node["atLeast"])
      return .pointless(
        never: verdict, "a run has at most \(most) events", at: location?.range ?? node.start,
        "choose a smaller number")
    }.reachable(\.pattern).example { node, _ in
      let number = if case .number(let number) = node.content { number.integer } else { Int?.none }
      return #"{"event": "fetch.done", "equals": \#(number ?? 1)}"#
    }.map { .count($0.pattern, in: $0.more.low...$0.more.high) }
  }

  private static var within: ValueKind<Kind> {
    let more = Fields(
      Field(
        "after", start,
        "the id of a step, or a pattern: the time counts from that step, or from the first event that matches; by "
          + "default from the start of the run"
      ).optional,
      Field("limit", ValueKind.duration, "the time limit").required
    ) { (after: $0, limit: $1) }
    return PatternForm.pattern(with: more).reachable(\.pattern)
      .example { node, reading in
        #"{"event": "ui.update", "shown": \#(quoted(reading.declared.exampleImage)), "limit": "\#(time(node, or: .seconds(1)))"}"#
      }
      .map { .within($0.pattern, after: $0.more.after, limit: $0.more.limit) }
  }

  /// Returns the duration that was written without an object, or another one.
  private static func time(_ node: JSONNode, or standard: Duration) -> String {
    (node.word.flatMap { Duration(spelled: $0) } ?? standard).spelled
  }

  /// The start of a time limit: a pattern, or the id of a step.
  private static var start: ValueKind<Scenario.Expectation.Start> {
    let step = ValueKind.text.validated { id, node, reading in
      let steps = reading.declared.steps
      guard !steps.contains(id) else { return nil }
      return Diagnostic(
        .unknownStep, "there is no step \(quoted(id))", at: node.range,
        steps.advice(for: id, orElse: "give the step an \"id\"", only: "the only id is"))
    }
    return .either(
      object: PatternForm.pattern.unless(StepForm.reference).map { .event($0) }, other: step.map { .step($0) })
  }

  /// Maps common words for the outcome of a fetch to the words of the format.
  private static let commonWords = [
    "done": "loaded", "ok": "loaded", "success": "loaded", "finished": "loaded", "error": "failed",
    "canceled": "cancelled", "timeout": "error:timedOut",
  ].merging((300...599).map { ("error:\($0)", "error:badStatus") }) { word, _ in word }

  private static var outcome: ValueKind<Kind> {
    let plain: [(String, Scenario.Outcome)] = [
      ("loaded", .loaded), ("failed", .failed), ("cancelled", .cancelled), ("none", .none),
    ]
    let errors = Scenario.ErrorCategory.allCases.map { ("error:\($0.rawValue)", Scenario.Outcome.error($0)) }
    let words = Dictionary(uniqueKeysWithValues: plain + errors)
    let outcome = ValueKind.word("outcome", (plain + errors).map(\.0), meant: Self.commonWords)
    let ending = Fields(
      Field("image", ValueKind.image, "the id of an image").required,
      Field("is", outcome.map { words[$0] ?? .none }, "the outcome of its last fetch").required
    ) { (image: $0, outcome: $1) }
    return ValueKind.object(ending).unless { node, reading in
      guard case .object(let object) = node.content, object.members.count == 1,
        let image = object.members.first(where: { reading.declared.images?.contains($0.key) == true })
      else { return nil }
      return Diagnostic(
        .unknownKey, "the image and its outcome need keys", at: image.keyRange,
        "write {\"image\": \(quoted(image.key)), \"is\": \(image.value.spelled)}")
    }.example { _, reading in
      "{\"image\": \(quoted(reading.declared.exampleImage)), \"is\": \"loaded\"}"
    }.validated { ending, node, reading in
      reading.reach?.obstacle(toFetchOf: ending.image).map { obstacle in
        .pointless(
          never: ending.outcome == .none ? "fail" : "hold", obstacle.message, at: (node["image"] ?? node).range,
          obstacle.advice)
      }
    }.map { .outcome(image: $0.image, is: $0.outcome) }
  }

  private static var leaks: ValueKind<Kind> {
    let leaks = Fields(
      Scenario.Leaks(),
      [
        Setting("models", .integer(0...1000), \.models, "the maximum number of images; default 0"),
        Setting(
          "subscriptions", .integer(0...1000), \.subscriptions, "the maximum number of subscriptions; default 0"),
      ])
    return ValueKind.object(leaks).example(0, in: 0...1000) { #"{"models": \#($0)}"# }.map { .leaks($0) }
  }

  private static var lane: ValueKind<Kind> {
    let lane = Field("is", ValueKind.lane(), "the lane").required
    return PatternForm.pattern(with: lane).reachable(\.pattern).example(#"{"event": "ui.update", "is": "main"}"#)
      .validated { draft, node, _ in
        guard draft.pattern.values[.lane] == draft.more.rawValue else { return nil }
        return .pointless(
          never: "fail", "\(draft.pattern.summary) is always on \(draft.more.rawValue)",
          at: (node["is"] ?? node).range, "remove this expectation")
      }.map { .lane($0.pattern, is: $0.more) }
  }

  private static var stall: ValueKind<Kind> {
    ValueKind.object(Field("atMost", ValueKind.duration, "the maximum").required)
      .example { node, _ in #"{"atMost": "\#(time(node, or: .milliseconds(20)))"}"# }
      .map { .stall(atMost: $0) }
  }
}
