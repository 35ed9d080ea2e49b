/// A check of a value against the subset of JSON Schema that this project uses. A key without a description is a
/// problem.
package struct SchemaCheck {
  private let root: [String: Any]
  private let definitions: [String: Any]

  package init(_ schema: [String: Any]) {
    root = schema
    definitions = schema["$defs"] as? [String: Any] ?? [:]
  }

  /// Returns the problems of a value, each with its path.
  package func problems(_ value: Any) throws -> [String] { try problems(value, root, "") }

  private func problems(_ value: Any, _ schema: [String: Any], _ path: String) throws -> [String] {
    if let reference = schema["$ref"] as? String {
      let name = String(reference.dropFirst("#/$defs/".count))
      return try problems(value, definitions[name] as? [String: Any] ?? [:], path)
    }
    if let array = value as? [Any], let items = schema["items"] as? [String: Any] {
      return try array.flatMap { try problems($0, items, path + "[]") }
    }
    guard let object = value as? [String: Any] else {
      if let words = schema["enum"] as? [String], let word = value as? String, !words.contains(word) {
        return ["\(path): \(word)"]
      }
      return []
    }
    let known = schema["properties"] as? [String: Any] ?? [:]
    let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }.map { "\(path): no \($0)" }
    return try missing
      + object.flatMap { key, value -> [String] in
        if let own = known[key] as? [String: Any] { return try problems(value, own, "\(path).\(key)") }
        return schema["additionalProperties"] == nil ? ["\(path): undescribed \(key)"] : []
      }
  }
}
