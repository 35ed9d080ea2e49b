import CommandLineTool
import Foundation
import Lessons
import ScheduleExplorerTesting
import TestMachine
import Testing

@testable import Commands

/// The promises of every lesson.
@Suite(.computing) struct LessonTests {
  private static let ids = Curriculum.ids
  private static let onRuntime = Curriculum.entries.filter { !$0.lesson.isPlain }.map(\.lesson.id)

  private func entry(_ id: String) throws -> Curriculum.Entry { try #require(Curriculum.entry(id)) }

  @Test("The search finds the bug of each lesson with the stated number of deviations", arguments: onRuntime)
  func broken(_ id: String) throws { try entry(id).verifyBroken() }

  @Test("The judge accepts the repair of each lesson", arguments: LongTests.some(of: onRuntime, every: 2))
  func fixed(_ id: String) throws { try entry(id).verifyFixed() }

  @Test("The token of each lesson replays its failure, and the repair passes in that order", arguments: onRuntime)
  func token(_ id: String) throws { try entry(id).verifyToken() }

  @Test("A half-repair passes its author's test, but not the search", arguments: onRuntime)
  func halfRepaired(_ id: String) throws { try entry(id).verifyHalfRepaired() }

  @Test("Each lesson has all sections, three hints, and the code of its variants", arguments: ids)
  func texts(_ id: String) throws {
    let (entry, folder) = (try entry(id), try LessonFolder())
    let text = try folder.text(of: entry.lesson)
    #expect(!text.title.isEmpty)
    #expect(text.hints.count == 3)
    let tempting = entry.halfRepaired == nil ? [] : ["The tempting repair"]
    let needed =
      ["Goal", "Question", "Outcomes", "Why", "Pattern", "Rule", "Why it exists", "In practice", "If you don't"]
      + tempting
      + ["What it is not about"]
    for heading in needed { #expect(!text.paragraphs(heading).isEmpty, "\(heading)") }
    #expect(text.headings.contains("The tempting repair") == (entry.halfRepaired != nil))
    // Without a deviation, only the input distinguishes the failing run from the author's test.
    #expect(text.paragraphs("Input").isEmpty == (entry.lesson.deviations > 0))
    for variant in LessonFolder.Variant.allCases where variant != .halfRepaired || entry.halfRepaired != nil {
      let lines = try folder.code(variant, of: entry.lesson)
      #expect((12...80).contains(lines.count), "\(variant)")
      #expect(lines.allSatisfy { $0.count <= 74 }, "\(variant)")
      #expect(lines.contains { $0.contains(" \(entry.lesson.program)") })
      #expect(ForbiddenCalls.complaint(in: lines.joined(separator: "\n"), isPlain: entry.lesson.isPlain) == nil)
      #expect(!entry.lesson.isPlain || !lines.contains("import Lessons"))
    }
    let broken = try folder.code(.broken, of: entry.lesson)
    #expect(broken != (try folder.code(.fixed, of: entry.lesson)))
    #expect(broken.count { $0.contains(entry.lesson.guilty) } >= 1)
  }
}

/// The same promises of the lessons in plain Swift, in a process whose executors the search may replace.
@Suite(.childProcesses, .exploresSwift) struct PlainLessonTests {
  @Test("In each lesson in plain Swift, the search finds the bug, and the judge accepts the repair")
  func promises() async {
    await #expect(processExitsWith: .success) {
      for entry in LongTests.some(of: Curriculum.entries.filter(\.lesson.isPlain), every: 5) {
        try entry.verifyBroken()
        try entry.verifyFixed()
        try entry.verifyToken()
        try entry.verifyHalfRepaired()
      }
    }
  }

  @Test("Predictions, item names and links of the teaching page match the lessons in plain Swift")
  func pages() async {
    await #expect(processExitsWith: .success) {
      for entry in Curriculum.entries where entry.lesson.isPlain {
        try PredictionTests.verifyOutcomes(of: entry.lesson.id)
        try PredictionTests.verifyNames(of: entry.lesson.id)
      }
      #expect(try TeachingPageTests.verifyLinks(where: \.isPlain) == 5)
    }
  }
}

extension Curriculum.Entry {
  fileprivate func verifyBroken() throws {
    #expect(broken.tryOut().finding == nil, "\(lesson.id)")
    let failure = try #require(broken.explore().failure, "\(lesson.id)")
    #expect(failure.isMinimal, "\(lesson.id)")
    #expect(failure.token.deviations.cost == lesson.deviations, "\(lesson.id)")
    #expect(failure.token == lesson.token, "\(lesson.id)")
  }

  fileprivate func verifyFixed() throws {
    let verdict = LessonVerdict(judging: fixed)
    #expect(verdict.isSolved, "\(lesson.id): \(verdict.message ?? "") \(verdict.table)")
    #expect(verdict.generatedRuns >= 9)
  }

  fileprivate func verifyToken() throws {
    #expect(try broken.replay(lesson.token) != nil, "\(lesson.id)")
    #expect(try fixed.replay(lesson.token, loosely: true) == nil, "\(lesson.id)")
  }

  fileprivate func verifyHalfRepaired() throws {
    guard let halfRepaired else { return }
    #expect(halfRepaired.tryOut().finding == nil, "\(lesson.id)")
    #expect(halfRepaired.explore().failure != nil, "\(lesson.id)")
  }
}

