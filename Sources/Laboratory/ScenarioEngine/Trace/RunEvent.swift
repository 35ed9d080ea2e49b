package import ScenarioFormat

/// One thing that happened in a run.
package struct RunEvent: Sendable, Equatable {
  package let kind: TraceKind
  /// Since the run began.
  package var time: Duration
  /// What is known about it.
  package var values: TraceValues = [:]

  package subscript(attribute: TraceAttribute) -> String? { values[attribute] }

  /// As one line: the kind, then what is known, always in the same order.
  package var summary: String { EventPattern(kind: kind, values: values).summary }

  /// What happened, in a few words, without its lane.
  package var caption: String {
    // The image says as much as the path, except where there is none.
    let hidden: [TraceAttribute] = values[.image] == nil ? [.lane] : [.lane, .path]
    let parts = TraceAttribute.allCases.filter { !hidden.contains($0) }.compactMap { values[$0].map(visible) }
    return ([kind.rawValue] + parts).joined(separator: " ")
  }
}

extension EventPattern {
  /// Whether the event is one of those.
  package func matches(_ event: RunEvent) -> Bool { matches(event.kind, event.values) }
}
