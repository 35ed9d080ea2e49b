import Bytes

extension Table {
  /// The lines to print, with a bold heading on a terminal.
  func lines(_ style: Style) -> [String] { lines { style(.bold, $0) } }
}
