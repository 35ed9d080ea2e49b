import Foundation

/// A JSON value without locations, used for the schema and for literal bodies.
package indirect enum JSONValue: Sendable, Equatable, Encodable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case list([JSONValue])
  case object([String: JSONValue])

  /// Creates the value of a node.
  init(_ node: JSONNode) {
    self =
      switch node.content {
      case .null, .unreadable: .null
      case .bool(let value): .bool(value)
      case .number(let number): number.integer.map { .integer($0) } ?? .number(number.value)
      case .string(let text): .string(text)
      case .list(let elements): .list(elements.map(JSONValue.init))
      case .object(let object):
        .object(
          Dictionary(object.members.map { ($0.key, JSONValue($0.value)) }, uniquingKeysWith: { first, _ in first }))
      }
  }

  /// Parses JSON text. Returns nil if it is invalid.
  package init?(_ source: SourceText) {
    var diagnostics = Diagnostics()
    guard let root = JSONParser.parse(source, &diagnostics), !diagnostics.hasErrors else { return nil }
    self.init(root)
  }

  /// The value of an object's key. Nil for a missing key, and for other values.
  package subscript(key: String) -> JSONValue? {
    get { if case .object(let members) = self { members[key] } else { nil } }
    set {
      guard case .object(var members) = self else { return }
      members[key] = newValue
      self = .object(members)
    }
  }

  /// The text of a string, or nil for other values.
  package var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The elements of a list, or an empty array for other values.
  package var elements: [JSONValue] { if case .list(let elements) = self { elements } else { [] } }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { first, _ in first }))
  }
}
