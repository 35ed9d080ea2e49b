/// The header fields of a request or a response, in order.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "image/png", "X-Album": "12"]
/// headers["x-album"] = "13"
/// ```
///
/// Names are compared without regard to case, values byte by byte. A name can occur several times; a strategy may send
/// such fields as one field with all values, separated by commas, which means the same in HTTP (RFC 9110, 5.3). The
/// description contains only the names, because a value can be a secret.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral, CustomStringConvertible,
  RandomAccessCollection, RangeReplaceableCollection
{
  private var fields: [(name: String, value: String)] = []

  /// Creates an empty list.
  public init() {}

  /// Creates a list with these fields, in this order.
  public init(dictionaryLiteral elements: (String, String)...) { fields = elements.map { (name: $0, value: $1) } }

  /// Creates a list from a dictionary, sorted by name. A literal keeps its own order instead.
  public init(_ fields: [String: String]) {
    self.fields = fields.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }

  /// The value of the field with that name, or nil if there is none. The values of several such fields are joined with
  /// commas, as HTTP defines it.
  ///
  /// Setting a value replaces these fields, at the position of the first one, or appends a field. Setting nil removes
  /// them.
  public subscript(name: String) -> String? {
    get {
      let values = fields.filter { $0.name.isSameField(as: name) }.map(\.value)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
    set {
      let index = fields.firstIndex { $0.name.isSameField(as: name) } ?? fields.endIndex
      fields.removeAll { $0.name.isSameField(as: name) }
      if let newValue { fields.insert((name, newValue), at: index) }
    }
  }

  /// The index of the first field.
  public var startIndex: Int { fields.startIndex }
  /// The index after the last field.
  public var endIndex: Int { fields.endIndex }
  /// The field at a position.
  public subscript(position: Int) -> (name: String, value: String) { fields[position] }

  /// Replaces the fields in a range.
  public mutating func replaceSubrange(
    _ subrange: Range<Int>, with newElements: some Collection<(name: String, value: String)>
  ) {
    fields.replaceSubrange(subrange, with: newElements)
  }

  /// Returns the fields of `other`, preceded by those of this list whose names `other` does not contain.
  package func overridden(by other: HTTPHeaders) -> HTTPHeaders { filter { other[$0.name] == nil } + other }

  /// Whether both lists have equal fields in the same order.
  public static func == (a: HTTPHeaders, b: HTTPHeaders) -> Bool {
    a.elementsEqual(b) { $0.name.isSameField(as: $1.name) && $0.value.utf8.elementsEqual($1.value.utf8) }
  }

  /// Hashes the names, without regard to case, and the values.
  public func hash(into hasher: inout Hasher) {
    for (name, value) in fields {
      hasher.combine(name.lowercased())
      hasher.combine(value)
    }
  }

  /// The names of the fields, without their values.
  public var description: String { "[\(map(\.name).joined(separator: ", "))]" }
}

extension String {
  fileprivate func isSameField(as other: String) -> Bool { lowercased() == other.lowercased() }
}
