extension String {
  /// This address without its credentials. If the address is not a valid URL, everything up to its last `@` is removed,
  /// because that part can contain a password.
  package var addressWithoutCredentials: String { removing(Credentials(in: self, isAddress: true).ranges) }

  /// This string with the credentials removed from each address that it contains.
  package var withoutCredentials: String { removing(Credentials(in: self).ranges) }

  private func removing(_ ranges: [Range<Index>]) -> String {
    var rest = self
    for range in ranges.reversed() { rest.unicodeScalars.removeSubrange(range) }
    return rest
  }
}

/// The parts of a string that are, or could be, the credentials of an address.
///
/// The authority of a valid URL ends at the first `/`, `?` or `#`. If the text before that point has no host, the
/// address is not a valid URL. The password in an invalid URL can contain any character, so the credentials end at the
/// last `@`.
package struct Credentials {
  /// The ranges of the credentials, in order and without overlaps.
  package private(set) var ranges: [Range<String.Index>] = []
  private let text: String

  /// - Parameter isAddress: whether the whole string is an address. Otherwise, an `@` counts only if a `:` or slashes
  ///   precede it.
  package init(in text: String, isAddress: Bool = false) {
    self.text = text
    // Almost no string contains any of these characters, and the regular expressions are slow.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "%") || $0 == 0x5C || $0 == 0xEF }),
      let last = separators(in: text[...]).last?.upperBound
    else { return }
    if isAddress {
      let scheme = /[A-Za-z][A-Za-z0-9+.\-]*:([\/\\]+)/.matchingSemantics(.unicodeScalar)
      let match = text.prefixMatch(of: scheme)
      let start = match?.range.upperBound ?? text.startIndex
      guard match?.output.1 == "//", isHost(host(of: authority(at: start))) else {
        if start < last { ranges = [start..<last] }
        return
      }
    }
    findAuthorities(upTo: last, isAddress: isAddress)
  }

  private mutating func findAuthorities(upTo last: String.Index, isAddress: Bool) {
    let starts = text.matches(
      of: /(?:^|[:=\s"'<>(\[,;]|%3[AD])(?:[\/\\]|%2F){2,}|:[\/\\]/.ignoresCase().matchingSemantics(.unicodeScalar))
    var position = text.startIndex
    for start in starts.map(\.range.upperBound) where start >= position && start < last {
      findBarePair(in: position..<start, isAddress: isAddress)
      let authority = authority(at: start)
      let host = host(of: authority)
      guard isHost(host) else {
        ranges.append(start..<last)
        return
      }
      if host.startIndex > start { ranges.append(start..<host.startIndex) }
      position = authority.endIndex
    }
    if position < last { findBarePair(in: position..<last, isAddress: isAddress) }
  }

  /// Finds a user name and password without preceding slashes, in the text between the addresses.
  private mutating func findBarePair(in range: Range<String.Index>, isAddress: Bool) {
    guard !isAddress, let last = separators(in: text[range]).last?.upperBound,
      let bare = text[range].firstMatch(of: /[^\s"'<>\/\\:]+:[^\s\/\\]/.matchingSemantics(.unicodeScalar)),
      bare.range.upperBound <= last
    else { return }
    ranges.append(bare.range.lowerBound..<last)
  }

  /// Returns the text from the start to the first terminating character.
  private func authority(at start: String.Index) -> Substring {
    let end = text[start...].firstMatch(of: /[\/?#]|%2F|%3F|%23/.ignoresCase().matchingSemantics(.unicodeScalar))
    return text[start..<(end?.range.lowerBound ?? text.endIndex)]
  }

  private func host(of authority: Substring) -> Substring {
    authority[(separators(in: authority).last?.upperBound ?? authority.startIndex)...]
  }

  /// Returns whether the text is a host, with or without a port.
  private func isHost(_ text: Substring) -> Bool {
    let host = /(?:\[[0-9A-Za-z:.%_~\-]+\]|[^\s\[\]\\:"<>^`{|}]+)(?::[0-9]*)?/.matchingSemantics(.unicodeScalar)
    return text.wholeMatch(of: host) != nil && separators(in: text).isEmpty
  }

  /// Returns the at signs and their variants: URL and JSON escapes, and the full-width and small forms.
  private func separators(in text: Substring) -> [Range<String.Index>] {
    text.matches(of: /@|%40|\\u0040|\uFF20|\uFE6B/.ignoresCase().matchingSemantics(.unicodeScalar)).map(\.range)
  }
}
