/// What no solution of a lesson may use: it would leave the stage, or wait instead of deciding.
enum ForbiddenCalls {
  private static let names = [
    "Task {", "Task(", "Task.detached", "Task.sleep", "sleep(", "DispatchQueue", "DispatchSemaphore", "DispatchGroup",
    "Thread", "OperationQueue", "import Dispatch", "import Foundation", "import Glibc", "import ScheduleExplorer",
    "import VirtualTime", "exit(",
  ]

  /// What replaces them.
  static let allowed =
    "`runtime.main.schedule { }`, `runtime.workers.schedule { }`, `runtime.main.schedule(after: .seconds(1)) { }`, `runtime.task { }`"

  /// What is wrong with the code, with its line; nil if nothing is.
  static func complaint(in code: String) -> String? {
    for (index, line) in code.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let text = line.split(separator: "//", omittingEmptySubsequences: false).first ?? ""
      for name in names where text.ranges(of: name).contains(where: { beginsWord(text, $0.lowerBound) }) {
        return """
          line \(index + 1) uses `\(name)`, which leaves the stage. The runtime has its own: \(allowed)
          """
      }
    }
    return nil
  }

  /// `Task {` is not allowed, and `addTask {` is.
  private static func beginsWord(_ text: Substring, _ index: String.Index) -> Bool {
    index == text.startIndex || !text[text.index(before: index)].isLetter
  }
}
