import Foundation

/// The terminal that notes and progress go to.
enum Terminal {
  /// How many columns it has; 80 where it does not say.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
