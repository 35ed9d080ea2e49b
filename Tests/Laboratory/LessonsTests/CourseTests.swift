import Foundation
import Lessons
import ScheduleExplorer
import TestMachine
import Testing

@testable import Commands

@Suite struct CourseTests {
  @Test("The course contains every lesson exactly once")
  func complete() {
    #expect(Course.stops.map(\.id).sorted() == Curriculum.ids.sorted())
  }

  @Test("The course places a lesson after all lessons that it builds on")
  func order() {
    var earlier: Set<String> = []
    for stop in Course.stops {
      #expect(earlier.isSuperset(of: stop.after), "\(stop.id)")
      earlier.insert(stop.id)
    }
  }

  @Test("Each sitting of the course takes about two hours")
  func length() {
    for sitting in Course.sittings { #expect((100...130).contains(sitting.minutes), "\(sitting.title)") }
  }
}

@Suite(.computing) struct TeachingPageTests {
  private static func text(_ page: String = "TEACHING-LESSONS.md") throws -> String {
    try String(
      contentsOf: LessonFolder().file(.broken, of: Curriculum.entries[0].lesson).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: page), encoding: .utf8)
  }

  @Test("The teaching reference has the steps and the repairs of each lesson of the plan for three hours")
  func scripts() throws {
    let plan = try Self.text("TEACHING.md")
    let hours = try #require(plan.components(separatedBy: "\n## ").first { $0.hasPrefix("Three hours\n") })
    let planned = hours.matches(of: /\| \[(L\d+)\]/).map { String($0.1) }
    #expect(planned.count == 6)
    let text = try Self.text()
    for id in planned {
      let lesson = try #require(Curriculum.entry(id)).lesson
      let part = try #require(text.components(separatedBy: "\n### \(id): ").dropFirst().first)
      #expect(part.hasPrefix("\(try LessonFolder().text(of: lesson).title)\n"), "\(id)")
      #expect(part.contains("\n| moment | say or ask | expect |\n"), "\(id)")
      #expect(part.contains("\n| repair in \(id) | verdict | why, and what to ask |\n"), "\(id)")
    }
  }

  @Test("The teaching reference lists the lessons of each sitting")
  func rows() throws {
    let tables = try Self.text().components(separatedBy: "\n### Sitting ").dropFirst()
    #expect(tables.count == Course.sittings.count)
    for (table, sitting) in zip(tables, Course.sittings) {
      #expect(table.matches(of: /\n\| ([LX]\d+) \|/).map { String($0.1) } == sitting.stops.map(\.id))
    }
  }

  @Test("The links of the teaching reference open steps that exist in both orders of a lesson")
  func links() throws {
    #expect(try Self.verifyLinks { !$0.isPlain } > 10)
  }

  /// Verifies the links to these lessons, and returns their number.
  static func verifyLinks(where isMeant: (Lesson) -> Bool) throws -> Int {
    var count = 0
    for link in try text().matches(of: /`([LX]\d+)\.html#step-(\d+)`/) {
      let entry = try #require(Curriculum.entry(String(link.1)))
      guard isMeant(entry.lesson) else { continue }
      count += 1
      let deviations = entry.lesson.token.deviations
      let flipped = try #require(deviations.withLastPairFlipped, "\(link.1)")
      for order in [deviations, flipped] {
        let run = RecordedRun(order, of: entry.broken.judge)
        #expect(try #require(Int(link.2)) <= run.steps.count, "\(link.0)")
      }
    }
    return count
  }
}

@Suite(.computing) struct PredictionTests {
  private static let ids = Curriculum.ids
  /// The lessons that run in this process. `PlainLessonTests` has the others.
  private static let onRuntime = Curriculum.entries.filter { !$0.lesson.isPlain }.map(\.lesson.id)

  private static func outcomes(_ id: String) throws -> (entry: Curriculum.Entry, outcomes: Outcomes, text: LessonText) {
    let entry = try #require(Curriculum.entry(id))
    let text = try LessonFolder().text(of: entry.lesson)
    return (entry, Outcomes(entry, text), text)
  }

  @Test(
    "Exactly one of the outcomes that a lesson offers is the failure, and its form does not reveal it",
    arguments: onRuntime)
  func right(_ id: String) throws {
    try Self.verifyOutcomes(of: id)
  }

