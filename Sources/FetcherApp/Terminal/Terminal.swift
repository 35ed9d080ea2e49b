import Bytes
import Foundation

/// The terminals of the process.
enum Terminal {
  /// How many columns the one has that notes and progress go to; 80 where it does not say.
  static var width: Int { columns(STDERR_FILENO) ?? 80 }

  /// How many columns the one has that results go to; nil if they go elsewhere.
  static var outputWidth: Int? { columns(STDOUT_FILENO) }

  private static func columns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

/// Colour for a terminal, and plain text for everything else.
struct Style: Sendable {
  /// The few looks that the output uses.
  enum Look: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case blue = "34"
  }

  /// Whether escape sequences are written at all.
  let isColoured: Bool

  /// No escape sequences.
  static let plain = Style(isColoured: false)

  /// Colour only if the descriptor is a terminal that can show it and no setting forbids it.
  ///
  /// - Parameters:
  ///   - descriptor: where the text goes.
  ///   - isForbidden: `--no-color` was given.
  ///   - environment: `NO_COLOR` (any text but the empty one) and `TERM=dumb` forbid colour as well.
  static func detected(
    for descriptor: Int32, isForbidden: Bool, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Style {
    let isRefused = isForbidden || !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    return Style(isColoured: !isRefused && isatty(descriptor) == 1)
  }

  /// `text` with the look, or unchanged where there is no colour.
  func callAsFunction(_ look: Look, _ text: String) -> String {
    isColoured ? "\u{1B}[\(look.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension Table {
  /// The lines to print, with a bold heading on a terminal.
  func lines(_ style: Style) -> [String] { lines { style(.bold, $0) } }
}
