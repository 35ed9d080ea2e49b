/// The table of fields of a step.
enum StepForm {
  /// A step as it is read, before its word decides which of its values count.
  private struct Draft: Sendable {
    enum Anchor: Sendable {
      case step(String)
      case event(EventPattern)
    }

    var at: Duration?
    var after: Anchor?
    var plus = Duration.zero
    var id: String?
    var view = Scenario.standardView
    var image: String?
    var strategy = ""
    var topic = ""
    var subscriber = ""
    var lane = TraceLane.main
    var delivery = Scenario.SubscriberLane.main
    var route = Scenario.Route()
    var text = ""
    var make: @Sendable (Draft) -> Scenario.Action = { _ in .waitIdle }

    var start: Scenario.Step.Start {
      switch after {
      case .step(let id): .after(step: id, plus: plus)
      case .event(let pattern): .afterEvent(pattern, plus: plus)
      case nil: .at(at ?? .zero)
      }
    }
  }

  /// All steps, in their order.
  static var steps: ValueKind<[Scenario.Step]> {
    let list = step.list()
    return ValueKind(list.schema) { node, reading in
      reading.times.allIDs = node.items.compactMap { $0["id"]?.word }
      guard let steps = list.read(node, &reading) else { return nil }
      reading.reach = Reach(steps)
      return steps
    }
  }

  private static var step: ValueKind<Scenario.Step> {
    let draft = TaggedForm(
      tag: "do", what: "step", empty: Draft(), choices: [.exactlyOne("at", "after")], common: common, cases: cases
    ).kind.checked { draft, node, reading in
      guard let plus = node["plus"], draft.after == nil else { return true }
      reading.report(.unknownKey, "without \"after\" there is no \"plus\"", at: plus.range, "write the sum into \"at\"")
      return false
    }
    return ValueKind(draft.schema.named("step")) { node, reading in
      guard let draft = draft.read(node, &reading) else { return nil }
      let step = Scenario.Step(start: draft.start, id: draft.id, action: draft.make(draft), range: node.range)
      guard check(step, node, &reading) else { return nil }
      reading.times.add(step)
      return step
    }
  }

  /// What depends on the steps above.
  private static func check(_ step: Scenario.Step, _ node: JSONNode, _ reading: inout Reading) -> Bool {
    let before = reading.diagnostics.count
    let times = reading.times
    if case .after(let id, _) = step.start, !times.knows(id), let place = node["after"]?.range {
      let isBelow = times.allIDs.contains(id)
      let message = isBelow ? "the step \(quoted(id)) comes later" : "there is no step \(quoted(id)) above"
      let known = times.ids.isEmpty ? "no step above has an id" : "there are \(times.ids.joined(separator: ", "))"
      let advice = isBelow ? "steps refer to those above them" : Spelling.hint(for: id, among: times.ids) ?? known
      reading.report(.unknownStep, message, at: place, advice)
    }
    if let time = times.time(of: step.start), time < times.latest,
      let place = (node["at"] ?? node["plus"] ?? node["after"])?.range
    {
      reading.report(
        .timeGoesBackwards, "the time goes backwards, to \(time.spelled)", at: place,
        "the step above is at \(times.latest.spelled)")
    }
    if let id = step.id, times.knows(id), let place = node["id"]?.range {
      reading.report(.duplicate, "there is a step \(quoted(id)) already", at: place, "choose another id")
    }
    return reading.diagnostics.count == before
  }

  private static var common: [Field<Draft>] {
    let anchor = ValueKind<Draft.Anchor>.either(
      object: PatternForm.anchor.map { .event($0) }, other: ValueKind.text.map { .step($0) })
    return [
      Field("at", .duration, \.at, "the time since the beginning"),
      Field(
        "after", anchor, \.after,
        "the id of a step above, or a pattern: the first such event that comes after the step before"),
      Field("plus", .duration, \.plus, "how long after it"),
      Field("id", .text, \.id, "how other steps refer to this one"),
    ]
  }

  private static var cases: [TaggedForm<Draft>.Case] {
    let view = Field<Draft>("view", .text, \.view, "the name of a view; default \(Scenario.standardView)")
    let image = Field<Draft>("image", .image, \.image, "the id of an image")
    let topic = Field<Draft>("topic", .text, \.topic, "the topic of an event for subscribers in this file").required
    let subscriber = Field<Draft>("subscriber", .text, \.subscriber, "a name for who listens").required
    return [
      step("appear", "a view is about to be seen", [view]) { .appear(view: $0.view) },
      step("disappear", "a view is about to go", [view]) { .disappear(view: $0.view) },
      step("select", "an image is chosen for a view", [image.required, view]) {
        .select(image: $0.image ?? "", view: $0.view)
      },
      step("deselect", "a view gets no image any more", [view]) { .deselect(view: $0.view) },
      step(
        "switch", "fetches from now on use another strategy",
        [Field("strategy", .strategy, \.strategy, "its name").required]
      ) { .switchStrategy($0.strategy) },
      step("cancel", "the fetch of an image is cancelled", [image.required]) { .cancel(image: $0.image ?? "") },
      step("drop-model", "views and program let go of an image, or of all", [image]) { .dropModel(image: $0.image) },
      step(
        "publish", "an event is posted",
        [topic, Field("lane", .word("lane", [.main, .workers]), \.lane, "where; default main")]
      ) { .publish(topic: $0.topic, lane: $0.lane) },
      step(
        "subscribe", "somebody begins to listen",
        [subscriber, topic, Field("delivery", .word("delivery"), \.delivery, "where it is called; default main")]
      ) { .subscribe(subscriber: $0.subscriber, topic: $0.topic, delivery: $0.delivery) },
      step("unsubscribe", "somebody stops listening", [subscriber]) { .unsubscribe(subscriber: $0.subscriber) },
      step("memory-warning", "the cache is emptied") { _ in .memoryWarning },
      step("origin", "a path gets other answers", ResponseForm.routeFields.map { $0.within(\.route) }) {
        .origin($0.route)
      },
      step("wait-idle", "the next step waits until nothing is in flight") { _ in .waitIdle },
      step("note", "a line for the timeline", [Field("text", .text, \.text, "the line").required]) { .note($0.text) },
    ]
  }

  private static func step(
    _ word: String, _ help: String, _ fields: [Field<Draft>] = [],
    make: @escaping @Sendable (Draft) -> Scenario.Action
  ) -> TaggedForm<Draft>.Case {
    TaggedForm.Case(word: word, help: help, fields: fields) { $0.make = make }
  }
}

extension ValueKind where Value: RawRepresentable<String> {
  /// One of some words of an enumeration.
  static func word(_ what: String, _ values: [Value]) -> ValueKind {
    ValueKind<String>.word(what, values.map(\.rawValue)).map { word in values.first { $0.rawValue == word }! }
  }
}
