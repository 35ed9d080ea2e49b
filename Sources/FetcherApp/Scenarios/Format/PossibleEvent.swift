/// Events that may occur, those that are alike in one.
struct PossibleEvent: Sendable {
  let kind: TraceEvent.Kind
  /// What each attribute can be. One that is not named can be anything, and one without values is never there.
  var values: [TraceAttribute: Set<String>]

  /// What a step does.
  static func byUser(_ kind: TraceEvent.Kind, _ values: [TraceAttribute: Set<String>] = [:]) -> PossibleEvent {
    PossibleEvent(kind: kind, values: values.merging([.lane: [TraceLane.user.rawValue]]) { $1 })
  }

  /// What comes of it, on whatever thread.
  static func byProgram(_ kind: TraceEvent.Kind, _ values: [TraceAttribute: Set<String>]) -> PossibleEvent {
    let lanes: Set = [TraceLane.main.rawValue, TraceLane.workers.rawValue]
    return PossibleEvent(kind: kind, values: values.merging([.lane: lanes]) { $1 })
  }

  /// Whether one of them may have the values of a pattern of its kind.
  func agrees(with pattern: EventPattern) -> Bool {
    pattern.values.allSatisfy { values[$0.key]?.contains($0.value) ?? true }
  }
}
