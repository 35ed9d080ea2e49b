import Foundation
import SocketStrategy
import TestMachine
import Testing

/// The rules of the architecture that the compiler cannot check. The tests read the sources.
@Suite(.computing) struct SourceRulesTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func sources(_ folder: String) -> [URL] {
    let folder = root.appendingPathComponent("Sources/\(folder)")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
    return (files ?? []).filter { $0.pathExtension == "swift" }
  }

  /// Returns the code without its comments. A `//` inside a string, as in a URL, does not start a comment.
  static func code(_ text: String) -> String {
    text.replacing(/\/\*(?s:.)*?\*\//, with: "")
      .replacing(/(?m)^((?:[^"\n\/]|"(?:[^"\\\n]|\\.)*"|\/(?!\/))*)\/\/.*$/) { $0.output.1 }
  }

  /// Every violation contains one of these words. Searching for words is fast, and regular expressions are slow.
  private static let words = ["DispatchQueue", "Task", "Thread", "Date", "sleep", "@MainActor"]

  static func violations(_ code: String) -> [Substring] {
    let forbidden =
      /\bDispatchQueue\b|\bTask\s*(?:<[^>]*>)?\s*[({]|\bTask\s*\.\s*(?:init|detached|immediate|sleep)\b|\bThread\b|\bDate\s*\(|\bDate\.now\b|\bu?sleep\s*\(|@MainActor(?!\s+@Sendable\s*\()/
    // Unicode has no word boundary at the dot of “Thread.sleep”.
    // A declaration is not a call.
    return code.replacing("func sleep(", with: "func (").matches(of: forbidden.wordBoundaryKind(.simple)).map(\.output)
  }

  /// The files that implement the network and own queues.
  private static let networks = ["FetcherModel/Network/Session.swift"]

  /// Returns the code that leaves a view's run, or that traps, if main is not Dispatch's main queue.
  static func escapes(_ code: String) -> [Substring] {
    let forbidden =
      /\basync\b|\bawait\b|\bassumeIsolated\b|\bisolated\s+deinit\b|\bMainActor\s*\.|:\s*@MainActor\s+[A-Z]|,\s*@MainActor\s+[A-Z]/
    return code.matches(of: forbidden.wordBoundaryKind(.simple)).map(\.output)
  }

  /// Returns the entry points of a view whose first statement does not verify that the run's main scheduler is current.
  static func uncheckedEntryPoints(_ code: String) -> [Substring] {
    let entry = /public func [^{]*\{\s*([^\n]*)/
    return code.matches(of: entry).filter { !$0.output.1.contains("requireMain()") }.map(\.output.0)
  }

  @Test("Views contain no code that leaves the isolation of their runtime") func viewsStayOnMain() throws {
    let files = Self.sources("FetcherViews") + Self.sources("TutorialApps/Pages")
    #expect(files.count >= 8)
    var entryPoints = 0
    for file in files {
      let code = Self.code(try String(contentsOf: file, encoding: .utf8))
      #expect(Self.violations(code).filter { $0 != "@MainActor" } == [], "\(file.lastPathComponent)")
      #expect(Self.escapes(code) == [], "\(file.lastPathComponent)")
      #expect(Self.uncheckedEntryPoints(code) == [], "\(file.lastPathComponent)")
      let unisolated = code.matches(of: /(?m)^(?!.*@MainActor).*\bfinal class\b/).map(\.output)
      #expect(unisolated == [], "\(file.lastPathComponent)")
      entryPoints += code.matches(of: /requireMain\(\)/).count
    }
    #expect(entryPoints >= 30)
  }

  @Test(
    "The check finds each way out of the isolation",
    arguments: [
      "func load() async {}", "await page.show(nil)", "MainActor.assumeIsolated {}", "isolated deinit {}",
      "MainActor.run {}", "extension Page: @MainActor Equatable {}", "class Page: Base, @MainActor Equatable {",
    ])
  func everyEscapeIsFound(code: String) { #expect(!Self.escapes(code).isEmpty) }

  @Test("The check finds an entry point that does not verify its scheduler") func uncheckedIsFound() {
    let unchecked = "  public func show(_ image: IFImage?) {\n    stopListening()\n  }"
    #expect(!Self.uncheckedEntryPoints(unchecked).isEmpty)
    #expect(!Self.uncheckedEntryPoints("public func viewWillAppear() { arrange() }").isEmpty)
    #expect(!Self.uncheckedEntryPoints("public func set(\n  _ a: Int\n) {\n  b = a\n}").isEmpty)
    #expect(Self.uncheckedEntryPoints(unchecked.replacing("stopListening", with: "runtime.requireMain")) == [])
    #expect(Self.escapes("@MainActor (Screen) -> Void, onDraw: @escaping @MainActor ([String]) -> Void") == [])
  }

  @Test("Only the network uses Dispatch queues, tasks, threads, or the clock")
  func onlyTheNetworkTouchesDispatchTasksThreadsOrTheClock() throws {
    let files = Self.sources("FetcherModel") + Self.sources("TutorialApps/Services")
    #expect(files.count > 30)
    for file in files where !Self.networks.contains(where: file.path.hasSuffix) {
      let text = try String(contentsOf: file, encoding: .utf8)
      guard Self.words.contains(where: text.contains) else { continue }
      let code = Self.code(text)
      #expect(Self.violations(code) == [], "\(file.lastPathComponent)")
    }
  }

  @Test("The check tells the declaration of sleep from its call") func declaration() {
    #expect(Self.violations("public func sleep(for duration: Duration) async {}") == [])
    #expect(Self.violations("context.sleep(for: .seconds(1))") == ["sleep("])
  }

  @Test(
    "The check finds every form of a forbidden call",
    arguments: [
      "DispatchQueue.main.async { }", "Task { }", "Task<Void, Never> { }", "Task(priority: .low) { }", "Task.init { }",
      "Task.detached { }", "Task.immediate { }", "Thread.sleep(1)", "Date()", "Date ()", "Date.now", "usleep(3)",
      #"let a = "http://x"; Task { }"#,
    ])
  func everyFormIsFound(code: String) {
    #expect(!Self.violations(Self.code(code)).isEmpty)
    #expect(Self.words.contains(where: code.contains))
  }

  @Test("A completion that the runtime isolates to main is allowed") func isolatedCompletion() {
    #expect(Self.violations("_ completion: @escaping @MainActor @Sendable (Int) -> Void") == [])
    #expect(Self.violations("@MainActor final class Page {}") == ["@MainActor"])
  }

  @Test("The check ignores comments")
  func commentsAreNotCode() {
    #expect(!Self.code("// Task { }\n/* Thread\n */ let a = 1 /// Date()").contains("T"))
    #expect(Self.code("Task { }").contains("Task {"))
  }
}
