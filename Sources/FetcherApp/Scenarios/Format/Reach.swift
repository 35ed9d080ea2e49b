import FetcherModel

/// What the steps of a scenario can lead to.
struct Reach: Sendable {
  /// Why an event cannot occur.
  struct Obstacle: Sendable, Equatable {
    let message: String
    /// What of the event is in the way; nil for its kind.
    let attribute: TraceAttribute?
    let advice: String?
  }

  private let possible: [TraceEvent.Kind: [PossibleEvent]]

  /// - Parameters:
  ///   - images: those of the file; nil if they cannot be read.
  ///   - origin: what the file says of it; nil if that cannot be read.
  init(_ steps: [Scenario.Step], _ images: [Scenario.Image]?, _ origin: Scenario.Origin?) {
    let actions = steps.map(\.action)
    let cast = Cast(actions)
    let pictures = PossiblePictures(of: cast.seenImages, actions, images, origin)
    let events =
      actions.flatMap { Self.direct($0, cast) } + Self.indirect(cast, pictures) + Self.deliveries(actions)
    possible = Dictionary(grouping: events, by: \.kind)
  }

  /// The lane on which every event happens that matches; nil if that is not known beforehand.
  func lane(of pattern: EventPattern) -> TraceLane? {
    if let name = pattern.values[.lane] { return TraceLane(rawValue: name) }
    let lanes = possible[pattern.kind, default: []].filter { $0.agrees(with: pattern) }.map { $0.values[.lane] ?? [] }
    guard let first = lanes.first, first.count == 1, lanes.allSatisfy({ $0 == first }) else { return nil }
    return first.first.flatMap { TraceLane(rawValue: $0.text) }
  }

  /// Why no event can match; nil if one can.
  func obstacle(to pattern: EventPattern) -> Obstacle? {
    let candidates = possible[pattern.kind, default: []]
    if candidates.contains(where: { $0.agrees(with: pattern) }) { return nil }
    let culprit = TraceAttribute.allCases.first { attribute in
      guard let value = pattern.values[attribute] else { return false }
      return !candidates.isEmpty && !candidates.contains { $0.values[attribute]?.contains(UTF8Key(value)) ?? true }
    }
    guard let culprit, let value = pattern.values[culprit] else {
      return Obstacle(
        message: "a pattern that can never match: no step of this file leads to \(pattern.summary)",
        attribute: nil, advice: "add such a step, or remove this")
    }
    let known = Set(candidates.flatMap { $0.values[culprit] ?? [] }).sorted().map(\.text)
    let list = known.isEmpty ? "add such a step, or remove this" : "the steps know \(known.joined(separator: ", "))"
    return Obstacle(
      message: "a pattern that can never match: no step of this file leads to \(pattern.kind.rawValue) with the "
        + "\(culprit.rawValue) \(quoted(value))",
      attribute: culprit, advice: Spelling.hint(for: value, among: known) ?? list)
  }

  /// Why nothing can be expected of an image; nil if it may be fetched.
  func obstacle(toFetchOf image: String) -> Obstacle? {
    let start = EventPattern(kind: .fetchStart, values: [.image: image])
    return obstacle(to: start).map { obstacle in
      Obstacle(
        message: "no step selects \(quoted(image)) for a view that appears", attribute: .image, advice: obstacle.advice)
    }
  }

  /// Who has a part in a scenario: nothing can happen to anybody else.
  private struct Cast {
    /// Views that appear.
    let views: Set<String>
    /// Images that are selected, and those selected for a view that appears.
    let images: Set<String>
    let seenImages: Set<String>
    /// The topics to which each subscriber listens.
    let topics: [String: [String]]

