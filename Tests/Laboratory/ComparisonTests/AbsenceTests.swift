import Comparison
import Testing

@Suite("Missing measurements in a comparison") struct AbsenceTests {
  /// Analyzes a recorded run after a change to its samples.
  private func analysis(_ change: (inout Sample) -> Void) -> ComparisonAnalysis {
    var record = RecordedRun.record()
    for index in record.samples.indices { change(&record.samples[index]) }
    return ComparisonAnalysis(record)
  }

  private func failures(_ condition: String, _ analysis: ComparisonAnalysis) throws -> [String] {
    try FailCondition(condition).failures(in: analysis)
  }

  @Test("The analysis names a workload in which no image arrives, and gives no advice for it") func failing() throws {
    let analysis = analysis { if $0.workload == .scroll { $0[.arrived] = 0 } }
    #expect(analysis.absences == ["scroll: no valid run: no image arrived"])
    #expect(analysis.warnings.contains("scroll: no valid run: no image arrived"))
    #expect(analysis.decisions.map(\.situation.workload) == [.list])
    #expect(try failures("scroll.wasted > 1MB", analysis) == ["scroll.wasted: nothing was measured"])
  }

  @Test("The analysis names a workload without samples") func missing() {
    var record = RecordedRun.record()
    record.samples.removeAll { $0.workload == .scroll || $0.block == 0 }
    record.incomplete = true
    #expect(ComparisonAnalysis(record).absences == ["not measured: scroll"])
    #expect(ComparisonAnalysis(RecordedRun.record()).absences == [])
  }

  @Test("A strategy whose runs all fail also fails each bound") func strategy() throws {
    let analysis = analysis { if $0.contender == "async" { $0.failure = "the process crashed" } }
    #expect(analysis.absences == [])
    #expect(analysis.warnings.contains("list, async: no valid run: the process crashed"))
    #expect(try failures("list.cpu > 1000", analysis) == ["async: list.cpu was not measured"])
    #expect(try failures("list.cpu.async > 1000", analysis) == ["list.cpu: nothing was measured"])
    #expect(try failures("list.cpu.blocking > 1000", analysis) == [])
  }

  @Test("A bound fails for a transport without measurements") func transport() throws {
    var record = RecordedRun.record().measuredOverHTTPS { $0[.arrived] = 0 }
    var analysis = ComparisonAnalysis(record)
    let list = "list over https (HTTP/2): no valid run: no image arrived"
    #expect(analysis.absences.first == list)
    #expect(
      try failures("list.throughput < 1", analysis) == ["list.throughput: nothing was measured over https (HTTP/2)"])
    record = RecordedRun.record().measuredOverHTTPS()
    analysis = ComparisonAnalysis(record)
    #expect(try failures("list.throughput < 1", analysis) == [])
    // Runs over http have no handshakes, so they cannot fail this bound.
    #expect(try failures("list.handshakes > 5", analysis) == [])
  }

  @Test("Over https, a bound applies only to strategies that load https") func plain() throws {
    var record = RecordedRun.record()
    for index in record.settings.contenders.indices where record.settings.contenders[index].name == "async" {
      record.settings.contenders[index].loadsHTTPS = false
    }
    let analysis = ComparisonAnalysis(record.measuredOverHTTPS())
    #expect(try failures("list.throughput < 1", analysis) == [])
    #expect(try failures("list.throughput.async < 1", analysis) == [])
  }

  @Test("A bound that is too large for a number is rejected") func infinite() {
    let digits = String(repeating: "9", count: 400)
    #expect(throws: FailCondition.Problem.self) { try FailCondition("list.cpu > \(digits)") }
  }

  @Test("The analysis warns about few blocks only if their number was fixed") func sequential() {
    var record = RecordedRun.record(blocks: 12)
    record.settings.blocks = 2
    let doubt = "2 of at least 10 blocks: too few for reliable intervals"
    #expect(ComparisonAnalysis(record).warnings.contains(doubt))
    record.settings.until = ComparisonRecord.Until(limit: 360)
    #expect(!ComparisonAnalysis(record).warnings.contains(doubt))
  }
}
