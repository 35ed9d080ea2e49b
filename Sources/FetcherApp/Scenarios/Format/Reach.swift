/// What the steps of a scenario can lead to.
struct Reach: Sendable {
  /// Why an event cannot occur.
  struct Obstacle: Sendable, Equatable {
    let message: String
    /// What of the event is in the way; nil for its kind.
    let attribute: TraceAttribute?
    let advice: String?
  }

  /// Events that may occur. What they do not name can be anything.
  private let possible: [EventPattern]

  init(_ steps: [Scenario.Step]) {
    let actions = steps.map(\.action)
    possible = actions.flatMap { Self.direct($0) + Self.indirect($0) } + Self.deliveries(actions)
  }

  /// Why no event can match; nil if one can.
  func obstacle(to pattern: EventPattern) -> Obstacle? {
    let candidates = possible.filter { $0.kind == pattern.kind }
    if candidates.contains(where: { Self.agree($0, pattern) }) { return nil }
    let event = pattern.kind.rawValue
    let culprit = TraceAttribute.allCases.first { attribute in
      guard let value = pattern.values[attribute] else { return false }
      return !candidates.isEmpty && !candidates.contains { $0.values[attribute] ?? value == value }
    }
    guard let culprit, let value = pattern.values[culprit] else {
      return Obstacle(
        message: "a pattern that can never match: no step of this file leads to \(pattern.summary)",
        attribute: nil, advice: "add such a step, or remove this")
    }
    let known = candidates.compactMap { $0.values[culprit] }.reduce(into: [String]()) { known, value in
      if !known.contains(value) { known.append(value) }
    }
    return Obstacle(
      message: "a pattern that can never match: no step of this file leads to \(event) with the "
        + "\(culprit.rawValue) \(quoted(value))",
      attribute: culprit,
      advice: Spelling.hint(for: value, among: known) ?? "the steps know \(known.joined(separator: ", "))")
  }

  private static func agree(_ one: EventPattern, _ other: EventPattern) -> Bool {
    one.values.allSatisfy { other.values[$0.key] ?? $0.value == $0.value }
  }

  /// What a step does by itself.
  private static func direct(_ action: Scenario.Action) -> [EventPattern] {
    switch action {
    case .appear(let view): [EventPattern(kind: .viewAppear, values: [.view: view])]
    case .disappear(let view): [EventPattern(kind: .viewDisappear, values: [.view: view])]
    case .select(let image, let view): [EventPattern(kind: .viewSelect, values: [.view: view, .image: image])]
    case .deselect(let view): [EventPattern(kind: .viewDeselect, values: [.view: view])]
    case .switchStrategy(let name): [EventPattern(kind: .strategySwitch, values: [.strategy: name])]
    case .cancel(let image): [EventPattern(kind: .fetchCancelled, values: [.image: image])]
    case .dropModel(let image): [EventPattern(kind: .modelDrop, values: image.map { [.image: $0] } ?? [:])]
    case .publish(let topic, _): [EventPattern(kind: .busPost, values: [.topic: topic])]
    case .subscribe(let name, let topic, _):
      [EventPattern(kind: .busSubscribe, values: [.topic: topic, .subscriber: name])]
    case .unsubscribe(let name): [EventPattern(kind: .busUnsubscribe, values: [.subscriber: name])]
    case .memoryWarning: [EventPattern(kind: .memoryWarning)]
    case .origin(let route): [EventPattern(kind: .originChange, values: [.path: route.path])]
    case .note(let text): [EventPattern(kind: .note, values: [.text: text])]
    case .waitIdle: []
    }
  }

  /// What comes of it: a view that has an image draws it, and an image that is drawn is fetched.
  private static func indirect(_ action: Scenario.Action) -> [EventPattern] {
    switch action {
    case .appear(let view), .deselect(let view): [EventPattern(kind: .uiUpdate, values: [.view: view])]
    case .select(let image, let view):
      [EventPattern(kind: .uiUpdate, values: [.view: view, .image: image])]
        + [
          TraceEvent.Kind.fetchStart, .fetchProgress, .fetchDone, .fetchFailed, .requestBegin, .requestEnd, .cacheHit,
        ].map { EventPattern(kind: $0, values: [.image: image]) }
    default: []
    }
  }

  /// Who hears what is published.
  private static func deliveries(_ actions: [Scenario.Action]) -> [EventPattern] {
    let topics = actions.compactMap { if case .publish(let topic, _) = $0 { topic } else { nil } }
    return actions.compactMap { action in
      guard case .subscribe(let name, let topic, _) = action, topics.contains(topic) else { return nil }
      return EventPattern(kind: .busDeliver, values: [.topic: topic, .subscriber: name])
    }
  }
}
