import ScenarioFormat

/// A trace as a Mermaid sequence diagram, for documents.
package struct MermaidDiagram: Sendable {
  let events: [RunEvent]

  package init(events: [RunEvent]) { self.events = events }

  /// The lines of the diagram.
  package var lines: [String] {
    ["sequenceDiagram"] + TraceLane.allCases.map { "  participant \($0.rawValue)" } + events.map { "  " + line($0) }
  }

  private func line(_ event: RunEvent) -> String {
    let text = "\((event.time.inSeconds * 1000).fixed(1)) ms " + Self.escaped(event.caption)
    switch event.kind {
    case .viewAppear, .viewDisappear, .viewSelect, .viewDeselect, .viewTap, .strategySwitch, .headersChange,
      .memoryWarning, .modelDrop,
      .busSubscribe, .busUnsubscribe, .originChange:
      return "user->>main: \(text)"
    case .fetchStart: return "main->>workers: \(text)"
    case .requestBegin: return "workers->>origin: \(text)"
    case .requestEnd, .serviceAnswer: return "origin-->>workers: \(text)"
    case .fetchProgress, .fetchDone, .fetchFailed, .fetchCancelled: return "workers-->>main: \(text)"
    case .uiUpdate, .pageShow, .cacheHit, .busPost, .busDeliver:
      let lane = event[.lane] ?? "main"
      return "\(lane)->>\(lane): \(text)"
    case .note: return "Note over user: \(text)"
    }
  }

  /// The text without the characters that end a line of Mermaid.
  private static func escaped(_ text: String) -> String {
    visible(String(text.map { $0 == ";" || $0 == "#" || $0.isNewline ? " " : $0 }))
  }
}
