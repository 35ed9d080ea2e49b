import PlainText

/// The header fields that a scenario may set in a response.
enum HeaderForm {
  /// The fields that describe where a response ends and whether the connection persists. Only the server knows their
  /// values.
  private static let framing: Set<String> = [
    "connection", "content-encoding", "content-length", "keep-alive", "trailer", "transfer-encoding", "upgrade",
  ]
  /// The regular expression for a field name, as defined by RFC 9110.
  static let token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
  /// The maximum total number of bytes in a response's fields. Clients reject larger heads, but their limits differ.
  private static let largest = 64 * 1024

  /// The value kind for an object whose keys are field names.
  static var headers: ValueKind<[Scenario.Response.Header]> {
    let keywords: [String: JSONValue] = [
      "additionalProperties": ["type": "string"], "propertyNames": ["pattern": .string("^\(token)$")],
    ]
    let headers = ValueKind<[Scenario.Response.Header]>(.noted(.object(ObjectSchema()), keywords)) { node, reading in
      guard let object = reading.object(node) else { return nil }
      var fields: [Scenario.Response.Header] = []
      var names: Set<String> = []
      for member in object.members where !reading.isFull {
        guard let field = field(member, &reading) else { continue }
        if !names.insert(field.name.lowercased()).inserted {
          reading.report(
            .duplicate, "the header field \(quoted(field.name)) is listed twice; names are case-insensitive",
            at: member.keyRange, "keep one of them")
        }
        fields.append(field)
        reading.headerLines.insert(field.line)
      }
      guard fields.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) <= largest else {
        reading.report(.wrongValue, "the header fields exceed 64 KiB in total", at: node.range, "remove some")
        return nil
      }
      return fields
    }
    return headers.example(#"{"X-Which": "1"}"#)
  }

  private static func field(_ member: JSONObject.Member, _ reading: inout Reading) -> Scenario.Response.Header? {
    guard let value = ValueKind.text.read(member.value, &reading) else { return nil }
    if framing.contains(member.key.lowercased()) {
      reading.report(
        .wrongValue, "the server sets the header field \(quoted(member.key))", at: member.keyRange,
        "remove it; body, chunks and fault determine its value")
      return nil
    }
    guard reading.isWhole(member.key, like: token) else {
      reading.report(
        .wrongValue, "\(quoted(member.key)) is not a header field name", at: member.keyRange,
        "write letters, digits and hyphens, such as \"X-Which\"")
      return nil
    }
    guard value.unicodeScalars.allSatisfy(isInValues), !value.hasPrefix(" "), !value.hasSuffix(" "),
      !value.hasPrefix("\t"), !value.hasSuffix("\t")
    else {
      reading.report(
        .wrongValue, "\(quoted(value)) is not a header field value", at: member.value.range,
        "write one line, without control characters or spaces at either end")
      return nil
    }
    if member.key.lowercased() == "location", isDeadly(value) {
      reading.report(
        .wrongValue, "a redirect to \(quoted(value)) makes Foundation terminate the process", at: member.value.range,
        "add the scheme, as in \(quoted("http:" + value))")
      return nil
    }
    return Scenario.Response.Header(name: member.key, value: value)
  }

  /// Returns whether FoundationNetworking on Linux traps on this `Location`. It traps if the address has no scheme and
  /// its host contains a bracket or an escape.
  private static func isDeadly(_ location: String) -> Bool {
    guard location.utf8.starts(with: "//".utf8) else { return false }
    let authority = location.utf8.dropFirst(2).prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
    }
    return authority.contains { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "%") }
  }

  private static func isInValues(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\t" || scalar.value >= 0x20 && scalar.value != 0x7F
  }
}
