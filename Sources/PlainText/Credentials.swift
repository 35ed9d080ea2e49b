extension String {
  /// This address without its credentials. If the address is not a valid URL, everything up to its last `@` is removed,
  /// because that part can contain a password.
  package var addressWithoutCredentials: String { withoutCredentials(isAddress: true) }

  /// This string with the credentials removed from each address that it contains.
  package var withoutCredentials: String { withoutCredentials(isAddress: false) }

  private func withoutCredentials(isAddress: Bool) -> String {
    let bytes = Array(utf8)
    let ranges = Credentials(in: bytes, isAddress: isAddress).ranges
    if ranges.isEmpty { return self }
    var rest: [UInt8] = []
    var position = 0
    for range in ranges {
      rest += bytes[position..<range.lowerBound]
      position = range.upperBound
    }
    return String(decoding: rest + bytes[position...], as: UTF8.self)
  }
}

/// The parts of a text that are, or could be, the credentials of an address. The time to find them grows linearly with
/// the length of the text.
///
/// All parsers end an authority at the first `/`, `?` or `#`. Some also end it at a backslash, or decode the text
/// first. Therefore an authority ends here only at one of these three characters, unless it is encoded, and an `@` in
/// any encoding ends credentials. If no host of a valid URL follows them, the address is in doubt: a password can then
/// contain any character, so the credentials end at the last `@` of the text.
package struct Credentials {
  /// The ranges of the credentials, as offsets of bytes, in order and without overlaps.
  package private(set) var ranges: [Range<Int>] = []
  private let text: DecodedText
  private let isAddress: Bool

  /// - Parameters:
  ///   - bytes: the text in UTF-8.
  ///   - isAddress: whether the whole text is an address. Otherwise, an `@` counts only if a `:` or slashes precede it.
  package init(in bytes: [UInt8], isAddress: Bool = false) {
    self.isAddress = isAddress
    text = DecodedText(Self.isPlain(bytes) ? [] : bytes)
    let last = endOfCredentials(in: 0..<text.count)
    guard last > 0 else { return }
    if isAddress {
      let (scheme, slashes) = (endOfScheme, endOfSlashes(from: endOfScheme))
      let start = scheme > 0 && slashes > scheme ? slashes : 0
      guard start > 0, isTwoSlashes(scheme..<start), isHost(authority(from: start).host, isEncoded: false) else {
        if start < last { remove(start..<last) }
        return
      }
    }
    findAuthorities(upTo: last)
  }

  /// Returns whether a text has no at sign. Almost no text contains any of these bytes, one of which begins every form of
  /// an at sign.
  private static func isPlain(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        if byte == UInt8(ascii: "@") || byte == UInt8(ascii: "%") || byte == 0x5C || byte == 0xEF { return false }
        index += 1
      }
      return true
    }
  }

  private mutating func findAuthorities(upTo last: Int) {
    var (index, position) = (0, 0)
    while index < last {
      let start = endOfSlashes(from: index)
      guard startsAuthority(index..<start) else {
        index = max(start, index + 1)
        continue
      }
      let pair = findPair(in: position..<index)
      let (host, end) = authority(from: start)
      // Only browsers expect an authority after a single slash.
      guard start > index + 1, isHost(host, isEncoded: (index..<start).contains(where: text.isEncoded)) else {
        remove((pair ?? start)..<last)
        return
      }
      if host.lowerBound > start { remove((pair ?? start)..<host.lowerBound) }
      (index, position) = (end, end)
    }
    if position < last { _ = findPair(in: position..<last) }
  }

  /// Finds a user name and password without preceding slashes, in the text between the addresses.
  ///
  /// - Returns: the start of a pair without an `@` that extends to the end of the range. Together with the address that
  ///   follows, it could be a pair whose password contains slashes.
  private mutating func findPair(in range: Range<Int>) -> Int? {
    guard !isAddress,
      let colon = first(
        in: range.dropFirst().dropLast(),
        where: {
          text[$0] == UInt8(ascii: ":") && isOfUser(text[$0 - 1]) && (!isSpace(text[$0 + 1]) || text.isEncoded($0 + 1))
        })
    else { return nil }
    let start = last(in: range.lowerBound..<colon) { !isOfUser(text[$0]) }.map { $0 + 1 } ?? range.lowerBound
    let end = endOfCredentials(in: (colon + 1)..<range.upperBound)
    if end > colon + 1 { remove(start..<end) }
    return end > colon + 1 || (colon..<range.upperBound).contains { isSpaceOrQuote(text[$0]) } ? nil : start
  }

  private mutating func remove(_ range: Range<Int>) { ranges.append(text.offsets(of: range)) }

  // In debug builds, the functions of the standard library take several times as long, and every output passes here.

  private func first(in range: Range<Int>, where condition: (Int) -> Bool) -> Int? {
    var index = range.lowerBound
    while index < range.upperBound {
      if condition(index) { return index }
      index += 1
    }
    return nil
  }

  private func last(in range: Range<Int>, where condition: (Int) -> Bool) -> Int? {
    var index = range.upperBound
    while index > range.lowerBound {
      index -= 1
      if condition(index) { return index }
    }
    return nil
  }
}

