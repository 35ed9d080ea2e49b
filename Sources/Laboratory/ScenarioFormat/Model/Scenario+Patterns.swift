extension Scenario {
  /// The names of the header fields that some pattern asks for, in small letters.
  package var watchedHeaders: Set<String> {
    let starts = steps.compactMap { if case .afterEvent(let pattern, _) = $0.start { pattern } else { nil } }
    let lines = (starts.map(\.values) + expectations.flatMap(\.kind.values)).compactMap { $0[.header] }
    return Set(lines.map { String($0.prefix { $0 != ":" }) })
  }
}

extension Scenario.Expectation.Kind {
  /// The values that its patterns name.
  fileprivate var values: [TraceValues] {
    switch self {
    case .never(let pattern), .count(let pattern, _), .atOnce(let pattern, _), .apart(let pattern, _),
      .lane(let pattern, _):
      [pattern.values]
    case .always(let pattern, let has), .nth(let pattern, _, let has): [pattern.values, has]
    case .order(let patterns): patterns.map(\.values)
    case .within(let pattern, let start, _): [pattern, start].compactMap { $0?.values }
    case .final, .outcome, .leaks, .stall: []
    }
  }
}
