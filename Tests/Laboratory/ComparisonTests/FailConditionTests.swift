import Comparison
import Testing

@Suite("Bounds of the option --fail-if") struct FailConditionTests {
  private let analysis = ComparisonAnalysis(RecordedRun.record())

  private func failures(_ text: String) throws -> [String] { try FailCondition(text).failures(in: analysis) }

  @Test("A failed bound names each strategy beyond it, with its median") func failing() throws {
    let failures = try failures("scroll.wasted > 1MB")
    #expect(failures.count == 1)
    #expect(failures.first?.hasPrefix("blocking: scroll.wasted is 2.0 MB, above 1.0 MB") == true)
    #expect(try self.failures("scroll.wasted > 3MB") == [])
    #expect(try self.failures("scroll.wasted.async > 0") == [])
    #expect(try self.failures(" list.throughput.blocking<150 ").count == 1)
    #expect(try self.failures("scroll.lastRow > 1 s") == [])
    #expect(try self.failures("scroll.lastRow > 1 ms").count == 3)
  }

  @Test("A bound on a metric that was not measured fails") func missing() throws {
    #expect(try failures("wait.waiting > 1") == ["wait.waiting: nothing was measured"])
    #expect(try failures("list.throughput.downloadTask < 1") == ["list.throughput: nothing was measured"])
  }

  @Test(
    "The error for an invalid condition lists the valid names",
    arguments: [
      ("scroll.wasted", "is not a condition; write it as"),
      ("scrol.wasted > 1", "no workload \"scrol\"; choose from list"),
      ("scroll.waste > 1", "scroll has no metric \"waste\"; choose from wasted"),
      ("scroll.wasted > 1s", "\"1s\" is not a valid wasted"),
      ("wait.waiting > 1..2", "is not a valid waiting"),
    ])
  func problems(_ text: String, _ part: String) {
    let problem = #expect(throws: FailCondition.Problem.self) { try FailCondition(text) }
    #expect(problem?.message.contains(part) == true)
  }
}
