import PlainText

/// The field table of a step.
enum StepForm {
  private enum Anchor: Sendable {
    case step(String)
    case event(EventPattern)
  }

  /// The values that every step has.
  private struct StepKeys: Sendable {
    let at: Duration?
    let after: Anchor?
    let plus: Duration
    let id: String?

    /// The start of the step. Nil if the step gives no start time, or two.
    var start: Scenario.Step.Start? {
      switch (at, after) {
      case (let time?, nil): .at(time)
      case (nil, .step(let id)): .after(step: id, plus: plus)
      case (nil, .event(let pattern)): .afterEvent(pattern, plus: plus)
      default: nil
      }
    }
  }

  /// The value kind for the list of steps.
  static var steps: ValueKind<[Scenario.Step]> {
    let list = step.list().example("[\(example)]")
    let entry = Schema.either([step.schema, Repetition.repeatedSteps.schema])
    return ValueKind(.list(of: entry, count: 0...Int.max)) { node, reading in
      guard let steps = list.read(node, &reading) else { return nil }
      reading.reach = Reachability(steps, hasOwnPages: reading.declared.program != Scenario.standardProgram)
      return steps
    }
  }

  /// The value kind for one step. It is created only once.
  static let step: ValueKind<Scenario.Step> = {
    let step = ValueKind<Scenario.Step>.object(
      common, tag: tag,
      rules: [
        Rule(run: validateSum), Rule("id", run: validateID), Rule("at", "after", "plus", run: validateTime),
      ]
    ) { common, action in common.start.map { Scenario.Step(start: $0, id: common.id, action: action) } }
    .example { node, reading in node.word.flatMap { written($0, reading) } ?? example }.unless(misunderstood)
    return ValueKind(.named("step", step.schema)) { node, reading in
      var step = step.read(node, &reading)
      // Later steps may refer to this step, even if it is invalid.
      if let id = node["id"]?.word { reading.times.add(id, at: nil) }
      step?.range = node.range
      return step
    }
  }()

  private static let tag = Tag("do", what: "step", rows, meant: commonWords, advice: replacements)

  static let example = #"{"at": "0ms", "do": "appear"}"#

  /// Returns the step for a text such as `select A`, or nil if the text does not begin with a step.
  private static func written(_ text: String, _ reading: Reading) -> String? {
    let words = text.split(separator: " ").map(String.init)
    let keys = Dictionary(uniqueKeysWithValues: tag.words.map { ($0.name, $0.keys.map(\.name)) })
    guard let first = words.first, let name = keys[first] == nil ? commonWords[first] : first, var free = keys[name]
    else {
      return nil
    }
    let rest = words.dropFirst().compactMap { word -> String? in
      let isImage = reading.declared.images?.contains(word) == true
      guard let key = free.first(where: { $0 == "image" ? isImage : !isImage }) else { return nil }
      free.removeAll { $0 == key }
      return ", \"\(key)\": \(quoted(word))"
    }
    return "{\"at\": \"0ms\", \"do\": \"\(name)\"\(rest.joined())}"
  }

  /// Returns the problem with a tap on an image, because a tap is for a control of a page, or with steps that lack a
  /// `repeat`. Returns nil for other steps.
  private static func misunderstood(_ node: JSONNode, _ reading: Reading) -> Diagnostic? {
    if let steps = node["steps"], case .object(let object) = node.content {
      let number = object.members.first { if case .number = $0.value.content { true } else { false } }
      return Diagnostic(
        .missing, "missing \"repeat\" for the steps of a repetition", at: number?.keyRange ?? steps.start,
        number.map { "write \"repeat\": \($0.value.spelled)" } ?? "add \"repeat\", such as \"repeat\": 2")
    }
    guard let word = node["do"], word.word == "tap", node["image"] != nil, node["control"] == nil,
      reading.declared.program == Scenario.standardProgram
    else { return nil }
    return Diagnostic(
      .wrongValue, "the step \"tap\" is for a control; the step for an image is \"select\"", at: word.range,
      "write \"do\": \"select\"")
  }

  /// Returns the problem with an object for the id of a step, such as `{"step": "tap"}`. Returns nil for a pattern.
  @Sendable static func reference(_ node: JSONNode, _ reading: Reading) -> Diagnostic? {
    guard node["event"] == nil, let step = (node["id"] ?? node["step"])?.word else { return nil }
    return Diagnostic(
      .wrongValue, "expected the id of a step, found an object", at: node.range, "write \(quoted(step))")
  }

  /// Maps common words for steps to the words of the format.
  private static let commonWords = [
    "leave": "disappear", "hide": "disappear", "show": "appear", "open": "appear", "click": "select",
    "viewWillAppear": "appear", "viewDidAppear": "appear", "viewWillDisappear": "disappear",
    "viewDidDisappear": "disappear",
    "choose": "select", "clear": "deselect", "log": "note", "latency": "network", "bandwidth": "network",
    "slow": "network", "throttle": "network",
  ]

