import Foundation
import Testing

@testable import Comparison

@Suite("Plots of ratios") struct PlotTests {
  private func chart(_ record: ComparisonRecord, _ metric: Metric) throws -> String {
    let analysis = ComparisonAnalysis(record)
    return try #require(RatioChart.svg(analysis.workloads[0], metric, "dataTask"))
  }

  @Test("Ratios that are close to each other are plotted on a linear axis from zero") func linear() throws {
    let chart = try chart(RecordedRun.record(), .throughput)
    #expect(chart.contains(">0x</text>"))
    #expect(!chart.contains("log scale"))
  }

  @Test("Ratios more than 10x apart are plotted as separate dots on a logarithmic axis")
  func logarithmic() throws {
    var record = RecordedRun.record()
    let factors = ["blocking": 1000.0, "async": 0.1]
    for index in record.samples.indices {
      let factor = factors[record.samples[index].contender] ?? 1
      record.samples[index][.throughput] = record.samples[index][.throughput].map { $0 * factor }
    }
    let chart = try chart(record, .throughput)
    #expect(chart.contains(">times dataTask, log scale</text>"))
    for tick in ["0.1x", "1x", "10x", "100x", "1000x"] { #expect(chart.contains(">\(tick)</text>"), "\(tick)") }
    #expect(!chart.contains("<rect x=\"96\""), "a logarithmic axis has no zero, so it has no bars")
    let dots = chart.matches(of: /<circle cx="([0-9.]+)"/).compactMap { Double($0.1) }
    // dataTask (2), blocking, async, bare API.
    #expect(dots.count == 4)
    #expect(dots[2] < dots[0] - 20 && dots[0] < dots[1] - 100)
  }

  @Test("A logarithmic axis has few ticks, and equal ratios have equal distances") func ticks() {
    let narrow = Axis(left: 0, right: 100, logarithmic: 0.3...4) { "\($0)" }
    #expect(narrow.ticks.map { $0.decimals(1) } == ["0.2", "0.5", "1.0", "2.0", "5.0"])
    let wide = Axis(left: 0, right: 100, logarithmic: 0.001...5000) { "\($0)" }
    #expect(wide.ticks.count <= 7)
    #expect(abs(wide.x(1) - wide.x(0.1) - (wide.x(10) - wide.x(1))) < 0.001)
  }

  @Test("The plot has a band for the differences that are too small to matter") func band() throws {
    let analysis = ComparisonAnalysis(RecordedRun.record()).workloads[0]
    #expect(analysis.leastThatCounts(.throughput) == Metric.usualLeastGain)
    #expect(try chart(RecordedRun.record(), .throughput).contains("class=\"band\""))
  }
}
