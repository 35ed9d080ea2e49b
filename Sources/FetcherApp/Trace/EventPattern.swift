import FetcherModel

/// Picks events out of a trace: those of one kind that have certain values.
struct EventPattern: Sendable, Equatable {
  var kind = TraceEvent.Kind.note
  var values: [TraceAttribute: String] = [:]

  /// Whether the event is one of those.
  func matches(_ event: TraceEvent) -> Bool {
    event.kind == kind && values.allSatisfy { event.values[$0.key].map { UTF8Key($0) } == UTF8Key($0.value) }
  }

  /// As in a message: `ui.update image=A view=detail`.
  var summary: String { TraceEvent(kind: kind, time: .zero, values: values).summary }
}
