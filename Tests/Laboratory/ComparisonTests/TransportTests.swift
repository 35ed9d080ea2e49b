import Comparison
import PlainText
import SeededNumbers
import TestMachine
import Testing

/// Reports of a comparison over http and https, and the rules of a recommendation.
@Suite(.computing) struct TransportTests {
  /// Returns a recorded run in which `async` behaves like `socket`: it is twice as fast, and does not load https.
  private func record() -> ComparisonRecord {
    var record = RecordedRun.record()
    for index in record.settings.contenders.indices {
      record.settings.contenders[index].loadsHTTPS = record.settings.contenders[index].name != "async"
    }
    for index in record.samples.indices where record.samples[index].contender == "async" {
      record.samples[index][.throughput] = record.samples[index][.throughput].map { $0 * 2 }
    }
    return record
  }

  private func lines(_ record: ComparisonRecord) -> [String] {
    TextReport(ReportDocument(ComparisonAnalysis(record))).lines.map(\.text)
  }

  /// Returns the text of the report, without line breaks.
  private func text(_ record: ComparisonRecord) -> String {
    lines(record).joined(separator: " ").split(separator: " ").joined(separator: " ")
  }

  @Test("The report names a strategy that does not load https") func noHTTPS() {
    #expect(text(record().measuredOverHTTPS()).contains("async: not over https."))
  }

  @Test("The sentence for a workload covers both transports") func sentence() {
    let text = text(record().measuredOverHTTPS())
    #expect(text.contains("list over http, choose async: it loads at least 1."))
    #expect(text.contains("; over https (HTTP/2), choose dataTask: it loads at least 2."))
  }

  @Test("A workload over https is analyzed from its own samples") func separate() throws {
    let record = record().measuredOverHTTPS { $0[.throughput] = $0[.throughput].map { $0 / 10 } }
    let analysis = ComparisonAnalysis(record)
    let medians = analysis.workloads.filter { $0.workload == .list }.compactMap {
      $0.rows.first?.cells[.throughput]?.median
    }
    #expect(medians.count == 2)
    #expect((9.9...10.1).contains(medians[0] / medians[1]))
    #expect(try FailCondition("list.throughput.dataTask < 100").failures(in: analysis).count == 1)
    #expect(
      try FailCondition("list.throughput.dataTask < 100").failures(in: analysis)[0].hasSuffix("over https (HTTP/2)"))
  }

  @Test("The tables for https contain the protocol and the handshakes") func table() {
    let text = text(record().measuredOverHTTPS())
    #expect(text.contains("list over https (HTTP/2): many small images"))
    #expect(text.contains("HTTP version of the requests, as logged by the server in front: HTTP/2.0."))
    #expect(text.contains("conns handshakes"))
    #expect(text.contains("https: nginx/1.22.1 terminates TLS"))
  }

  @Test("An unfit strategy is never recommended, even without scenario results") func unfit() throws {
    var record = RecordedRun.record()
    record.behavior = []
    let index = try #require(record.settings.contenders.firstIndex { $0.name == "async" })
    record.settings.contenders[index].unfit = "cannot cancel"
    for index in record.samples.indices where record.samples[index].contender == "async" {
      record.samples[index][.throughput] = record.samples[index][.throughput].map { $0 * 3 }
    }
    let analysis = ComparisonAnalysis(record)
    for decision in analysis.decisions { #expect(decision.strategies == ["dataTask"]) }
    #expect(text(record).contains("never async: it cannot cancel"))
  }

  @Test("If only unfit strategies were measured, the report recommends none") func onlyUnfit() {
    var record = RecordedRun.record()
    record.settings.contenders = [Contender("blocking", .reference, unfit: "cannot cancel")]
    let analysis = ComparisonAnalysis(record)
    for decision in analysis.decisions {
      #expect(decision.degree == .none && decision.strategies == [])
    }
    #expect(text(record).contains("no recommendation: blocking must not be used"))
    #expect(!text(record).contains("choose blocking"))
  }

  @Test("If the blocks do not settle a workload, the report calls it open") func undecided() {
    var record = RecordedRun.record()
    for index in record.samples.indices where record.samples[index].contender == "dataTask (2)" {
      record.samples[index][.throughput] = record.samples[index][.throughput].map { $0 * 1.5 }
    }
    let text = text(record)
    #expect(text.contains("list: many small images (10 KB) images/s ↑ 234 233 open 94.5 worse?"))
    #expect(text.contains("list open between dataTask and async"))
    #expect(text.contains("(unproven: dataTask differs from itself by up to 1.5"))
  }

  @Test("A report on too few blocks is short and recommends no strategy") func short() {
    let lines = lines(RecordedRun.record(blocks: 2))
    #expect(lines.contains("Too few blocks to choose"))
    #expect(lines.count <= 42)
    #expect(!lines.contains { $0.contains("choose dataTask") || $0.contains(" tie") })
    #expect(lines.contains { $0.hasPrefix("list: many small images") })
  }
}