// MARK: The parts of an address

extension Credentials {
  /// The index after the colon of the scheme with which the text begins, or zero if there is none.
  private var endOfScheme: Int {
    let end = first(in: 0..<text.count) { !isName($0) } ?? 0
    let isScheme = end > 0 && text[end] == UInt8(ascii: ":") && !text.isEncoded(end) && text[0] >= UInt8(ascii: "A")
    return isScheme ? end + 1 : 0
  }

  private func endOfSlashes(from start: Int) -> Int {
    first(in: start..<text.count) { !isSlash(text[$0]) } ?? text.count
  }

  private func isTwoSlashes(_ range: Range<Int>) -> Bool {
    range.count == 2 && range.allSatisfy { text[$0] == UInt8(ascii: "/") && !text.isEncoded($0) }
  }

  /// Returns whether an authority follows a range of slashes. Otherwise, they are part of a path.
  private func startsAuthority(_ slashes: Range<Int>) -> Bool {
    guard let first = slashes.first, first > 0 else { return slashes.count > 1 }
    return text[first - 1] == UInt8(ascii: ":") || slashes.count > 1 && !isName(first - 1)
  }

  private func authority(from start: Int) -> (host: Range<Int>, end: Int) {
    let end = first(in: start..<text.count) { endsAuthority(text[$0]) && !text.isEncoded($0) } ?? text.count
    return (endOfCredentials(in: start..<end)..<end, end)
  }

  /// Returns the index after the last at sign in a range, or the start of the range if there is none.
  private func endOfCredentials(in range: Range<Int>) -> Int {
    last(in: range) { text[$0] == UInt8(ascii: "@") }.map { $0 + 1 } ?? range.lowerBound
  }

  /// Returns whether the range is a host, with or without a port.
  ///
  /// - Parameter isEncoded: whether the slashes before it are encoded, so that an encoded delimiter also ends the host.
  private func isHost(_ range: Range<Int>, isEncoded: Bool) -> Bool {
    let end = isEncoded ? first(in: range) { endsAuthority(text[$0]) } ?? range.upperBound : range.upperBound
    var host = range.lowerBound..<end
    var port = 0
    if let colon = last(in: host, where: { !isDigit(text[$0]) }), text[colon] == UInt8(ascii: ":") {
      guard end - colon <= 6 else { return false }
      port = ((colon + 1)..<end).reduce(0) { $0 * 10 + Int(text[$1] & 0x0F) }
      host = host.lowerBound..<colon
    }
    guard let first = host.first, port <= UInt16.max else { return false }
    guard text[first] == UInt8(ascii: "[") else { return host.allSatisfy { isName($0) || text[$0] >= 0x80 } }
    return host.count > 2 && text[host.upperBound - 1] == UInt8(ascii: "]")
      && host.dropFirst().dropLast().allSatisfy {
        isName($0) || text[$0] == UInt8(ascii: ":") || text[$0] == UInt8(ascii: "%")
      }
  }

  /// Returns whether the character is an ASCII letter, a digit, or a mark that needs no encoding. In a host, an encoded
  /// character is in doubt.
  private func isName(_ index: Int) -> Bool {
    guard !text.isEncoded(index) else { return false }
    return switch text[index] {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: isDigit(text[index])
    }
  }

  private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
  private func isSlash(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }
  private func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || 0x09...0x0D ~= byte }
  private func isSpaceOrQuote(_ byte: UInt8) -> Bool {
    isSpace(byte) || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "<")
      || byte == UInt8(ascii: ">")
  }
  private func isOfUser(_ byte: UInt8) -> Bool { !isSpaceOrQuote(byte) && !isSlash(byte) && byte != UInt8(ascii: ":") }
  private func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }
}
