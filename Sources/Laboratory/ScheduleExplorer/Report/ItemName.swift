import PlainText

/// The name of an item: its text, its scheduler and its identity. The name identifies the same item in another version
/// of the program.
///
/// The format is `deliver B@network#1f3a90c2`. The identity is derived from the item that scheduled this one, and from
/// the number of items that it had scheduled before. The scheduler and the identity are optional.
public struct ItemName: Hashable, Sendable, CustomStringConvertible, LosslessStringConvertible {
  private static let reserved: Set<Character> = ["%", "<", ";", "@", "#", "'", "\"", "\\", "$", "`", "!"]

  /// The item's first note. If there is none, the name of its task, its cause or its kind.
  public let text: String
  /// The label of the item's scheduler, or nil for any scheduler.
  public let scheduler: String?
  /// The lower half of the item's identity, or nil for any identity.
  public let identity: UInt32?

  init(text: String, scheduler: String?, identity: UInt32?) {
    self.text = text
    self.scheduler = scheduler
    self.identity = identity
  }

  /// Parses a name such as `deliver B@network#1f3a90c2`. Returns nil for any other text.
  public init?(_ description: String) {
    let halves = description.split(separator: "#", omittingEmptySubsequences: false)
    let parts = halves[0].split(separator: "@", omittingEmptySubsequences: false)
    guard halves.count <= 2, parts.count <= 2, let text = Self.decode(parts[0]), !text.isEmpty else { return nil }
    self.text = text
    scheduler = parts.count == 2 ? Self.decode(parts[1]) : nil
    identity = halves.count == 2 ? UInt32(halves[1], radix: 16) : nil
    guard (scheduler == nil) == (parts.count == 1), (identity == nil) == (halves.count == 1) else { return nil }
  }

  /// The name as part of a sentence, without the parts that only identify the item.
  var words: String { "“\(text)”" + (scheduler.map { " on \($0)" } ?? "") }

  /// The parsable form.
  public var description: String {
    let hex = identity.map { String($0, radix: 16).padded(to: 8, .right, with: "0") }
    return Self.encode(text) + (scheduler.map { "@" + Self.encode($0) } ?? "")
      + (hex.map { "#" + $0 } ?? "")
  }

  /// Percent-encodes the characters that would end the name or that have a meaning in a shell.
  private static func encode(_ text: String) -> String {
    text.map { character in
      guard reserved.contains(character) || character.isNewline else { return String(character) }
      return character.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }.joined()
  }

  private static func decode(_ text: Substring) -> String? {
    var (bytes, rest) = ([UInt8](), text.utf8[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Requires that one item runs before another: `deliver B@network<deliver A@network`.
public struct OrderConstraint: Hashable, Sendable, CustomStringConvertible, LosslessStringConvertible {
  /// The item that runs first.
  public let before: ItemName
  /// The item that runs later, if it runs at all.
  public let after: ItemName

  init(before: ItemName, after: ItemName) {
    self.before = before
    self.after = after
  }

  /// Parses two names with `<` between them. Returns nil for any other text.
  public init?(_ description: String) {
    let names = description.split(separator: "<", omittingEmptySubsequences: false).map { ItemName(String($0)) }
    guard names.count == 2, let before = names[0], let after = names[1] else { return nil }
    self.init(before: before, after: after)
  }

  /// The parsable form.
  public var description: String { "\(before)<\(after)" }
}