  private static let replacements: [String: String] = {
    let time =
      "give the next step a time: \"at\": \"500ms\", or \"after\" an id and \"plus\": \"500ms\"; "
      + "\"wait-idle\" waits for the requests"
    let expectation = ForeignKeys.placeOfExpectations
    var advice = ["retry": "fetches are retried without a step, as in \"limits\": {\"retries\": 1}"]
    for word in ["wait", "sleep", "delay", "pause"] { advice[word] = time }
    for word in ["expect", "assert", "check", "verify"] { advice[word] = expectation }
    return advice
  }()

  private static func validateSum(_ common: StepKeys, _ node: JSONNode, _ reading: inout Reading) {
    guard let plus = node["plus"], node["after"] == nil else { return }
    reading.report(.unknownKey, "\"plus\" needs \"after\"", at: plus.range, "add this time to \"at\" instead")
  }

  /// Verifies that the new responses are either for one path or for all paths.
  private static func validateOrigin(_: Void, _ node: JSONNode, _ reading: inout Reading) {
    guard case .object(let object) = node.content, let word = node["do"] else { return }
    for key in ["path", "responses"] {
      if object["all"] != nil, let member = object[key] {
        reading.report(
          .duplicate, "\(quoted(key)) cannot be combined with \"all\"", at: member.keyRange, "keep one of them")
      } else if object["all"] == nil, object[key] == nil {
        reading.report(.missing, "missing \"\(key)\" for the step \"origin\"", at: word.range, "add \"\(key)\"")
      }
    }
  }

  /// Reports steps and views that the program does not support, because it would ignore them.
  private static func validateProgram(_: Void, _ node: JSONNode, _ reading: inout Reading) {
    guard let steps = reading.vocabulary.program(reading.declared.program)?.steps, let location = node["do"],
      let word = location.word
    else { return }
    let program = "the program \(quoted(reading.declared.program))"
    guard let views = steps[word] else {
      return reading.report(
        .wrongValue, "\(program) does not support the step \(quoted(word))", at: location.range,
        "it supports \(listed(steps.keys.sorted()))")
    }
    guard !views.isEmpty, !views.contains(node["view"]?.word ?? Scenario.standardView) else { return }
    guard let view = node["view"] else {
      return reading.report(
        .missing, "missing \"view\" for the step \(quoted(word)) of \(program)", at: location.range,
        views.count == 1 ? "add \"view\": \(quoted(views[0]))" : "choose from \(listed(views))")
    }
    if let problem = Diagnostic.unknown("view", view.word ?? "", among: views, at: view.range) {
      reading.report(problem)
    }
  }

  private static func validateID(_ common: StepKeys, _ node: JSONNode, _ reading: inout Reading) {
    guard let id = common.id, reading.times.knows(id), let location = node["id"]?.range else { return }
    reading.report(.duplicate, "two steps have the id \(quoted(id))", at: location, "choose another id")
  }

  /// Compares the time with the times of earlier steps, and records it for later steps.
  private static func validateTime(_ common: StepKeys, _ node: JSONNode, _ reading: inout Reading) {
    guard let start = common.start else { return }
    if case .after(let id, _) = start, !reading.times.knows(id), let location = node["after"]?.range {
      return reportUnknown(id, at: location, &reading)
    }
    if node.round == nil { reading.times.endRepetition() }
    let (time, latest) = (reading.times.time(of: start), reading.times.latest)
    if let time, time < latest, let location = (node["at"] ?? node["plus"] ?? node["after"])?.range {
      // Only another round of a repetition can have a location at or before that of the previous step.
      guard let round = node.round, node.range.lowerBound <= reading.times.location else {
        return reading.report(
          .timeGoesBackwards, "this step is at \(time.spelled), before the step above it", at: location,
          "the step above is at \(latest.spelled)")
      }
      // The first step of a round shows by how much the rounds overlap.
      guard reading.times.isFirstOverlap() else { return }
      return reading.report(
        .timeGoesBackwards, "round \(round) begins \((latest - time).spelled) before the previous round ends",
        at: location,
        "increase \"every\" by \((latest - time).spelled), or do this step one round later, with {n-1}")
    }
    reading.times.add(common.id, at: time, location: node.range.lowerBound)
  }

