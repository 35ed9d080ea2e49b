import Foundation

/// The tests of this process.
enum TestProcess {
  /// Whether Swift Testing runs tests in this process concurrently with the caller. Exit tests and the children of the
  /// trait `.explored` have a process for themselves.
  static let runsTests: Bool = {
    let words = CommandLine.arguments
    guard let index = words.firstIndex(of: "--testing-library"), words.dropFirst(index + 1).first == "swift-testing"
    else {
      return false
    }
    // The environment with which the process has started. Swift Testing removes its own variables.
    guard let environment = try? Data(contentsOf: URL(filePath: "/proc/self/environ")) else { return false }
    let names = environment.split(separator: 0).map {
      String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    }
    return !names.contains { separateProcesses.contains($0) }
  }()

  /// The variables of processes that run a single test.
  private static let separateProcesses: Set<String> = ["SWT_EXIT_TEST_ID", "EXPLORED_CHILD"]

  static let advice = """
    exploreSwift replaces the executors of the process, in which other tests run. Mark the test with @Test(.explored) and \
    call its code directly, or write await #expect(processExitsWith: .success) { exploringSwift { … } }.
    """
}
