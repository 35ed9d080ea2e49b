import Foundation
import PlainText
import SeededNumbers
import TestMachine
import Testing

@testable import Comparison

@Suite("Analysis of a recorded comparison", .computing) struct AnalysisTests {
  private let analysis = ComparisonAnalysis(RecordedRun.record())

  private func cell(_ workload: Workload, _ contender: String, _ metric: Metric) throws -> MetricCell {
    let found = try #require(analysis.workloads.first { $0.workload == workload })
    return try #require(found.rows.first { $0.contender.name == contender }?.cells[metric])
  }

  /// Joins the lines, without line breaks.
  private static func joined(_ lines: [String]) -> String {
    lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
  }

  @Test("A slower strategy is judged worse, and an equal one shows no difference")
  func judgements() throws {
    #expect(try cell(.list, "blocking", .throughput).judgement == .worse(isSure: true))
    #expect(try cell(.list, "async", .throughput).judgement == .same)
    #expect(try cell(.list, "bare API", .throughput).judgement == .better(isSure: false))
    let interval = try #require(try cell(.list, "blocking", .throughput).effect?.interval)
    #expect((interval.low...interval.high).contains(0.4))
  }

  @Test("The warm-up block does not count in the analysis") func warmUp() throws {
    var record = RecordedRun.record()
    for index in record.samples.indices where record.samples[index].block == 0 {
      record.samples[index][.throughput] = 1e9
    }
    let other = ComparisonAnalysis(record)
    #expect(try cell(.list, "async", .throughput).values.count == 10)
    #expect(
      other.workloads[0].rows[0].cells[.throughput]?.median == analysis.workloads[0].rows[0].cells[.throughput]?.median)
  }

  @Test("A zero reference is compared by difference, not by ratio") func difference() throws {
    let cell = try cell(.scroll, "blocking", .wasted)
    #expect(cell.effect?.kind == .difference)
    #expect(cell.judgement == .worse(isSure: true))
  }

  @Test("The choice consists of the unbeaten strategies and is marked as sure") func choice() throws {
    #expect(analysis.decisions.map(\.strategies) == [["dataTask", "async"], ["dataTask", "async"]])
    #expect(analysis.decisions.allSatisfy { $0.isSure })
  }

  @Test("A small gain does not decide the choice, even if it is sure") func smallGain() throws {
    var record = RecordedRun.record()
    for index in record.samples.indices where record.samples[index].contender == "async" {
      record.samples[index][.throughput] = record.samples[index][.throughput].map { $0 * 1.06 }
    }
    let analysis = ComparisonAnalysis(record)
    #expect(
      analysis.workloads[0].rows.first { $0.contender.name == "async" }?.cells[.throughput]?.judgement.isBetter == true)
    #expect(analysis.decisions[0].strategies == ["dataTask", "async"])
    #expect(analysis.decisions[0].isSure)
  }

  @Test("A loss within the noise of the reference does not exclude a strategy")
  func unclear() throws {
    var record = RecordedRun.record()
    for index in record.samples.indices where record.samples[index].workload == .list {
      let sample = record.samples[index]
      // The reference differs from itself by up to 1.5 times, and async is 1.3 times as slow in each block.
      if sample.contender == "dataTask (2)" {
        record.samples[index][.throughput] = sample[.throughput].map { $0 * (sample.block % 2 == 0 ? 1.5 : 0.7) }
      }
      if sample.contender == "async" { record.samples[index][.throughput] = sample[.throughput].map { $0 / 1.3 } }
    }
    let analysis = ComparisonAnalysis(record)
    #expect(
      analysis.workloads[0].rows.first { $0.contender.name == "async" }?.cells[.throughput]?.judgement
        == .worse(isSure: false))
    #expect(analysis.decisions[0].leaders.map(\.name) == ["dataTask", "async"])
  }

  @Test("A tie states the largest difference that its intervals may hide")
  func ties() throws {
    guard case .level(let width, _) = analysis.decisions[0].basis else {
      Issue.record("\(String(describing: analysis.decisions[0].basis))")
      return
    }
    #expect((1...1.1).contains(width.ratio))
    #expect(analysis.decisions[0].sentence.hasPrefix("choose dataTask or async: all are within 1.0"))
    var record = RecordedRun.record()
    for index in record.samples.indices where record.samples[index].contender == "async" {
      let factor = record.samples[index].block % 2 == 0 ? 1.5 : 0.7
      record.samples[index][.cpu] = record.samples[index][.cpu].map { $0 * factor }
    }
    let noisy = ComparisonAnalysis(record)
    let decision = noisy.decisions[0]
    #expect(decision.degree == .undecided && decision.basis == nil && decision.strategies == ["dataTask", "async"])
    #expect(decision.widths.map(\.metric) == [.cpu] && decision.widths.allSatisfy { $0.width.ratio > 1.4 })
    let lines = Self.joined(TextReport(ReportDocument(noisy)).lines.map(\.text))
    #expect(
      lines.contains("list open between dataTask and async: the measurements allow a difference of 1.5"))
    #expect(!lines.contains("list choose"))
  }

  @Test("An imperceptible stall does not exclude a strategy, but a long stall does") func shortStalls()
    throws
  {
    var record = RecordedRun.record()
    for index in record.samples.indices where record.samples[index].workload == .list {
      let sample = record.samples[index]
      // The stall is ten times as long in every second block, and still far below a frame.
      let short = sample.block % 2 == 0 ? 0.0001 : 0.001
      // The reference also differs from itself by an imperceptible amount.
      record.samples[index][.poolStall] =
        switch sample.contender {
        case "blocking": 0.13
        case "dataTask (2)": short + 0.0015
        default: short
        }
      record.samples[index][.mainStall] = sample.contender == "async" ? 0.003 : 0.0001
      record.samples[index].workload = .stall
    }
    record.settings.workloads[0].workload = .stall
    let decision = ComparisonAnalysis(record).decisions[0]
    #expect(decision.strategies == ["dataTask", "async"])
    #expect(decision.rounds[0].behind.map(\.name) == ["blocking"])
    #expect(
      decision.sentence == "choose dataTask or async: all are within 2.9 ms of dataTask in longest stall of main")
    for index in record.samples.indices where record.samples[index].contender == "async" {
      record.samples[index][.mainStall] = 0.02
    }
    #expect(ComparisonAnalysis(record).decisions[0].strategies == ["dataTask"])
  }

  @Test("A tied choice mentions gains in metrics that do not decide") func asides() throws {
    var record = RecordedRun.record()
    for index in record.samples.indices where record.samples[index].workload == .scroll {
      record.samples[index][.cpu] = record.samples[index].contender == "async" ? 1 : 3
    }
    let analysis = ComparisonAnalysis(record)
    #expect(analysis.decisions[1].strategies == ["dataTask", "async"])
    #expect(
      analysis.decisions[1].reasons.last
        == "better in CPU for 1,000 images, which is not a deciding metric here: async 1.00 CPU s (0.33x [0.33, 0.33])")
  }

  @Test("A sole choice is compared with the best of the other strategies") func alone() throws {
    var record = RecordedRun.record()
    for index in record.samples.indices where record.samples[index].contender == "async" {
      record.samples[index][.throughput] = record.samples[index][.throughput].map { $0 / 2 }
    }
    let decision = ComparisonAnalysis(record).decisions[0]
    #expect(decision.strategies == ["dataTask"])
    guard case .ahead(_, of: "async", by: .throughput) = decision.basis else {
      Issue.record("\(String(describing: decision.basis))")
      return
    }
    #expect(decision.rounds[0].behind.map(\.name) == ["blocking", "async"])
  }

  @Test("The sentence names a strategy that is equally good but breaks scenarios") func misbehaving() throws {
    var record = RecordedRun.record()
    record.behavior = record.behavior.map { cell in
      var cell = cell
      cell.verdict = cell.strategy == "async" ? .breaks : .holds
      return cell
    }
    let decision = ComparisonAnalysis(record).decisions[0]
    #expect(decision.strategies == ["dataTask"])
    #expect(
      decision.sentence.hasPrefix("choose dataTask: it loads at least 2.")
        && decision.sentence.hasSuffix("; async is as good here, but never recommended"))
  }

  @Test("A better strategy that breaks scenarios is not chosen")
  func misbehaviorThatPays() throws {
    var record = RecordedRun.record()
    record.behavior = record.behavior.map { cell in
      var cell = cell
      cell.verdict = cell.strategy == "async" ? .breaks : .holds
      return cell
    }
    for index in record.samples.indices where record.samples[index].contender == "async" {
      record.samples[index][.throughput] = record.samples[index][.throughput].map { $0 * 2 }
    }
    let decision = ComparisonAnalysis(record).decisions[0]
    #expect(decision.strategies == ["dataTask"])
    #expect(
      decision.sentence.hasPrefix("choose dataTask: it loads at least 2.")
        && decision.sentence.hasSuffix("; async is better here, but never recommended"))
  }

  @Test("The loss of one image counts, but 5 % less throughput does not") func leastGain() throws {
    let values = (0..<10).map { 44 + Double($0) / 1000 }
    func counts(_ factor: Double, _ metric: Metric) throws -> Bool {
      let effect = try #require(PairedEffect(values.map { $0 * factor }, to: values))
      return Judgement(effect, adjusted: 0, control: nil, metric).counts
    }
    #expect(try counts(43 / 44, .arrived))
    #expect(try !counts(42 / 44, .throughput))
    #expect(try counts(39 / 44, .throughput))
  }

  @Test("A table marks exactly the differences that decide the choice") func oneRule() throws {
    for row in analysis.workloads[0].rows {
      for cell in row.cells.values where cell.judgement != .reference {
        let reach = cell.effect?.leastReach ?? 1
        #expect(cell.judgement.counts == (reach >= analysis.workloads[0].leastThatCounts(cell.metric)))
      }
    }
    let reasons = try #require(
      ReportDocument(analysis).blocks.lazy.compactMap { block in
        if case .answer("list", _, let reasons) = block { reasons } else { nil }
      }.first)
    #expect(reasons[0] == "measured: 100 images of 10 KB, 20.0 ms latency, 6 in flight, so 300 images/s at most")
    #expect(reasons[1].hasPrefix("throughput: level within 1.0"))
    #expect(reasons[1].contains("; behind: blocking "))
    #expect(reasons[2].hasPrefix("CPU for 1,000 images: level within 1.0"))
  }

  @Test("If the two measurements of the reference differ, the analysis makes no choice") func unproven() throws {
    var record = RecordedRun.record()
    for index in record.samples.indices where record.samples[index].contender == "dataTask (2)" {
      record.samples[index][.throughput] = record.samples[index][.throughput].map { $0 * 1.5 }
    }
    let analysis = ComparisonAnalysis(record)
    #expect(analysis.workloads[0].isUnproven(.throughput))
    #expect(!analysis.workloads[0].isUnproven(.cpu))
    #expect(analysis.decisions[0].degree == .undecided && analysis.decisions[0].basis == nil)
    let lines = TextReport(ReportDocument(analysis)).lines.map(\.text)
    #expect(lines.contains { $0.hasPrefix("list ") && $0.contains("open between") })
    #expect(lines.contains { $0.contains("UNPROVEN") })
  }

  @Test("If noise hides the winner in one metric, the next metric does not decide the choice") func blind() throws {
    var record = RecordedRun.record()
    var generator = SplitMix64(seed: 4)
    for index in record.samples.indices where record.samples[index].workload == .list {
      let noise = Double.random(in: 0.2...1.8, using: &generator)
      record.samples[index][.throughput] = 250 * noise
      if record.samples[index].contender == "async" { record.samples[index][.cpu] = 1 }
    }
    let decision = ComparisonAnalysis(record).decisions[0]
    #expect(decision.degree == .undecided && decision.strategies == ["dataTask", "async"])
    #expect(
      decision.sentence
        .hasPrefix("open between dataTask and async: the measurements allow a difference of 2.22x in throughput"))
  }

  @Test("Noise in a strategy that is never recommended does not hide the winner") func noisyUnfit() {
    var record = RecordedRun.record()
    var generator = SplitMix64(seed: 4)
    for index in record.samples.indices where record.samples[index].workload == .list {
      let name = record.samples[index].contender
      record.samples[index][.throughput] = name == "blocking" ? Double.random(in: 150...400, using: &generator) : 250
      record.samples[index][.cpu] = name == "async" ? 9 : 3
    }
    let decision = ComparisonAnalysis(record).decisions[0]
    #expect(decision.strategies == ["dataTask"])
    #expect(decision.isSure)
  }

  @Test("If an unfit strategy is best, the choice states its lead over the reference") func leadBelowUnfit() {
    var record = RecordedRun.record()
    for index in record.samples.indices where record.samples[index].workload == .list {
      record.samples[index][.throughput] = 250
      record.samples[index][.cpu] = ["blocking": 0.03, "async": 0.3][record.samples[index].contender] ?? 3
    }
    let decision = ComparisonAnalysis(record).decisions[0]
    #expect(decision.strategies == ["async"])
    #expect(decision.basis == .ahead("10x", of: "dataTask", by: .cpu))
  }

  @Test("If there are too few latencies for a percentile, the report omits it and states the reason") func percentiles()
  {
    let lines = TextReport(ReportDocument(analysis)).lines.map(\.text)
    #expect(analysis.workloads[0].rows[0].latency(0.5) != nil)
    #expect(analysis.workloads[0].rows[0].latency(0.95) == nil)
    #expect(lines.contains { $0.contains("has only 100 latencies") })
    let many = ComparisonAnalysis(RecordedRun.record(latencies: 100))
    #expect(many.workloads[0].rows[0].latency(0.99) != nil)
  }

  @Test("Two comparisons of the same strategies agree, and a comparison with other speeds does not") func agreement() {
    let second = ComparisonAnalysis(RecordedRun.record(seed: 2))
    let agreement = RunAgreement(analysis, second)
    #expect(agreement.lines.count == 14)
    #expect(agreement.lines.allSatisfy { $0.agrees })
    var changed = RecordedRun.record(seed: 5)
    for index in changed.samples.indices where changed.samples[index].contender == "async" {
      changed.samples[index][.throughput] = changed.samples[index][.throughput].map { $0 * 0.5 }
    }
    let disagreement = RunAgreement(analysis, ComparisonAnalysis(changed)).lines.filter { !$0.agrees }
    #expect(disagreement.map(\.contender) == ["async"])
  }

  @Test("If a run fails, the analysis reports it and drops only that contender's value from the block") func failures()
    throws
  {
    var record = RecordedRun.record()
    let index = try #require(
      record.samples.firstIndex { $0.block == 3 && $0.contender == "async" && $0.workload == .list })
    record.samples[index].values = [:]
    record.samples[index].failure = "the process was terminated by signal 4 (Illegal instruction)"
    let analysis = ComparisonAnalysis(record)
    let row = try #require(analysis.workloads[0].rows.first { $0.contender.name == "async" })
    #expect(row.cells[.throughput]?.values.count == 9)
    let lines = TextReport(ReportDocument(analysis)).lines.map(\.text).joined(separator: "\n")
    #expect(lines.contains("async: 1 of 10 runs have no result"))
  }

  @Test("The analysis reports an outlier, but still counts it") func outlier() throws {
    var record = RecordedRun.record()
    let index = try #require(
      record.samples.firstIndex { $0.block == 5 && $0.contender == "async" && $0.workload == .list })
    record.samples[index][.throughput] = 2500
    let analysis = ComparisonAnalysis(record)
    #expect(analysis.workloads[0].flags.contains { $0.contains("in the results: async 2500 beside 2") })
    #expect(analysis.workloads[0].rows.first { $0.contender.name == "async" }?.cells[.throughput]?.values.count == 10)
  }

  @Test("A busy machine, a debug build and few blocks cause warnings") func warnings() {
    #expect(analysis.warnings.isEmpty)
    var record = RecordedRun.record(blocks: 4)
    record.machine.loadBefore = 1.7
    record.machine.build = "debug"
    record.incomplete = true
    let warnings = ComparisonAnalysis(record).warnings
    #expect(warnings.count == 4)
    record.settings.waitedIdle = true
    #expect(ComparisonAnalysis(record).warnings.contains { $0.hasSuffix("and the machine did not become idle") })
    #expect(
      warnings.contains(
        "load 1.7 on 2 cores before the start widens the intervals; run again with --wait-idle"
      ))
  }
}
