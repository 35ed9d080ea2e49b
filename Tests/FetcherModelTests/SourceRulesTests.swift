import Foundation
import TestMachine
import Testing

/// The rules of the architecture that no compiler checks, read from the sources.
@Suite(.computing) struct SourceRulesTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func sources(_ folder: String) -> [URL] {
    let folder = root.appendingPathComponent("Sources/\(folder)")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
    return (files ?? []).filter { $0.pathExtension == "swift" }
  }

  /// The code without its comments. A `//` inside a string, as in an address, begins none.
  static func code(_ text: String) -> String {
    text.replacing(/\/\*(?s:.)*?\*\//, with: "")
      .replacing(/(?m)^((?:[^"\n\/]|"(?:[^"\\\n]|\\.)*"|\/(?!\/))*)\/\/.*$/) { $0.output.1 }
  }

  /// One of these is in each violation: a look for them is quick, and expressions are slow.
  private static let words = ["DispatchQueue", "Task", "Thread", "Date", "sleep", "@MainActor"]

  static func violations(_ code: String) -> [Substring] {
    let forbidden =
      /\bDispatchQueue\b|\bTask\s*(?:<[^>]*>)?\s*[({]|\bTask\s*\.\s*(?:init|detached|immediate|sleep)\b|\bThread\b|\bDate\s*\(|\bDate\.now\b|\bu?sleep\s*\(|@MainActor/
    // Unicode's own word boundary is none at the dot of “Thread.sleep”.
    return code.matches(of: forbidden.wordBoundaryKind(.simple)).map(\.output)
  }

  /// What implements the network, with queues of its own.
  private static let networks = [
    "Exchange", "Session", "Sockets/SocketLoader", "Sockets/SocketConnection", "Sockets/HostLookup",
  ]
  .map { "FetcherModel/Network/\($0).swift" }

  @Test(arguments: ["FetcherModel", "FetcherViews"])
  func onlyTheNetworkTouchesDispatchTasksThreadsOrTheClock(folder: String) throws {
    let files = Self.sources(folder)
    #expect(files.count >= 3)
    for file in files where !Self.networks.contains(where: file.path.hasSuffix) {
      let text = try String(contentsOf: file, encoding: .utf8)
      guard Self.words.contains(where: text.contains) else { continue }
      let code = Self.code(text)
      #expect(Self.violations(code) == [], "\(file.lastPathComponent)")
    }
  }

  @Test(arguments: [
    "DispatchQueue.main.async { }", "Task { }", "Task<Void, Never> { }", "Task(priority: .low) { }", "Task.init { }",
    "Task.detached { }", "Task.immediate { }", "Thread.sleep(1)", "Date()", "Date ()", "Date.now", "usleep(3)",
    #"let a = "http://x"; Task { }"#,
  ])
  func everyFormIsFound(code: String) {
    #expect(!Self.violations(Self.code(code)).isEmpty)
    #expect(Self.words.contains(where: code.contains))
  }

  @Test func commentsAreNotCode() {
    #expect(!Self.code("// Task { }\n/* Thread\n */ let a = 1 /// Date()").contains("T"))
    #expect(Self.code("Task { }").contains("Task {"))
  }
}
