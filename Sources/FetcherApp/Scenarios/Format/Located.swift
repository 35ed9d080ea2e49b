/// A value with its place in the file.
struct Located<Value: Sendable>: Sendable {
  var value: Value
  /// The bytes of the file.
  var range: Range<Int>
}

extension Located: Equatable where Value: Equatable {
  /// Two values are equal wherever they stand.
  static func == (one: Located, other: Located) -> Bool { one.value == other.value }
}
