extension String {
  /// The string as one word of a command that a reader can paste into a POSIX shell, bash, zsh or fish. A string of
  /// harmless characters is returned unchanged.
  ///
  /// `printf` restores control and format characters, which a terminal would interpret. A shell removes line feeds from
  /// the end of such a word.
  package var shellQuoted: String {
    let isPlain = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: "%+,-./:@_".utf8.contains(byte)
      }
    }
    if isPlain, !isEmpty { return self }
    return unicodeScalars.contains(where: \.isInvisible) ? "\"$(printf \(printfFormat.inQuotes))\"" : inQuotes
  }

  private var inQuotes: String { "'" + replacing("'", with: #"'\''"#) + "'" }

  /// The format with which `printf` prints the string.
  private var printfFormat: String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "%": "%%"
      // A format that begins with a dash is an option, and some shells expand an exclamation mark.
      case "\\", "-", "!": scalar.octalEscapes
      default: scalar.isInvisible ? scalar.octalEscapes : String(scalar)
      }
    }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var isInvisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  fileprivate var octalEscapes: String {
    UTF8.encode(self)?.map { #"\"# + String($0, radix: 8).padded(to: 3, .right, with: "0") }.joined() ?? ""
  }
}
