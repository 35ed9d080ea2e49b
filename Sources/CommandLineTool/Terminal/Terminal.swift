import Foundation
package import PlainText

package enum Terminal {
  /// The width, in columns, of the terminal that shows notes and progress, or 80 if it is unknown.
  package static var width: Int { columns(STDERR_FILENO) ?? 80 }

  /// The width, in columns, of the terminal that shows results, or nil if there is none.
  package static var outputWidth: Int? { columns(STDOUT_FILENO) }

  private static func columns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

/// Formats text with color on a terminal, and as plain text everywhere else.
package struct TextStyle: Sendable {
  /// The available text styles.
  package enum Look: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case blue = "34"
  }

  /// Whether to write escape sequences for colors.
  package let isColored: Bool

  package static let plain = TextStyle(isColored: false)

  /// Returns a style with color if the descriptor is a color terminal and no setting disables color.
  ///
  /// - Parameters:
  ///  - descriptor: the file descriptor to which the text is written.
  ///  - isForbidden: whether `--no-color` was given.
  ///  - environment: the environment variables. A non-empty `NO_COLOR` or `TERM=dumb` also disables color.
  package static func detected(
    for descriptor: Int32, isForbidden: Bool, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> TextStyle {
    let isRefused = isForbidden || !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    return TextStyle(isColored: !isRefused && isatty(descriptor) == 1)
  }

  /// Returns `text` in the given style, or unchanged if color is off.
  package func callAsFunction(_ look: Look, _ text: String) -> String {
    isColored ? "\u{1B}[\(look.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension Table {
  /// Returns the lines to print, with a bold heading on a terminal.
  package func lines(_ style: TextStyle) -> [String] { lines { style(.bold, $0) } }
}
