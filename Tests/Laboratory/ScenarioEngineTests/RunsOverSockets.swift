import TestMachine
import Testing

/// The suites that run scenarios over real sockets. Their tests mostly wait for the times of the scenarios' steps.
@Suite(.wholeMachine, .waiting, .atOnce(4), .timeLimit(.minutes(10))) enum RunsOverSockets {
  /// Returns one of the three strategies that differ only in their kind of `URLSession` task, and all others. The three take
  /// turns, depending on the text. Each of them keeps a core busy while Foundation waits for a response.
  static func taking(turns text: String, _ strategies: [String]) -> [String] {
    let alike = ["dataTask", "downloadTask", "async"].filter(strategies.contains)
    guard !alike.isEmpty else { return strategies }
    let turn = alike[text.utf8.reduce(0) { $0 + Int($1) } % alike.count]
    return strategies.filter { $0 == turn || !alike.contains($0) }
  }
}
