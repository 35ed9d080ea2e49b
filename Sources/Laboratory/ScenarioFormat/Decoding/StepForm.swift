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
    var delivery = Scenario.SubscriberDelivery.main
    var route = Scenario.Route()
    var text = ""
    var phase: [Scenario.Response]?
    var headers: [Scenario.Response.Header] = []
    var length = Duration.zero
    var control = ""
    var make: @Sendable (Draft) -> Scenario.Action = { _ in .waitIdle }

    /// Nil where the step does not say when it is done, or says it twice.
    var start: Scenario.Step.Start? {
      switch (at, after) {
      case (let time?, nil): .at(time)
      case (nil, .step(let id)): .after(step: id, plus: plus)
      case (nil, .event(let pattern)): .afterEvent(pattern, plus: plus)
      default: nil
      }
    }
  }

  /// All steps, in their order.
  static var steps: ValueKind<[Scenario.Step]> {
    let list = step.list()
    let entry = Schema.either([step.schema, Repetition.repeatedSteps.schema])
    return ValueKind(.list(of: entry, count: 0...Int.max)) { node, reading in
      guard let steps = list.read(node, &reading) else { return nil }
      reading.reach = Reach(steps, hasOwnPages: reading.declared.program != Scenario.standardProgram)
      return steps
    }
  }

  static var step: ValueKind<Scenario.Step> {
    let draft = Form(
      empty: Draft(), choices: [.exactlyOne("at", "after")], fields: common, tag: Tag("do", what: "step", cases),
      rules: [
        Rule(run: validateSum), Rule(run: validateOrigin), Rule("id", run: validateID),
        Rule("view", run: validateProgram),
        Rule("at", "after", "plus", run: validateTime),
      ]
    ).kind.located(\.route.location, at: "path")
    return ValueKind(.named("step", draft.schema)) { node, reading in
      let draft = draft.read(node, &reading)
      // Whatever is wrong with it, steps below may refer to it.
      if let id = node["id"]?.word { reading.times.add(id, at: nil) }
      guard let draft, let start = draft.start else { return nil }
      return Scenario.Step(start: start, id: draft.id, action: draft.make(draft), range: node.range)
    }
  }

  private static func validateSum(_ draft: Draft, _ node: JSONNode, _ reading: inout Reading) {
    guard let plus = node["plus"], node["after"] == nil else { return }
    reading.report(.unknownKey, "without \"after\" there is no \"plus\"", at: plus.range, "write the sum into \"at\"")
  }

  /// The new answers are for one path, or for all.
  private static func validateOrigin(_ draft: Draft, _ node: JSONNode, _ reading: inout Reading) {
    guard let word = node["do"], word.word == "origin", case .object(let object) = node.content else { return }
    for key in ["path", "responses"] {
      if draft.phase != nil, let member = object[key] {
        reading.report(.duplicate, "\(quoted(key)) beside \"all\"", at: member.keyRange, "keep one of them")
      } else if object["all"] == nil, object[key] == nil {
        reading.report(.missing, "missing \"\(key)\" for the step \"origin\"", at: word.range, "add \"\(key)\"")
      }
    }
  }

  /// What the program knows nothing of would be ignored.
  private static func validateProgram(_ draft: Draft, _ node: JSONNode, _ reading: inout Reading) {
    guard let steps = reading.vocabulary.program(reading.declared.program)?.steps, let location = node["do"],
      let word = location.word,
      programSteps.contains(word)
    else { return }
    let program = "the program \(quoted(reading.declared.program))"
    guard let views = steps[word] else {
      return reading.report(
        .wrongValue, "\(program) does nothing at the step \(quoted(word))", at: location.range,
        "of such steps it knows \(listed(steps.keys.sorted()))")
    }
    guard !views.isEmpty, !views.contains(draft.view) else { return }
    guard let view = node["view"] else {
      return reading.report(
        .missing, "missing \"view\" for the step \(quoted(word)) of \(program)", at: location.range,
        "there are \(listed(views))")
    }
    if let problem = Diagnostic.unknown("view", draft.view, among: views, at: view.range) { reading.report(problem) }
  }

  /// The steps that are the program's business; the engine takes the others.
  private static let programSteps: Set = [
    "appear", "disappear", "select", "deselect", "switch", "cancel", "drop-model", "memory-warning", "send", "tap",
  ]

  private static func validateID(_ draft: Draft, _ node: JSONNode, _ reading: inout Reading) {
    guard let id = draft.id, reading.times.knows(id), let location = node["id"]?.range else { return }
    reading.report(.duplicate, "there is a step \(quoted(id)) already", at: location, "choose another id")
  }

  /// Compares the time with those of the steps above, and keeps it for those below.
  private static func validateTime(_ draft: Draft, _ node: JSONNode, _ reading: inout Reading) {
    guard let start = draft.start else { return }
    if case .after(let id, _) = start, !reading.times.knows(id), let location = node["after"]?.range {
      return reportUnknown(id, at: location, &reading)
    }
    let (time, latest) = (reading.times.time(of: start), reading.times.latest)
    if let time, time < latest, let location = (node["at"] ?? node["plus"] ?? node["after"])?.range {
      // Only a further round stands at or above what came before it.
      let isRound = node.range.lowerBound <= reading.times.location
      return reading.report(
        .timeGoesBackwards, "the time goes backwards, to \(time.spelled)\(isRound ? ", in a further round" : "")",
        at: location,
        isRound
          ? "the round before ends at \(latest.spelled); rounds do not overlap, but one may end what an earlier one began, with {n-1}"
          : "the step above is at \(latest.spelled)")
    }
    reading.times.add(draft.id, at: time, location: node.range.lowerBound)
  }

  private static func reportUnknown(_ id: String, at location: Range<Int>, _ reading: inout Reading) {
    let known = reading.declared.steps
    guard !known.contains(id) else {
      return reading.report(
        .unknownStep, "the step \(quoted(id)) comes later", at: location, "steps refer to those above them")
    }
    let above = Names(known.list.filter(reading.times.knows))
    reading.report(
      .unknownStep, "there is no step \(quoted(id)) above", at: location,
      above.advice(for: id, orElse: "no step above has an id"))
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
      Field("id", .name, \.id, "how other steps refer to this one"),
    ]
  }

  private static var cases: [Tag<Draft>.Case] {
    let view = Field<Draft>("view", .name, \.view, "the name of a view; default \(Scenario.standardView)")
    let image = Field<Draft>("image", .image, \.image, "the id of an image")
    let topic = Field<Draft>("topic", .topic, \.topic, "the topic of an event for subscribers in this file").required
    let subscriber = Field<Draft>("subscriber", .subscriber, \.subscriber, "a name for who listens").required
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
      step(
        "origin", "a path gets other answers, or all paths do",
        ResponseForm.routeFields.map { $0.optional.within(\.route) } + [
          Field(
            "all", ResponseForm.answers(), \.phase,
            "instead of path and responses: what all paths together answer, whatever they would answer themselves; an empty "
              + "list ends that")
        ]
      ) { draft in
        guard let phase = draft.phase else { return .origin(draft.route) }
        var route = draft.route
        route.responses = phase
        return .originOfAll(phase.isEmpty ? nil : route)
      },
      step(
        "send", "fetches from now on send these header fields, and no others",
        [Field("headers", HeaderForm.headers, \.headers, "the fields; `blocking` sends none").required]
      ) { .send($0.headers) },
      step(
        "busy", "main is busy, and can do nothing else",
        [Field("for", .duration, \.length, "how long").required]
      ) { .busy($0.length) },
      step("wait-idle", "the next step waits until nothing is in flight") { _ in .waitIdle },
      step(
        "tap", "a control of a page is touched; which ones there are, the program says",
        [Field("control", .control, \.control, "its name and, after a space, what it is for").required, view]
      ) { .tap(control: $0.control, view: $0.view) },
      step("note", "a line for the timeline", [Field("text", .text, \.text, "the line").required]) { .note($0.text) },
    ]
  }

  private static func step(
    _ word: String, _ help: String, _ fields: [Field<Draft>] = [],
    make: @escaping @Sendable (Draft) -> Scenario.Action
  ) -> Tag<Draft>.Case {
    Tag.Case(word: word, help: help, fields: fields) { $0.make = make }
  }
}

extension ValueKind where Value: RawRepresentable<String> {
  /// One of some words of an enumeration.
  static func word(_ what: String, _ values: [Value]) -> ValueKind {
    ValueKind<String>.word(what, values.map(\.rawValue)).map { word in values.first { $0.rawValue == word }! }
  }
}