  private static func reportUnknown(_ id: String, at location: Range<Int>, _ reading: inout Reading) {
    let known = reading.declared.steps
    guard !known.contains(id) else {
      return reading.report(
        .unknownStep, "the step \(quoted(id)) is further below", at: location, "a step can only refer to steps above it"
      )
    }
    let above = Names(known.list.filter(reading.times.knows))
    reading.report(
      .unknownStep, "there is no step \(quoted(id)) above", at: location,
      TraceKind(rawValue: id).map { _ in #"write {"event": \#(quoted(id))}"# }
        ?? Duration(spelled: id).map { _ in
          #"write "at": \#(quoted(id)), or "after" an id and "plus": \#(quoted(id))"#
        }
        ?? above.advice(for: id, orElse: "no step above has an id", only: "the only id above is"))
  }

  private static var common: Fields<StepKeys> {
    let anchor = ValueKind<Anchor>.either(
      object: PatternForm.anchor.unless(reference).map { .event($0) }, other: ValueKind.text.map { .step($0) })
    return Fields(
      Field("at", .duration, "the time since the start of the run").optional,
      Field(
        "after", anchor,
        "the id of a step above, or a pattern: the first matching event after the previous step"
      ).optional,
      Field("plus", .duration, "the delay after that step or event; default 0ms").or(.zero),
      Field("id", ValueKind.name, "the id of the step, for use in `after` of later steps").optional, make: StepKeys.init
    ).choosing(.exactlyOne("at", "after"))
  }

  private static var rows: [Tag<Scenario.Action>.Row] {
    let view = Field("view", ValueKind.name, "the name of a view; default \(Scenario.standardView)")
      .or(Scenario.standardView)
    let image = Field("image", ValueKind.image, "the id of an image")
    let topic = Field(
      "topic", ValueKind.topic, "the topic of the event; only steps in this file can post or subscribe to it"
    ).required
    let subscriber = Field("subscriber", ValueKind.subscriber, "the name of the subscriber").required
    return [
      program("appear", "a view is about to appear", view) { .appear(view: $0) },
      program("disappear", "a view is about to disappear", view) { .disappear(view: $0) },
      program("select", "an image is selected in a view", image.required, view) { .select(image: $0, view: $1) },
      program("deselect", "the selection of a view is cleared", view) { .deselect(view: $0) },
      program(
        "switch", "later fetches use another strategy",
        Field("strategy", ValueKind.strategy, "the name of the strategy").required
      ) { .switchStrategy($0) },
      program("cancel", "the fetch of an image is cancelled", image.required) { .cancel(image: $0) },
      program("drop-model", "the views and the program release one image, or all images", image.optional) {
        .dropModel(image: $0)
      },
      Tag.Row(
        "publish", "an event is posted", topic,
        Field(
          "lane", ValueKind.lane([.main, .workers]),
          "the lane on which the event is posted; default main"
        ).or(.main)
      ) { .publish(topic: $0, lane: $1) },
      Tag.Row(
        "subscribe", "a subscriber subscribes to a topic", subscriber, topic,
        Field(
          "delivery", ValueKind<Scenario.SubscriberDelivery>.word("delivery"),
          "the lane on which the subscriber is called; default main"
        ).or(.main)
      ) { .subscribe(subscriber: $0, topic: $1, delivery: $2) },
      Tag.Row("unsubscribe", "a subscription ends", subscriber) { .unsubscribe(subscriber: $0) },
      program("memory-warning", "the cache is emptied") { .memoryWarning },
      Tag.Row(
        "origin", "the responses of one path, or of all paths, change", origin,
        rules: [Rule("all", run: validateOrigin)]),
      Tag.Row(
        "network", "each later response has this latency and bandwidth, or without a key, those of the script",
        Field("latency", ResponseForm.latency, "the time to the first byte of each response").optional,
        Field("bandwidth", ResponseForm.bandwidth, "bytes of each body per second").optional
      ) { .network(Scenario.NetworkConditions(latency: $0, bandwidth: $1)) },
      program(
        "send", "later fetches send these header fields, and no others",
        Field("headers", HeaderForm.headers, "the header fields; `blocking` sends none").required
      ) { .send($0) },
      Tag.Row(
        "busy", "main is busy and runs nothing else", Field("for", ValueKind.duration, "the duration").required
      ) { .busy($0) },
      Tag.Row("wait-idle", "the next step waits until no request is in flight") { .waitIdle },
      program(
        "tap", "the user taps a control on a page; each program has its own controls",
        Field("control", ValueKind.control, "the name of the control and, after a space, its argument").required, view
      ) { .tap(control: $0, view: $1) },
      Tag.Row(
        "note", "a note appears in the timeline", Field("text", ValueKind.text, "the text of the note").required
      ) { .note($0) },
    ]
  }

  private static var origin: Fields<Scenario.Action> {
    Fields(
      Fields(Scenario.Route(), ResponseForm.routeFields.map(\.optional)).located(\.location.range, at: "path"),
      Field(
        "all", ResponseForm.answers(),
        "a list of responses for all paths, instead of path and responses; an empty "
          + "list restores the routes"
      ).optional
    ) { route, phase in
      guard let phase else { return .origin(route) }
      var route = route
      route.responses = phase
      return .originOfAll(phase.isEmpty ? nil : route)
    }
  }

  /// Returns the row for a step that the program performs. The engine performs the other steps.
  private static func program<each Value: Sendable>(
    _ word: String, _ help: String, _ fields: repeat Fields<each Value>,
    make: @escaping @Sendable (repeat each Value) -> Scenario.Action
  ) -> Tag<Scenario.Action>.Row {
    Tag.Row(word, help, Fields(repeat each fields, make: make), rules: [Rule("view", run: validateProgram)])
  }
}
