/// The exit code of the process.
enum ExitCode: Int32, Sendable, CaseIterable {
  /// All went well.
  case success = 0
  /// The command ran, and an expectation failed or an address could not be fetched.
  case failed = 1
  /// The command line could not be understood.
  case usage = 2
  /// A scenario file is invalid.
  case invalidScenario = 3
  /// The command could not start: a port, a file.
  case cannotStart = 4
  /// The schedule of a token is not one of the program.
  case replayDiverged = 5
  /// Ctrl-C.
  case interrupted = 130
  /// Asked to end by a signal other than Ctrl-C.
  case terminated = 143

  /// One sentence for the manual.
  var help: String {
    switch self {
    case .success: "All went well."
    case .failed: "An expectation failed, a violation was found, or an address could not be fetched."
    case .usage: "The command line could not be understood."
    case .invalidScenario: "A scenario file is invalid."
    case .cannotStart: "The command could not start: a port, a file."
    case .replayDiverged: "The schedule of a token is not one of the program."
    case .interrupted: "Ctrl-C."
    case .terminated: "Asked to end by another signal."
    }
  }
}