@Suite struct LessonPagesTests {
  @Test("The page of a lesson states if its program was changed before it was compiled")
  func compiledWithChanges() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "lesson-page-\(UUID().uuidString)")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let handle = try FileHandle(forWritingTo: file)
    let output = Output(descriptor: handle.fileDescriptor, style: .plain) { Issue.record("cannot write: \($0)") }
    let entry = try #require(Curriculum.entry("L03"))
    try LessonPages(entry, LessonFolder(), output).broken(LessonVerdict(judging: entry.fixed))
    let page = try String(contentsOf: file, encoding: .utf8)
    #expect(
      page.hasPrefix("✓ passes in all 7 orders of the items\nThe search never interrupts an item. ")
        && page.contains("\nThis program was changed before it was compiled. "))
    #expect(page.hasSuffix("scenarios/lessons/L03-last-answer-wins/L03Broken.swift\n"))
  }
}

@Suite struct LessonOrderTests {
  @Test("The next lesson is the next unsolved one, starting over after the last lesson")
  func next() throws {
    var progress = LessonProgress()
    let ids = Curriculum.listed.map(\.lesson.id)
    #expect(Set(ids) == Set(Curriculum.entries.map(\.lesson.id)))
    #expect(Curriculum.next(progress)?.lesson.id == ids[0])
    progress.solve(ids[0])
    progress.solve(ids[2])
    #expect(Curriculum.next(after: ids[0], progress)?.lesson.id == ids[1])
    #expect(Curriculum.next(after: ids[2], progress)?.lesson.id == ids[3])
    for id in ids where id != ids[1] { progress.solve(id) }
    #expect(Curriculum.next(after: ids[5], progress)?.lesson.id == ids[1])
    progress.solve(ids[1])
    #expect(Curriculum.next(after: ids[1], progress) == nil)
    #expect(progress.solvedCount == ids.count)
  }

  @Test("The next lesson builds only on solved ones, unless no other lesson is left")
  func requirements() {
    var progress = LessonProgress()
    for stop in Course.stops where !["L22", "L24", "L26"].contains(stop.id) { progress.solve(stop.id) }
    // L22 comes first, but builds on L24.
    #expect(Curriculum.next(after: "L25", progress)?.lesson.id == "L26")
    progress.solve("L26")
    #expect(Curriculum.next(after: "L25", progress)?.lesson.id == "L24")
  }
}

@Suite struct ForbiddenCallsTests {
  @Test("The rejection of a call names its replacement on the runtime")
  func instead() throws {
    let complaint = try #require(ForbiddenCalls.complaint(in: "Task { }"))
    #expect(complaint.contains("`runtime.main.schedule { }`, `runtime.workers.schedule { }`"))
  }

  @Test(
    "The rejection of a forbidden call names its line",
    arguments: [
      ("\n  Task { await load() }", 2), ("let queue = DispatchQueue(label: \"\")", 1),
      ("\n\ntry await Task.sleep(for: .zero)", 3), ("Task{ }", 1), ("\nTask  \n  { }", 2), ("Task<Void, Never> { }", 1),
      ("work(task: Task<[String: Int], any Error>(priority: .low) { [:] })", 1), ("Task . detached { }", 1),
      ("Task.init { }", 1), ("import  struct Foundation.Date", 1), ("sleep (1)", 1), ("_exit(0)", 1),
      ("// a comment\r\nThread { }", 2), ("/* a\r b */ Task { }", 2), ("\u{2028}\u{85}\u{B}\u{C}\nTask { }", 2),
      ("log(\"\\(Task { })\")", 1), ("log(#\"\\\"#, Thread())", 1), ("let a = \"/*\"; Task { }", 1),
      ("/* /* */ */ Thread()", 1), ("let a = \"\"\"\n\"//\n\"\"\"; Thread()", 3),
      ("\nprivate nonisolated (unsafe) var sum = 0", 2),
    ])
  func forbidden(_ code: String, _ line: Int) {
    #expect(ForbiddenCalls.complaint(in: code)?.hasPrefix("line \(line) uses ") == true)
  }

  @Test("A lesson in plain Swift allows tasks and Task.sleep, but not a blocking sleep")
  func plain() {
    let code = "Task { try await Task.sleep(for: .zero) }; Task<Void, Never> { }; Task.detached { }"
    #expect(ForbiddenCalls.complaint(in: code, isPlain: true) == nil)
    #expect(ForbiddenCalls.complaint(in: "Task { }\nsleep(1)", isPlain: true)?.hasPrefix("line 2 uses `sleep") == true)
  }

  @Test(
    "Comments, strings, and names that only resemble a forbidden call are allowed",
    arguments: [
      "group.addTask { await load() }", "// Task { }", "/* Thread */", "/* /* */ Task { } */", "log(\"Thread\")",
      "log(#\"a \\(Thread) \"Task { }\"\"#)", "let a = \"\"\"\n  import Dispatch\n  \"\"\"", "log(\"\\(name) exit(\")",
      "let running = Mutex<Task<Void, Never>?>(nil)", "func load() -> Task<Void, Never> { runtime.task { } }",
      "var load: Task<Void, Never> { loads[0] }", "ThreadSafeList()", "guard !Task.isCancelled else { return }",
      "let overslept = oversleep(1)", "fail(\"unterminated: Thread",
    ])
  func allowed(_ code: String) {
    #expect(ForbiddenCalls.complaint(in: code) == nil)
  }
}
