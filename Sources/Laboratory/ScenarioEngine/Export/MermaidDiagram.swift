import ScenarioFormat

/// A trace as a Mermaid sequence diagram, for documents.
package struct MermaidDiagram: Sendable {
  let events: [RunEvent]

  package init(events: [RunEvent]) { self.events = events }

  /// The lines of the diagram.
  package var lines: [String] {
    let bus = events.contains { $0.kind.isOfBus } ? ["bus"] : []
    let participants = TraceLane.allCases.flatMap { [$0.rawValue] + ($0 == .main ? bus : []) }
    return ["sequenceDiagram"] + participants.map { "  participant \($0)" } + events.map { "  " + line($0) }
  }

  private func line(_ event: RunEvent) -> String {
    let caption = event.kind.isOfBus ? event.busCaption : event.caption
    let text = "\((event.time.inSeconds * 1000).fixed(1)) ms " + Self.escaped(caption)
    let lane = event[.lane] ?? "main"
    switch event.kind {
    case .viewAppear, .viewDisappear, .viewSelect, .viewDeselect, .viewTap, .strategySwitch, .headersChange,
      .memoryWarning, .modelDrop, .originChange:
      return "user->>main: \(text)"
    case .fetchStart: return "main->>workers: \(text)"
    case .requestBegin: return "workers->>origin: \(text)"
    case .requestEnd, .serviceAnswer: return "origin-->>workers: \(text)"
    case .fetchProgress, .fetchDone, .fetchFailed, .fetchCancelled: return "workers-->>main: \(text)"
    case .uiUpdate, .pageShow, .cacheHit: return "\(lane)->>\(lane): \(text)"
    case .busPost, .busSubscribe, .busUnsubscribe: return "\(lane)->>bus: \(text)"
    case .busDeliver, .busDrop, .busFail: return "bus->>\(lane): \(text)"
    case .note: return "Note over user: \(text)"
    }
  }

  /// The text without the characters that end a line of Mermaid.
  private static func escaped(_ text: String) -> String {
    visible(String(text.map { $0 == ";" || $0 == "#" || $0.isNewline ? " " : $0 }))
  }
}
