/// The status line of a response and its fields.
package struct ResponseHead: Equatable, Sendable {
  package struct Field: Equatable, Sendable {
    package let name: String
    package let value: String
  }

  package var status: Int
  package var fields: [Field] = []
  /// How long the body is, where the head says so.
  package var contentLength: Int?

  /// The value of the first field of that name, which is given in small letters.
  package func value(of name: String) -> String? {
    fields.first { asciiLowercased($0.name.utf8).elementsEqual(name.utf8) }?.value
  }
}
