#if SwiftExecutors && os(Linux) && compiler(>=6.3) && compiler(<6.4)
  import TestMachine
  import Testing

  @testable import ScheduleExplorerTesting

  @Suite("Traps in explored tests", .exploresSwift) struct TrapTests {
    struct Row: Sendable, CustomTestStringConvertible {
      let test: String
      let message: String

      var testDescription: String { test }
    }

    static let rows = [
      Row(test: "forcedUnwrap", message: "Unexpectedly found nil while unwrapping an Optional value"),
      Row(test: "failedPrecondition", message: "read after close"),
      Row(test: "resumedTwice", message: "tried to resume its continuation more than once"),
      Row(test: "overlappingAccesses", message: "Simultaneous accesses"),
    ]

    @Test(
      "The report of a trap shows its message, its source line and the smallest order",
      arguments: LongTests.some(of: rows, every: 4)) func trap(
        _ row: Row
      ) async throws
    {
      let search = ChildSearch(
        name: row.test, filter: "TrapFixtures/\(row.test)", isParameterized: false, limit: nil, isCancelled: Flag(),
        variables: [Fixtures.variable: "1", "EXPLORE_RECORD": "off"])
      let result = try await onThread { search.run() }
      #expect(result.problems.isEmpty)
      let failure = try #require(result.reports.first?.failure, "\(result)")
      let text = failure.issues[0].text
      #expect(text.contains(row.message) && text.contains("Fixtures.swift:"), "\(text)")
      #expect(failure.whole.contains("TrapFixtures"))
      #expect(
        failure.table.split(separator: "\n").count { $0.hasPrefix("*  ") } == 1, "\(failure.table)")
      #expect(failure.pair?.contains("passes if after") == true)
      #expect(failure.token.hasPrefix("O1."), "\(failure.token)")
    }
  }
#endif
