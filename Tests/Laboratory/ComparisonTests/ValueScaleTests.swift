import Testing

@testable import Comparison

@Suite("The unit of a table column") struct ValueScaleTests {
  @Test("The values of a column share one unit, even if they are 100x apart")
  func oneUnit() {
    let memory = ValueScale(.bytes, [399_000, 24e6, 0, 3000])
    #expect([399_000, 24e6, 0, 3000].map(memory.text) == ["0.4 MB", "24.0 MB", "0 MB", "<0.01 MB"])
    let times = ValueScale(.seconds, [0.000_2, 1.3])
    #expect([0.000_2, 0.000_06, 1.3, -0.003].map(times.text) == ["0.2 ms", "0.06 ms", "1300 ms", "-3.0 ms"])
    #expect(ValueScale(.seconds, [0, 1.3, 2]).text(1.3) == "1.3 s")
    #expect(ValueScale(.bytes, [0]).text(0) == "0 B")
  }

  @Test("The title of a column contains the unit, and its cells are plain numbers") func column() throws {
    let analysis = ComparisonAnalysis(RecordedRun.record())
    let scroll = try #require(analysis.workloads.first { $0.workload == .scroll })
    let table = WorkloadTable.table(scroll, "dataTask")
    #expect(table.header == ["strategy", "wasted MB", "vs dataTask", "last row ms"])
    #expect(table.rows[0][1].text == "0")
    #expect(Double(table.rows[2][1].text) != nil)
  }
}
