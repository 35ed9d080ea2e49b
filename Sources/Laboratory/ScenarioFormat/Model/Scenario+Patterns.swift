extension Scenario {
  /// Of a post without subscribers, the `subscriber`.
  package static let noSubscriber = "none"

  /// Whether some pattern asks for what the model and its views do with the bus, or for the subscribers of a post. One without a
  /// topic does.
  package var needsBus: Bool {
    let usesModel = program != Self.standardProgram || steps.contains { $0.action.view != nil }
    return patterns.contains { pattern in
      guard pattern.kind.isOfBus else { return false }
      let isOfStep = pattern.values[.topic].map { ModelTopic(rawValue: $0) == nil } == true
      return usesModel && !isOfStep || pattern.kind == .busPost && pattern.values[.subscriber] != nil
    }
  }

  private var patterns: [EventPattern] {
    let starts = steps.compactMap { if case .afterEvent(let pattern, _) = $0.start { pattern } else { nil } }
    return starts + expectations.flatMap(\.kind.patterns)
  }

  /// The names of the header fields that some pattern asks for, in small letters.
  package var watchedHeaders: Set<String> {
    let lines = patterns.compactMap { $0.values[.header] }
    return Set(lines.map { String($0.prefix { $0 != ":" }) })
  }
}

extension Scenario.Expectation.Kind {
  /// Its patterns. What an `always` or an `nth` wants of its events is one more.
  fileprivate var patterns: [EventPattern] {
    switch self {
    case .never(let pattern), .count(let pattern, _), .atOnce(let pattern, _), .apart(let pattern, _),
      .lane(let pattern, _):
      [pattern]
    case .always(let pattern, let has), .nth(let pattern, _, let has):
      [pattern, EventPattern(kind: pattern.kind, values: has)]
    case .order(let patterns): patterns
    case .within(let pattern, let start, _): [pattern, start].compactMap(\.self)
    case .final, .outcome, .leaks, .stall: []
    }
  }
}
