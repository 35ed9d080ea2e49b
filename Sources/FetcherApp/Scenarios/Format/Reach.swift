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
    let cast = Cast(actions)
    possible = actions.flatMap { Self.direct($0, cast) + Self.indirect($0, cast) } + Self.deliveries(actions)
  }

  /// The lane on which every event happens that matches; nil if that is not known beforehand.
  func lane(of pattern: EventPattern) -> TraceLane? {
    let lanes = Set(possible.filter { $0.kind == pattern.kind && Self.agree($0, pattern) }.map { $0.values[.lane] })
    guard lanes.count == 1, let name = lanes.first ?? nil else { return nil }
    return TraceLane(rawValue: name)
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

  /// Who has a part in a scenario: nothing can happen to anybody else.
  private struct Cast {
    /// Views that appear.
    let views: Set<String>
    /// Images that are selected, and those selected for a view that appears.
    let images: [String]
    let seenImages: Set<String>
    /// The topics to which each subscriber listens.
    let topics: [String: [String]]

    init(_ actions: [Scenario.Action]) {
      let views = Set(actions.compactMap { if case .appear(let view) = $0 { view } else { nil } })
      let selections = actions.compactMap { if case .select(let image, let view) = $0 { (image, view) } else { nil } }
      self.views = views
      images = selections.map(\.0)
      seenImages = Set(selections.filter { views.contains($0.1) }.map(\.0))
      topics = actions.reduce(into: [:]) { topics, action in
        if case .subscribe(let name, let topic, _) = action { topics[name, default: []].append(topic) }
      }
    }
  }

  /// What a step does by itself.
  private static func direct(_ action: Scenario.Action, _ cast: Cast) -> [EventPattern] {
    switch action {
    case .appear(let view): [byUser(.viewAppear, [.view: view])]
    case .disappear(let view): [byUser(.viewDisappear, [.view: view])]
    case .select(let image, let view): [byUser(.viewSelect, [.view: view, .image: image])]
    case .deselect(let view): [byUser(.viewDeselect, [.view: view])]
    case .switchStrategy(let name): [byUser(.strategySwitch, [.strategy: name])]
    case .cancel(let image):
      cast.seenImages.contains(image) ? [EventPattern(kind: .fetchCancelled, values: [.image: image])] : []
    case .dropModel(let image):
      cast.images.filter { image ?? $0 == $0 }.map { byUser(.modelDrop, [.image: $0]) }
    case .publish(let topic, _): [EventPattern(kind: .busPost, values: [.topic: topic])]
    case .subscribe(let name, let topic, _):
      [byUser(.busSubscribe, [.topic: topic, .subscriber: name])]
        // Who listens a second time stops listening to the first.
        + (cast.topics[name, default: []].count > 1 ? unsubscriptions(of: name, cast) : [])
    case .unsubscribe(let name): unsubscriptions(of: name, cast)
    case .memoryWarning: [byUser(.memoryWarning)]
    case .origin(let route): [byUser(.originChange, [.path: route.path])]
    case .note(let text): [byUser(.note, [.text: text])]
    case .waitIdle: []
    }
  }

  private static func byUser(_ kind: TraceEvent.Kind, _ values: [TraceAttribute: String] = [:]) -> EventPattern {
    EventPattern(kind: kind, values: values.merging([.lane: TraceLane.user.rawValue]) { $1 })
  }

  private static func unsubscriptions(of name: String, _ cast: Cast) -> [EventPattern] {
    cast.topics[name, default: []].map { byUser(.busUnsubscribe, [.topic: $0, .subscriber: name]) }
  }

  /// What comes of it: a view that is seen and has an image draws it, and an image that is drawn is fetched.
  private static func indirect(_ action: Scenario.Action, _ cast: Cast) -> [EventPattern] {
    switch action {
    case .appear(let view): [EventPattern(kind: .uiUpdate, values: [.view: view])]
    case .select(let image, let view) where cast.views.contains(view):
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
