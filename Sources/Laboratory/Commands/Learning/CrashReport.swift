import Foundation

/// The messages of a learner's program on stderr.
struct CrashReport {
  /// The sentence about the trap that ended the program, or nil if there is none.
  let message: String?
  /// The other lines. Frames without a name are omitted.
  let rest: String

  init(_ errors: String, of file: URL) {
    let frame = /\s*[0-9]+\s+\S+\s+0x[0-9a-f]+\s.*/
    var (message, rest) = (String?.none, "")
    for line in errors.split(separator: "\n") {
      if let trap = line.wholeMatch(of: /(?:[^:]*\/)?([^:\/]+):([0-9]+): Fatal error(?:: (.*))?/) {
        let name = file.lastPathComponent
        // A trap in the standard library names a line of that library.
        let place = trap.1 == name ? "line \(trap.2) of \(name)" : name
        message = "\(place) crashed" + (trap.3.map { ": \($0)" } ?? "")
      } else if message == nil || !line.contains(frame) && line != "Current stack trace:" {
        if !line.contains("<unavailable>") { rest += line + "\n" }
      }
    }
    (self.message, self.rest) = (message, rest)
  }
}
