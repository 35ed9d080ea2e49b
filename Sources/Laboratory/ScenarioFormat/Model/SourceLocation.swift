/// Where a value stands in its file: the bytes that a message about it points at. Values are equal wherever they stand.
struct SourceLocation: Sendable, Equatable {
  var range = 0..<0

  static func == (one: Self, other: Self) -> Bool { true }
}
