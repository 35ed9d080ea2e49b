/// Picks events out of a trace: those of one kind that have certain values.
package struct EventPattern: Sendable, Equatable {
  package var kind: TraceKind
  package var values: TraceValues

  package init(kind: TraceKind = .note, values: TraceValues = [:]) {
    self.kind = kind
    self.values = values
  }

  /// Whether an event of this kind with these values is one of those. Values are compared byte by byte: two spellings of one
  /// accent are two paths.
  package func matches(_ kind: TraceKind, _ values: TraceValues) -> Bool {
    kind == self.kind && Self.have(values, self.values)
  }

  /// Whether all of some values are among those of an event. Of a list, each line is one.
  package static func have(_ values: TraceValues, _ wanted: TraceValues) -> Bool {
    wanted.allSatisfy { attribute, text in
      guard let value = values[attribute] else { return false }
      guard attribute.isList else { return value.utf8.elementsEqual(text.utf8) }
      return value.split(separator: "\n").contains { $0.utf8.elementsEqual(text.utf8) }
    }
  }

  /// As in a message: `ui.update image=A view=detail`. The attributes come in a fixed order.
  package var summary: String {
    let parts = TraceAttribute.allCases.compactMap { attribute in
      values[attribute].map { "\(attribute.rawValue)=\(visible($0))" }
    }
    return ([kind.rawValue] + parts).joined(separator: " ")
  }
}
