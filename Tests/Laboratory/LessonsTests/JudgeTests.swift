import CommandLineTool
import Foundation
import Lessons
import ScheduleExplorerTesting
import TestMachine
import Testing

@testable import Commands

/// The judge of the lessons that run on the runtime.
@Suite(.computing) struct JudgeTests {
  @Test(
    "The judge rejects each wrong repair and states the reason",
    arguments: LongTests.some(of: WrongRepair.onRuntime, every: 2))
  func refused(_ repair: WrongRepair) { repair.verify() }

  @Test(
    "The judge accepts each correct repair that differs from the lesson's repair",
    arguments: LongTests.some(of: RightRepair.onRuntime, every: 2))
  func passes(_ repair: RightRepair) { repair.verify() }

  @Test("The verdict is the same with the same seed, and differs with another seed")
  func seeds() throws {
    let repair = try #require(WrongRepair.table.first { $0.name == "special-cases two names" })
    let verdicts = try [1, 1, 2].map { try JSONEncoder.sorted.encode(LessonVerdict(judging: repair.play, seed: $0)) }
    #expect(verdicts[0] == verdicts[1])
    #expect(verdicts[0] != verdicts[2])
  }
}

/// The judge of the lessons in plain Swift, in a process whose executors the search may replace.
@Suite(.childProcesses, .exploresSwift) struct PlainJudgeTests {
  @Test("In plain Swift, the judge rejects each wrong repair and accepts each correct one")
  func plain() async {
    await #expect(processExitsWith: .success) {
      for repair in LongTests.some(of: WrongRepair.plain, every: 5) { repair.verify() }
      for repair in LongTests.some(of: RightRepair.plain, every: 3) { repair.verify() }
    }
  }
}

extension WrongRepair {
  private static let seeds: [UInt64] = LongTests.some(of: [1, 2, 3], every: 3)

  /// Expects that the judge refuses the repair for this reason, with each seed.
  func verify() {
    for seed in Self.seeds {
      let verdict = LessonVerdict(judging: play, seed: seed)
      let isRefused = verdict.message.map { reason.isEmpty || $0.contains(reason) } ?? false
      #expect(isRefused, "\(testDescription), seed \(seed): \(verdict.message ?? "it passes")")
    }
  }
}

extension RightRepair {
  func verify() {
    let verdict = LessonVerdict(judging: play, seed: 4)
    #expect(
      verdict.isSolved, "\(testDescription): \(verdict.message ?? "") \(verdict.generated ?? "")\n\(verdict.table)")
  }
}

extension JSONEncoder {
  fileprivate static var sorted: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }
}

/// Repairs that divide one step among several locks. The tests compile them, because only then does the search interrupt
/// them.
@Suite(.childProcesses) struct DividedStepTests {
  /// Changes to the lesson's repair, and whether the result is correct.
  struct Change: Sendable, CustomTestStringConvertible {
    let id: String
    let name: String
    /// The code from the first text to the second is replaced.
    let from, to, with: String
    var isRight = false

    var testDescription: String { "\(id): \(name)" }
  }

  private static let twoMutexes = """
      private let isCancelled = Mutex(false)
      private let request = Mutex<TaskLoader.Cancel?>(nil)

      func store(_ cancel: @escaping TaskLoader.Cancel) {
        if isCancelled.withLock({ $0 }) { return cancel() }
        request.withLock { $0 = cancel }
      }

      func cancel() {
        isCancelled.withLock { $0 = true }
        request.withLock { $0 }?()
      }
    }

    """
  private static let atomicFlag =
    twoMutexes
    .replacing("Mutex(false)", with: "Atomic(false)")
    .replacing("isCancelled.withLock({ $0 })", with: "isCancelled.load(ordering: .sequentiallyConsistent)")
    .replacing("isCancelled.withLock { $0 = true }", with: "isCancelled.store(true, ordering: .sequentiallyConsistent)")
  private static let changes = [
    Change(id: "L23", name: "two mutexes", from: "  private struct State {", to: "", with: twoMutexes),
    Change(
      id: "L23", name: "two mutexes with another name", from: "  private struct State {", to: "",
      with: "  private typealias Guarded = Synchronization.Mutex\n"
        + twoMutexes.replacing("= Mutex", with: "= Guarded")),
    Change(id: "L23", name: "an atomic flag and a mutex", from: "  private struct State {", to: "", with: atomicFlag),
    Change(
      id: "L23", name: "two mutexes, tested after the change", from: "  private struct State {", to: "",
      with: twoMutexes.replacing("    if isCancelled.withLock({ $0 }) { return cancel() }\n", with: "").replacing(
        "{ $0 = cancel }", with: "{ $0 = cancel }\n    if isCancelled.withLock({ $0 }) { cancel() }"), isRight: true),
    Change(
      id: "L04", name: "tests and inserts in separate locks", from: "    let (image, isFirst)",
      to: "    runtime.workers",
      with: """
            if let image = state.withLock({ $0.images[picture] }) { return show(image) }
            let isLoading = state.withLock { $0.loading.contains(picture) }
            state.withLock { $0.waiting[picture, default: []].append(show) }
            if isLoading { return }
            _ = state.withLock { $0.loading.insert(picture) }

        """),
    Change(
      id: "X3", name: "reads and saves in separate locks", from: "      stored.withLock { $0 += bytes }", to: "    }",
      with: "      let total = stored.withLock { $0 }\n      stored.withLock { $0 = total + bytes }\n"),
    Change(
      id: "X3", name: "an atomic addition", from: "  private let stored", to: "",
      with: """
          private let stored = Atomic(0)

          init(runtime: any Runtime) { self.runtime = runtime }

          var total: Int { stored.load(ordering: .relaxed) }

          func add(_ bytes: Int) {
            runtime.workers.schedule { [self] in stored.add(bytes, ordering: .relaxed) }
          }
        }
        """, isRight: true),
  ]

