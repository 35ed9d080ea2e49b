extension String {
  /// The string for the text of an element or a quoted attribute in HTML.
  package var escapedForHTML: String {
    unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// The same for XML, with `\u{FFFD}` instead of the characters that XML forbids.
  package var escapedForXML: String {
    unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\n", "\t": result.unicodeScalars.append(scalar)
      // XML forbids these two and the control characters.
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      case _ where scalar.properties.generalCategory == .control: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }.escapedForHTML
  }
}