    init(_ actions: [Scenario.Action]) {
      let views = Set(actions.compactMap { if case .appear(let view) = $0 { view } else { nil } })
      let selections = actions.compactMap { if case .select(let image, let view) = $0 { (image, view) } else { nil } }
      self.views = views
      images = Set(selections.map(\.0))
      seenImages = Set(selections.filter { views.contains($0.1) }.map(\.0))
      topics = actions.reduce(into: [:]) { topics, action in
        if case .subscribe(let name, let topic, _) = action { topics[name, default: []].append(topic) }
      }
    }
  }

  /// What a step does by itself.
  private static func direct(_ action: Scenario.Action, _ cast: Cast) -> [PossibleEvent] {
    switch action {
    case .appear(let view): [.byUser(.viewAppear, [.view: [view]])]
    case .disappear(let view): [.byUser(.viewDisappear, [.view: [view]])]
    case .select(let image, let view): [.byUser(.viewSelect, [.view: [view], .image: [image]])]
    case .deselect(let view): [.byUser(.viewDeselect, [.view: [view]])]
    case .switchStrategy(let name): [.byUser(.strategySwitch, [.strategy: [name]])]
    case .cancel(let image):
      cast.seenImages.contains(image) ? [.byProgram(.fetchCancelled, [.image: [image]])] : []
    case .dropModel(let image):
      image.map { cast.images.contains($0) ? [.byUser(.modelDrop, [.image: [$0]])] : [] }
        ?? (cast.images.isEmpty ? [] : [.byUser(.modelDrop, [.image: cast.images])])
    case .publish(let topic, _): [.byProgram(.busPost, [.topic: [topic]])]
    case .subscribe(let name, let topic, _):
      [.byUser(.busSubscribe, [.topic: [topic], .subscriber: [name]])]
        // Who listens a second time stops listening to the first.
        + (cast.topics[name, default: []].count > 1 ? unsubscriptions(of: name, cast) : [])
    case .unsubscribe(let name): unsubscriptions(of: name, cast)
    case .memoryWarning: [.byUser(.memoryWarning)]
    case .origin(let route): [.byUser(.originChange, [.path: [route.path.text]])]
    case .note(let text): [.byUser(.note, [.text: [text]])]
    case .waitIdle: []
    }
  }

  private static func unsubscriptions(of name: String, _ cast: Cast) -> [PossibleEvent] {
    cast.topics[name, default: []].map { .byUser(.busUnsubscribe, [.topic: [$0], .subscriber: [name]]) }
  }

  /// What comes of the steps: a view that is seen draws itself, and an image that is drawn is fetched.
  ///
  /// Views and images are not told apart further: that a view shows what was selected for another one is a mistake that a
  /// scenario may look for.
  private static func indirect(_ cast: Cast, _ pictures: PossiblePictures) -> [PossibleEvent] {
    guard !cast.views.isEmpty else { return [] }
    var update = PossibleEvent.byProgram(.uiUpdate, [.view: cast.views, .image: cast.seenImages])
    update.values[.shown] = pictures.shown.map { Set($0.map { UTF8Key($0) }) }
    guard !cast.seenImages.isEmpty else { return [update] }
    let kinds: [TraceEvent.Kind] = [.fetchStart, .fetchProgress, .fetchDone, .fetchFailed, .cacheHit]
    let fetches = kinds.map { PossibleEvent.byProgram($0, [.image: cast.seenImages]) }
    let requests = [TraceEvent.Kind.requestBegin, .requestEnd].map { kind in
      var request = PossibleEvent.byProgram(kind, [.image: cast.seenImages])
      request.values[.path] = pictures.paths
      return request
    }
    return [update] + fetches + requests
  }

  /// Who hears what is published.
  private static func deliveries(_ actions: [Scenario.Action]) -> [PossibleEvent] {
    let topics = Set(actions.compactMap { if case .publish(let topic, _) = $0 { topic } else { nil } })
    return actions.compactMap { action in
      guard case .subscribe(let name, let topic, _) = action, topics.contains(topic) else { return nil }
      return .byProgram(.busDeliver, [.topic: [topic], .subscriber: [name]])
    }
  }
}
