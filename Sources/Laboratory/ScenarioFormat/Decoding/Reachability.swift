import PlainText

/// The possible events of a run, as far as they can be determined from its steps.
///
/// The result does not depend on the behavior of a program. It does not predict the effects of a fetch, a redirect or a
/// view. Therefore it never rejects an expectation that a broken program could violate, with one exception: a view that
/// no step shows draws nothing.
struct Reachability: Sendable {
  /// The reason why an event cannot occur.
  struct Obstacle: Sendable {
    let message: String
    /// The attribute of the pattern that cannot match, or nil if the pattern's kind cannot match.
    let attribute: TraceAttribute?
    fileprivate let value: String
    /// The values that the steps use for this attribute.
    fileprivate let known: Names

    var advice: String {
      known.advice(for: value, orElse: "add such a step, or remove this", "the steps use", only: "the steps use only")
    }
  }

  private let kinds: Set<TraceKind>
  /// Whether a step refers to a view, so that the model and its views may use the bus.
  private let usesModel: Bool
  /// For each attribute whose values come only from steps, the values that the steps use.
  private let names: [TraceAttribute: Names]

  /// The maximum number of events in a run.
  let maximumEvents: Int
  /// The views that steps show, or nil if the program also shows views itself.
  let appearing: Names?

  /// - Parameter hasOwnPages: whether the program selects images and shows views without a step.
  init(_ steps: [Scenario.Step], hasOwnPages: Bool = false) {
    var words = Words()
    for step in steps { words.add(step.action) }
    let own: Set<TraceKind> = hasOwnPages ? [.viewAppear, .viewDisappear, .viewSelect, .viewDeselect] : []
    kinds = words.kinds.union(own)
    usesModel = hasOwnPages || !(words.names[.view] ?? []).isEmpty
    if usesModel { words.names[.topic]?.formUnion(ModelTopic.allCases.map(\.rawValue)) }
    let views = words.names[.view] ?? []
    words.names[.subscriber]?.formUnion(views)
    let ofPages: [TraceAttribute] = hasOwnPages ? [.view, .image, .subscriber] : []
    names = words.names.filter { !ofPages.contains($0.key) }.mapValues { Names($0.sorted()) }
    maximumEvents = RunLength.maximumEvents(steps: steps.count)
    appearing = hasOwnPages ? nil : Names(words.appearing.sorted())
  }

  /// Returns the reason why no event can match the pattern, or nil if an event can match it.
  func obstacle(to pattern: EventPattern) -> Obstacle? {
    guard kinds.contains(pattern.kind) || isOfModel(pattern) else {
      guard usesModel, pattern.kind.isOfBus, let topics = names[.topic] else {
        return unreachable(pattern, nil, Names([]))
      }
      return unreachable(pattern, .topic, topics)
    }
    if pattern.kind == .uiUpdate, let appearing {
      let view = pattern.values[.view]
      if view.map({ !appearing.contains($0) }) ?? appearing.list.isEmpty {
        return Obstacle(
          message:
            "a pattern that can never match: no step makes \(view.map { "the view \(quoted($0))" } ?? "a view") appear, so it draws nothing",
          attribute: .view, value: view ?? Scenario.standardView, known: Names([]))
      }
    }
    for attribute in TraceAttribute.allCases {
      if attribute == .subscriber, pattern.kind == .busPost, pattern.values[.subscriber] == Scenario.noSubscriber {
        continue
      }
      guard let value = pattern.values[attribute], let known = names[attribute], !known.contains(value) else {
        continue
      }
      return unreachable(pattern, attribute, known)
    }
    return nil
  }

  /// Returns whether a pattern matches bus events of the model or of a view.
  private func isOfModel(_ pattern: EventPattern) -> Bool {
    usesModel && pattern.kind.isOfBus && pattern.values[.topic].map { ModelTopic(rawValue: $0) != nil } != false
  }

  /// Returns the reason why an image is never fetched, or nil if it may be fetched.
  func obstacle(toFetchOf image: String) -> Obstacle? {
    obstacle(to: EventPattern(kind: .fetchStart, values: [.image: image])).map { obstacle in
      Obstacle(
        message: "no step selects \(quoted(image))", attribute: .image, value: obstacle.value, known: obstacle.known)
    }
  }

  private func unreachable(_ pattern: EventPattern, _ attribute: TraceAttribute?, _ known: Names) -> Obstacle {
    let subject =
      attribute.map { "\(pattern.kind.rawValue) with the \($0.rawValue) \(quoted(pattern.values[$0] ?? ""))" }
      ?? pattern.summary
    return Obstacle(
      message: "a pattern that can never match: no step of this file leads to \(subject)", attribute: attribute,
      value: attribute.flatMap { pattern.values[$0] } ?? "", known: known)
  }
}

/// Collects the names that occur in steps.
private struct Words {
  var kinds = Set(TraceKind.allCases.filter { !$0.row.course.needsStep })
  var names: [TraceAttribute: Set<String>] = [.view: [], .image: [], .topic: [], .subscriber: []]
  var appearing: Set<String> = []

  mutating func add(_ action: Scenario.Action) {
    if let event = action.event { allow(event.kind, event.values) }
    if let view = action.appearing { appearing.insert(view) }
    switch action {
    case .dropModel: allow(.modelDrop)
    case .publish(let topic, _): allow(.busPost, [.topic: topic])
    case .subscribe(let subscriber, let topic, _):
      // A second subscription with the same name ends the first one.
      allow(.busSubscribe, [.subscriber: subscriber, .topic: topic])
      kinds.formUnion([.busUnsubscribe, .busDeliver, .busDrop, .busDiscard, .busFail])
    case .unsubscribe: allow(.busUnsubscribe)
    default: break
    }
  }

  private mutating func allow(_ kind: TraceKind, _ values: TraceValues = [:]) {
    kinds.insert(kind)
    for (attribute, value) in values { names[attribute]?.insert(value) }
  }
}
