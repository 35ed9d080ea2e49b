/// What is known about an event: a text for some attributes, each of which stands in it once.
///
/// Not a dictionary: there are so few that looking through them takes less time than hashing one.
package struct TraceValues: Sendable, Equatable, Sequence, ExpressibleByDictionaryLiteral {
  private var entries: [(TraceAttribute, String)]

  package init(dictionaryLiteral entries: (TraceAttribute, String)...) { self.entries = entries }

  package static func == (one: Self, other: Self) -> Bool {
    one.entries.count == other.entries.count && one.entries.allSatisfy { other[$0] == $1 }
  }

  package var isEmpty: Bool { entries.isEmpty }

  package subscript(attribute: TraceAttribute) -> String? {
    get {
      for entry in entries where entry.0 == attribute { return entry.1 }
      return nil
    }
    set {
      let index = entries.firstIndex { $0.0 == attribute }
      switch (index, newValue) {
      case (let index?, let text?): entries[index].1 = text
      case (let index?, nil): entries.remove(at: index)
      case (nil, let text?): entries.append((attribute, text))
      case (nil, nil): break
      }
    }
  }

  package func makeIterator() -> some IteratorProtocol<(TraceAttribute, String)> { entries.makeIterator() }
}