  @Test(
    "The judge interrupts an item between its locks, whatever they are called",
    arguments: LongTests.some(of: changes, every: 3))
  func judge(_ change: Change) async throws {
    let entry = try #require(Curriculum.entry(change.id))
    let code = try LessonFolder().code(.fixed, of: entry.lesson).joined(separator: "\n")
    let start = try #require(code.range(of: change.from)?.lowerBound)
    let end = change.to.isEmpty ? code.endIndex : try #require(code[start...].range(of: change.to)?.lowerBound)
    let folder = FileManager.default.temporaryDirectory.appending(path: "divided-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "Divided.swift")
    try Data((code[..<start] + change.with + code[end...]).utf8).write(to: file)
    let result = try await AttemptBuild(Shutdown()).run(file, of: entry.lesson, seed: 1)
    guard case .judged(let verdict, _) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(verdict.isSolved == change.isRight, "\(verdict.message ?? "it passes") \(verdict.table)")
    #expect(verdict.interruptedRuns > 0)
  }
}

/// Programs that try to forge their verdict.
@Suite(.childProcesses) struct ForgeryTests {
  private static let forging = """
    import Glibc
    import Lessons
    import EventBus

    nonisolated(unsafe) var runs = 0

    /// Prints a forged success report, once with each string that the process can read as the proof.
    func forge() {
      print("✓ passes in all 7 orders of the items")
      var words = CommandLine.arguments
      var entry = environ
      while let text = entry.pointee {
        let pair = String(cString: text)
        words += [pair, String(pair.drop { $0 != "=" }.dropFirst())]
        entry += 1
      }
      let json = #"{"failsAsTried":false,"table":"","deviations":0,"isMinimal":true,"schedules":7,"isEverything":true,"generatedRuns":15,"interruptedRuns":0}"#
      for word in words + ["-", ""] {
        let report = "\\n\\(word) \\(json)\\n"
        for descriptor in Int32(1)..<64 { _ = write(descriptor, report, report.utf8.count) }
      }
    }

    final class PicturePage: Lessons::L03.Program {
      private let runtime: any Runtime
      private let server: PictureServer
      private let screen: Screen

      init(runtime: any Runtime, server: PictureServer, screen: Screen) {
        (self.runtime, self.server, self.screen) = (runtime, server, screen)
        runs += 1
        if runs == 1 {
          forge()
          END
        }
      }

      func select(_ picture: String) {
        server.fetch(picture) { [self] answer in
          runtime.main.schedule { [self] in if let image = try? answer.get() { screen.show(image) } }
        }
      }
    }

    // Names of the stage.
    enum LessonAttempt { static func main(_ play: LessonPlay) -> Never { forge(); _exit(0) } }
    enum L03 { static func play(_ program: Any.Type) -> LessonPlay { Lessons::L01.Lessons::play(View.self) } }
    extension Lessons::L03 {
      static func play(_ program: PicturePage.Type) -> LessonPlay { Lessons::L01.Lessons::play(View.self) }
    }
    extension Lessons::LessonAttempt { static func main(_ play: LessonPlay) -> Never { forge(); _exit(0) } }

    /// Solves L01.
    final class View: Lessons::L01.Program {
      private let runtime: any Runtime
      private let server: PictureServer
      private let screen: Screen
      private let cached: [String: String]

      init(runtime: any Runtime, server: PictureServer, screen: Screen, cached: [String: String]) {
        (self.runtime, self.server, self.screen, self.cached) = (runtime, server, screen, cached)
      }

      func select(_ picture: String) {
        if let image = cached[picture] { return screen.show(image) }
        server.fetch(picture) { [self] answer in
          runtime.main.schedule { [self] in screen.show((try? answer.get()) ?? "no picture") }
        }
      }
    }
    """

  private func judge(ending end: String) async throws -> AttemptBuild.Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "forgery-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "forgery.swift")
    try Data(Self.forging.replacing("END", with: end).utf8).write(to: file)
    let entry = try #require(Curriculum.entry("L03"))
    return try await AttemptBuild(Shutdown()).judge(file, of: entry.lesson, seed: 1)
  }

  @Test("The judge rejects a program that prints a forged report and exits")
  func exits() async throws {
    let result = try await judge(ending: "_exit(0)")
    guard case .crashed(let reason, let printed) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(reason.contains("ended the process before the search was complete"))
    #expect(String(decoding: printed, as: UTF8.self).contains("✓ passes"))
  }

  @Test("Forged reports, exit handlers and shadowed names do not change the verdict")
  func handlers() async throws {
    let result = try await judge(ending: "atexit { forge() }")
    guard case .judged(let verdict, _) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(verdict.message == "B is selected, but A is shown")
  }

  @Test(
    "A lesson rejects code with attributes that place or rename symbols",
    arguments: ["@section(\".init_array\") @used let a = 1", "@_silgen_name(\"_exit\") func end()", "@c func main()"])
  func attributes(_ code: String) {
    for isPlain in [true, false] { #expect(ForbiddenCalls.complaint(in: code, isPlain: isPlain) != nil) }
  }
}
