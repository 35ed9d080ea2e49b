#if SwiftExecutors && os(Linux) && compiler(>=6.3) && compiler(<6.4)
  import Foundation
  import TestMachine
  import Testing

  @testable import ScheduleExplorerTesting

  /// The reports of the tests in the table. One child process runs each suite of them.
  struct TableRuns {
    let reports: [CaseReport]

    static let shared = Task.detached(executorPreference: nil) { try await TableRuns() }

    init() async throws {
      reports =
        try await Self.run("TableFixtures/", ["EXPLORE_SCHEDULES": "\(LongTests.times(60, long: 200))"])
        + Self.run("SuiteFixtures/")
        + Self.run("StuckFixtures/")
    }

    private static func run(_ filter: String, _ variables: [String: String] = [:]) async throws -> [CaseReport] {
      let child = ChildProcess(
        arguments: ["--testing-library", "swift-testing", "--no-parallel", "--filter", filter], order: .search(from: 0),
        variables: [Fixtures.variable: "1", "EXPLORE_RECORD": "off"].merging(variables) { $1 })
      let result = try await onThread { try child.run() }
      #expect(result.end == .exited(0), "\(result.output)")
      return result.messages.compactMap { if case .ended(let report) = $0 { report } else { nil } }
    }

    func cases(of name: String) -> [CaseReport] { reports.filter { $0.test.contains("/\(name)(") } }
  }

  /// Runs blocking work on a thread outside the pool.
  func onThread<Value: Sendable>(_ work: sending @escaping () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let box = Once(work)
      Thread { continuation.resume(with: Result { try box.work() }) }.start()
    }
  }

  /// The conformance is unchecked because the work passes to one thread.
  private struct Once<Value>: @unchecked Sendable {
    let work: () throws -> Value

    init(_ work: @escaping () throws -> Value) { self.work = work }
  }

  @Suite("Tests with the trait `.explored`", .exploresSwift) struct TableTests {
    /// A test that fails in some order.
    struct Broken: Sendable, CustomTestStringConvertible {
      let feature: String
      let test: String
      /// A part of the issue of the failing order.
      let issue: String
      var cases = 1

      var testDescription: String { feature }
    }

    /// A test that passes in all orders.
    struct Correct: Sendable, CustomTestStringConvertible {
      let feature: String
      let test: String
      var cases = 1
      /// The minimum number of orders.
      var orders = 1

      var testDescription: String { feature }
    }

    static let broken = [
      Broken(feature: "parameters", test: "findsBothArguments", issue: "(forbidden → ", cases: 2),
      Broken(feature: "confirmation", test: "findsConfirmation", issue: "Confirmation was confirmed 2 times"),
      Broken(feature: "withKnownIssue", test: "findsKnownIssueThatIsAbsent", issue: "Known issue was not recorded"),
      Broken(feature: "#require", test: "findsRequirement", issue: "Expectation failed: "),
      Broken(feature: "a thrown error", test: "findsThrownError", issue: "Caught error: Late()"),
      Broken(feature: "actors", test: "findsLostUpdateOfActor", issue: "await counter.value == 2"),
      Broken(
        feature: "@MainActor", test: "findsLastSelection", issue: #"(model.text → "sunny in Oslo") == "sunny in Rome""#),
      Broken(feature: "groups", test: "findsEachOrderOfGroup", issue: "(forbidden → ", cases: 6),
      Broken(feature: "streams", test: "findsEachOrderOfStream", issue: "(forbidden → ", cases: 2),
      Broken(
        feature: "sleeps in any order", test: "findsOwnSleepThatEndsEarly", issue: #"(journal.text → "") == "loaded""#),
      Broken(
        feature: "random delays", test: "findsRandomDelayThatIsTooLong", issue: #"(journal.text → "") == "loaded""#),
      Broken(
        feature: "interrupted jobs", test: "findsTaskThatRunsFirst", issue: #"(journal.text → "task test ")"#),
      Broken(
        feature: "continuations", test: "findsContinuationThatIsNeverResumed", issue: "nothing resumes what it awaits"),
    ]

    static let correct = [
      Correct(feature: "confirmation", test: "confirmed", orders: 2),
      Correct(feature: "withKnownIssue", test: "knownIssue", orders: 2),
      Correct(feature: "time limits", test: "timeLimit"),
      Correct(feature: "task-local values", test: "taskLocals", orders: 2),
      Correct(feature: "actors", test: "actor", orders: 2),
      Correct(feature: "@MainActor", test: "lastSelection", orders: 2),
      Correct(feature: "the test's own sleep", test: "ownSleepIsLast", orders: 2),
      Correct(feature: "delays after the test's own sleep", test: "ownSleepEndsBeforeLongerOnes"),
      Correct(feature: "random delays", test: "randomDelays", orders: 50),
      Correct(feature: "work that never ends", test: "workThatNeverEnds"),
      Correct(feature: "cancellation", test: "cancellation"),
      Correct(feature: "virtualTime", test: "virtualTime"),
      Correct(feature: "suites", test: "freshInstance", orders: 100),
      Correct(feature: "serialized", test: "serialized", cases: 2, orders: 1),
      Correct(feature: "the innermost trait", test: "innermostTrait", orders: 7),
    ]

    @Test("The search finds the failing order of a broken test", arguments: broken) func finds(_ row: Broken)
      async throws
    {
      let cases = try await TableRuns.shared.value.cases(of: row.test)
      #expect(cases.map(\.number) == Array(0..<row.cases))
      for report in cases {
        let failure = try #require(report.failure, "\(report)")
        #expect(failure.issues[0].text.contains(row.issue), "\(failure.issues)")
        #expect(!failure.table.isEmpty && !failure.token.isEmpty)
      }
      if row.cases > 1 { #expect(Set(cases.compactMap(\.arguments)).count == row.cases) }
    }

    @Test("A correct test passes in all orders", arguments: correct) func passes(_ row: Correct) async throws {
      let cases = try await TableRuns.shared.value.cases(of: row.test)
      #expect(cases.map(\.number) == Array(0..<row.cases))
      for report in cases {
        #expect(report.failure == nil)
        #expect(report.schedules >= row.orders)
      }
    }

    @Test("A test runs as many schedules as its innermost trait allows") func limit() async throws {
      let runs = try await TableRuns.shared.value
      #expect(runs.cases(of: "innermostTrait").map(\.schedules) == [7])
      #expect(runs.cases(of: "virtualTime").map(\.schedules) == [1])
    }

    @Test("The table lists every test that the child processes run") func complete() async throws {
      let names = Set(Self.broken.map(\.test) + Self.correct.map(\.test))
      let reports = try await TableRuns.shared.value.reports
      let unlisted = reports.filter { report in !names.contains { report.test.contains("/\($0)(") } }
      #expect(unlisted.map(\.test).isEmpty)
    }
  }
#endif
