import FetcherModel

/// Events that may occur, those that are alike in one.
struct PossibleEvent: Sendable {
  let kind: TraceEvent.Kind
  /// What each attribute can be. One that is not named can be anything, and one without values is never there.
  var values: [TraceAttribute: Set<UTF8Key>]

  /// What a step does.
  static func byUser(_ kind: TraceEvent.Kind, _ values: [TraceAttribute: Set<String>] = [:]) -> PossibleEvent {
    PossibleEvent(kind, values, lanes: [.user])
  }

  /// What comes of it, on whatever thread.
  static func byProgram(_ kind: TraceEvent.Kind, _ values: [TraceAttribute: Set<String>]) -> PossibleEvent {
    PossibleEvent(kind, values, lanes: [.main, .workers])
  }

  private init(_ kind: TraceEvent.Kind, _ values: [TraceAttribute: Set<String>], lanes: [TraceLane]) {
    self.kind = kind
    self.values = values.mapValues { Set($0.map { UTF8Key($0) }) }
    self.values[.lane] = Set(lanes.map { UTF8Key($0.rawValue) })
  }

  /// Whether one of them may have the values of a pattern of its kind.
  func agrees(with pattern: EventPattern) -> Bool {
    pattern.values.allSatisfy { values[$0.key]?.contains(UTF8Key($0.value)) ?? true }
  }
}
