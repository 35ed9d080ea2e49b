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