  static func verifyOutcomes(of id: String) throws {
    let (entry, outcomes, _) = try outcomes(id)
    #expect(outcomes.texts.count >= 3)
    #expect(Set(outcomes.texts).count == outcomes.texts.count)
    #expect(outcomes.texts.count { outcomes.isRight($0, asFound: entry.finding) == true } == 1)
    let failure = try #require(entry.finding)
    #expect(outcomes.texts.contains(failure))
    // The form of the failure does not reveal it.
    let others = outcomes.texts.dropLast().filter { $0 != failure }
    for form in [", but ", " instead of ", "deadlock:", "[", "“"] where failure.contains(form) {
      #expect(others.contains { $0.contains(form) }, "\(id): \(failure)")
    }
    #expect(others.contains { Double($0.count) > 0.7 * Double(failure.count) }, "\(id): \(failure)")
  }

  @Test("A prediction is the number of an outcome or free text")
  func answers() throws {
    let (_, outcomes, _) = try Self.outcomes("L03")
    #expect(try outcomes.prediction("3") == "B is selected, but A is shown")
    #expect(try outcomes.prediction("4") == Outcomes.works)
    #expect(try outcomes.prediction(" A   stays ") == "A stays")
    for answer in ["0", "5", "-1", "", "  ", String(repeating: "a", count: 201)] {
      #expect(throws: (any Error).self, "\(answer)") { try outcomes.prediction(answer) }
    }
  }

  @Test("The lesson compares a prediction with the run and with the failure")
  func comparison() throws {
    let (entry, outcomes, _) = try Self.outcomes("L03")
    let found = try #require(entry.finding)
    #expect(outcomes.comparison(found, withFailure: found).hasSuffix("You were right."))
    #expect(outcomes.comparison(Outcomes.works, withFailure: found).hasSuffix("shows something else."))
    #expect(outcomes.comparison("A stays", withFailure: found).hasSuffix("Compare this with the order above."))
    #expect(outcomes.comparison(found, withRun: nil).hasSuffix("This order does not show it."))
    #expect(outcomes.comparison(Outcomes.works, withRun: nil).hasSuffix("In this order, they do."))
    #expect(outcomes.comparison(found, withRun: found).hasSuffix("The run shows this."))
  }

  @Test("The goal of a lesson does not reveal the failure that the search finds", arguments: ids)
  func goal(_ id: String) throws {
    let (_, _, text) = try Self.outcomes(id)
    let goal = text.paragraphs("Goal").joined()
    for phrase in ["You will find", "keeps this promise", "really"] { #expect(!goal.contains(phrase)) }
  }

  @Test("The hints of a lesson use only names from its program or its repair", arguments: ids)
  func hints(_ id: String) throws {
    let (entry, _, text) = try Self.outcomes(id)
    let folder = try LessonFolder()
    let code = try [.broken, .fixed].flatMap { try folder.code($0, of: entry.lesson) }.joined(separator: "\n")
    for hint in text.hints {
      for span in hint.matches(of: /`([^`]+)`/).map(\.1) {
        for name in span.matches(of: /[A-Za-z_]\w*/).map(\.output) {
          #expect(code.contains(name) || Self.known.contains(String(name)), "\(name) in \(hint)")
        }
        #expect(ForbiddenCalls.complaint(in: String(span), isPlain: entry.lesson.isPlain) == nil, "\(span)")
      }
    }
  }

  /// Names of the library and the language that a hint mentions, but that the learner does not have to write.
  private static let known: Set<String> = ["Data", "contentsOf", "Void"]

  @Test("The learner never chooses between two items with the same name", arguments: onRuntime)
  func names(_ id: String) throws { try Self.verifyNames(of: id) }

  static func verifyNames(of id: String) throws {
    let (entry, _, _) = try outcomes(id)
    let run = RecordedRun(entry.lesson.token.deviations, of: entry.broken.judge)
    for index in run.steps.indices {
      let names = run.ready(before: index).map { "\($0.name) on \($0.scheduler)" }
      #expect(Set(names).count == names.count, "\(names)")
    }
  }
}
