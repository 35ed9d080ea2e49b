/// Picks events out of a trace: those of one kind that have certain values.
package struct EventPattern: Sendable, Equatable {
  package var kind: TraceKind
  package var values: [TraceAttribute: String]

  package init(kind: TraceKind = .note, values: [TraceAttribute: String] = [:]) {
    self.kind = kind
    self.values = values
  }

  /// Whether an event of this kind with these values is one of those. Values are compared byte by byte: two spellings of one
  /// accent are two paths.
  package func matches(_ kind: TraceKind, _ values: [TraceAttribute: String]) -> Bool {
    kind == self.kind && self.values.allSatisfy { values[$0.key]?.utf8.elementsEqual($0.value.utf8) == true }
  }

  /// As in a message: `ui.update image=A view=detail`. The attributes come in a fixed order.
  package var summary: String {
    let parts = TraceAttribute.allCases.compactMap { attribute in
      values[attribute].map { "\(attribute.rawValue)=\(visible($0))" }
    }
    return ([kind.rawValue] + parts).joined(separator: " ")
  }
}
