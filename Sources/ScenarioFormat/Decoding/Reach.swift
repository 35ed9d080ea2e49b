/// What can occur in a run of some steps, as far as their words decide it.
///
/// It knows no program: what a fetch, a redirect or a view leads to is not guessed, so that no expectation is refused that a
/// broken program could violate.
struct Reach: Sendable {
  /// Why an event cannot occur.
  struct Obstacle: Sendable, Equatable {
    let message: String
    /// Which attribute of the pattern is in the way; nil for its kind.
    let attribute: TraceAttribute?
    let advice: String
  }

  private var kinds = Set(TraceKind.allCases.filter { !$0.needsStep })
  /// The values that the steps name, for each attribute that only steps can name.
  private var names: [TraceAttribute: Set<String>] = [.view: [], .image: [], .topic: [], .subscriber: []]

  /// The views that steps let appear.
  private(set) var appearing: Set<String> = []

  init(_ steps: [Scenario.Step]) {
    for step in steps { add(step.action) }
  }

  /// Why no event can match; nil if one can.
  func obstacle(to pattern: EventPattern) -> Obstacle? {
    guard kinds.contains(pattern.kind) else { return unreachable(pattern, nil, "add such a step, or remove this") }
    for attribute in TraceAttribute.allCases {
      guard let value = pattern.values[attribute], let known = names[attribute], !known.contains(value) else {
        continue
      }
      let list =
        known.isEmpty ? "add such a step, or remove this" : "the steps know \(known.sorted().joined(separator: ", "))"
      return unreachable(pattern, attribute, Spelling.hint(for: value, among: known.sorted()) ?? list)
    }
    return nil
  }

  /// Why an image is never fetched; nil if it may be.
  func obstacle(toFetchOf image: String) -> Obstacle? {
    obstacle(to: EventPattern(kind: .fetchStart, values: [.image: image])).map { obstacle in
      Obstacle(message: "no step selects \(quoted(image))", attribute: .image, advice: obstacle.advice)
    }
  }

  private func unreachable(_ pattern: EventPattern, _ attribute: TraceAttribute?, _ advice: String) -> Obstacle {
    let subject =
      attribute.map { "\(pattern.kind.rawValue) with the \($0.rawValue) \(quoted(pattern.values[$0] ?? ""))" }
      ?? pattern.summary
    return Obstacle(
      message: "a pattern that can never match: no step of this file leads to \(subject)", attribute: attribute,
      advice: advice)
  }

  private mutating func add(_ action: Scenario.Action) {
    switch action {
    case .appear(let view):
      appearing.insert(view)
      allow(.viewAppear, [.view: view])
    case .disappear(let view): allow(.viewDisappear, [.view: view])
    case .select(let image, let view): allow(.viewSelect, [.view: view, .image: image])
    case .deselect(let view): allow(.viewDeselect, [.view: view])
    case .switchStrategy: allow(.strategySwitch)
    case .dropModel: allow(.modelDrop)
    case .publish(let topic, _): allow(.busPost, [.topic: topic])
    case .subscribe(let subscriber, let topic, _):
      // A second subscription under one name ends the first.
      allow(.busSubscribe, [.subscriber: subscriber, .topic: topic])
      kinds.formUnion([.busUnsubscribe, .busDeliver])
    case .unsubscribe: allow(.busUnsubscribe)
    case .memoryWarning: allow(.memoryWarning)
    case .origin: allow(.originChange)
    case .note: allow(.note)
    case .cancel, .waitIdle: break
    }
  }

  private mutating func allow(_ kind: TraceKind, _ values: [TraceAttribute: String] = [:]) {
    kinds.insert(kind)
    for (attribute, value) in values { names[attribute]?.insert(value) }
  }
}

extension TraceKind {
  /// Whether it occurs only where a step says so.
  fileprivate var needsStep: Bool {
    switch self {
    case .viewAppear, .viewDisappear, .viewSelect, .viewDeselect, .busPost, .busDeliver, .busSubscribe, .busUnsubscribe,
      .memoryWarning, .strategySwitch, .modelDrop, .originChange, .note:
      true
    case .uiUpdate, .fetchStart, .fetchProgress, .fetchDone, .fetchFailed, .fetchCancelled, .requestBegin, .requestEnd,
      .cacheHit:
      false
    }
  }
}
