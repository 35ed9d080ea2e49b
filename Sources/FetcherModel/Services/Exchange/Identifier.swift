extension KeyedDecodingContainer {
  /// An identifier as text: services send numbers and strings.
  func decodeIdentifier(forKey key: Key) throws -> String {
    if let number = try? decode(Int.self, forKey: key) { return String(number) }
    guard let text = try? decode(String.self, forKey: key) else {
      guard contains(key) else {
        throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "is missing"))
      }
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "must be a whole number or a string")
    }
    return text
  }
}
