import PlainText
import ScenarioFormat
import Scheduling

/// A trace as a Mermaid sequence diagram, for use in documents.
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
    return switch event.kind.row.course {
    case .step: "user->>main: \(text)"
    case .call(let from, let to): "\(from.rawValue)->>\(to.rawValue): \(text)"
    case .reply(let from, let to): "\(from.rawValue)-->>\(to.rawValue): \(text)"
    case .local: "\(lane)->>\(lane): \(text)"
    case .toBus: "\(lane)->>bus: \(text)"
    case .fromBus: "bus->>\(lane): \(text)"
    case .note: "Note over user: \(text)"
    }
  }

  /// The text without the characters that would end a Mermaid line.
  private static func escaped(_ text: String) -> String {
    visible(String(text.map { $0 == ";" || $0 == "#" || $0.isNewline ? " " : $0 }))
  }
}
