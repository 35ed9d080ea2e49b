import Comparison
import Foundation
import PlainText
import SeededNumbers
import TestMachine
import Testing

@Suite("Comparisons that may stop at any time", .computing) struct SequentialTests {
  @Test("The wealth of the bets is a martingale that starts at 1") func martingale() {
    #expect(abs(MedianBet.wealth(wins: 0, of: 0) - 1) < 1e-12)
    for count in 0..<60 {
      for wins in 0...count {
        let next = (MedianBet.wealth(wins: wins, of: count + 1) + MedianBet.wealth(wins: wins + 1, of: count + 1)) / 2
        #expect(abs(next / MedianBet.wealth(wins: wins, of: count) - 1) < 1e-9)
      }
    }
  }

  @Test("The interval contains exactly the values that the bets do not refute") func interval() throws {
    let values = (1...40).map(Double.init)
    let interval = try #require(MedianInterval(values, .anytime(error: 0.05)))
    let isRefuted = { (median: Double) in
      let above = values.count { $0 > median }
      let below = values.count { $0 < median }
      return MedianBet.wealth(wins: max(above, below), of: 40) >= 40
    }
    #expect(!isRefuted(interval.low) && !isRefuted(interval.high))
    #expect(isRefuted(interval.low - 0.5) && isRefuted(interval.high + 0.5))
    #expect(interval.coverage == 0.95)
  }

  @Test("Five values are too few for an interval, but ten are enough for eight comparisons") func fewest() {
    #expect(MedianInterval([1, 2, 3, 4, 5], .anytime(error: 0.05)) == nil)
    #expect(MedianInterval(Array(repeating: 2, count: 10), .anytime(error: 0.05 / 8)) != nil)
    #expect(MedianInterval(Array(repeating: 2, count: 2000), .anytime(error: 0.05)) != nil)
  }

  /// Runs 1000 comparisons by default, and 10,000 in a long run.
  @Test("An interval excludes the true median in at most the given share of comparisons", arguments: [0.05, 0.05 / 8])
  func errorRate(error: Double) {
    let blocks = 200
    let ranks = (0...blocks).map { MedianBet.rank(of: $0, error: error) }
    var generator = SplitMix64(seed: 10)
    var wrong = 0
    let comparisons = LongTests.times(1000, long: 10_000)
    for _ in 0..<comparisons {
      // Each value is above the true median with probability 1/2, whatever its distribution.
      let values = (0..<4).map { _ in generator.next() }
      var (above, isWrong) = (0, false)
      for count in 1...blocks {
        if values[(count - 1) / 64] >> ((count - 1) % 64) & 1 == 1 { above += 1 }
        // The interval excludes the true median if fewer values than the rank are on one side of it.
        if let rank = ranks[count], min(above, count - above) < rank { isWrong = true }
      }
      if isWrong { wrong += 1 }
    }
    let share = Double(wrong) / Double(comparisons)
    #expect(share <= error)
    #expect(share > error / 10, "the bets are far too careful")
  }

  /// By default, two comparisons show that the analysis of equal strategies ends without a winner. A debug build takes half a
  /// second for each, so a long run has 500. If the share were 10 %, 500 comparisons would stay at 5 % or below once in ten
  /// thousand runs.
  @Test("At most 5 % of the comparisons of equal strategies find a winner") func errorRate() {
    let comparisons = LongTests.times(2, long: 500)
    var wrong = 0
    var blocks = 0
    for seed in 0..<comparisons {
      let decision = equalStrategies(seed: UInt64(seed))
      wrong += decision.isAhead ? 1 : 0
      blocks += decision.blocks
    }
    let share = Double(wrong) / Double(comparisons)
    print("\(wrong) of \(comparisons) comparisons err, after \(blocks / comparisons) blocks on average")
    #expect(share <= 0.05)
  }

  /// Returns the decision of a comparison of four equal strategies, which adds blocks until it is decided, up to 40 blocks.
  private func equalStrategies(seed: UInt64) -> Decision {
    var generator = SplitMix64(seed: seed)
    let names = ["dataTask", "dataTask (2)", "downloadTask", "async", "closure"]
    let contenders = names.enumerated().map { index, name in
      Contender(name, index == 0 ? .reference : index == 1 ? .control : .strategy)
    }
    var settings = ComparisonRecord.Settings(
      seed: seed, blocks: 10, contenders: contenders,
      workloads: [WorkloadSettings(.list, images: 100, size: 10_000, latency: 0.02, inFlight: 6)])
    settings.until = ComparisonRecord.Until(limit: 360)
    let machine = ComparisonRecord.Machine(cores: 2, system: "Linux", swift: "6.3", build: "release")
    var record = ComparisonRecord(program: "0.1.0", machine: machine, settings: settings)
    for block in 1...40 {
      for (position, name) in names.enumerated() {
        var sample = Sample(workload: .list, block: block, position: position, contender: name)
        // The noise is up to 30 % and has a long tail.
        let noise = { (generator: inout SplitMix64) in
          exp(Double.random(in: -0.15...0.15, using: &generator))
            - log(Double.random(in: 0.01..<1, using: &generator)) * 0.1
        }
        sample[.throughput] = 250 / noise(&generator)
        sample[.cpu] = 3 * noise(&generator)
        record.samples.append(sample)
      }
      guard block >= 10, block % 5 == 0 else { continue }
      let decision = ComparisonAnalysis(record).decisions[0]
      if decision.open.isEmpty { return decision }
    }
    return ComparisonAnalysis(record).decisions[0]
  }

  /// Returns a recorded run that may have stopped at any time.
  private func analysis(blocks: Int, noise: Double = 0) -> ComparisonAnalysis {
    var record = RecordedRun.record(blocks: blocks)
    record.settings.until = ComparisonRecord.Until(limit: 360)
    var generator = SplitMix64(seed: 5)
    for index in record.samples.indices where record.samples[index].workload == .list {
      let factor = exp(Double.random(in: -noise...noise, using: &generator))
      record.samples[index][.cpu] = record.samples[index][.cpu].map { $0 * factor }
    }
    return ComparisonAnalysis(record)
  }

  private func list(_ analysis: ComparisonAnalysis) throws -> Decision {
    try #require(analysis.decisions.first { $0.situation == Situation(.list) })
  }

  @Test("Strategies within the bound count as equal and need no more blocks") func equal() throws {
    let decision = try list(analysis(blocks: 20))
    #expect(decision.isEqual)
    #expect(decision.open.isEmpty)
    #expect(decision.blocks == 20)
  }

  @Test("With a noisy metric, the comparison between a strategy and the reference stays open") func undecided() throws {
    let decision = try list(analysis(blocks: 12, noise: 0.7))
    #expect(decision.degree == .undecided)
    #expect(decision.open.map(\.name) == ["dataTask", "async"])
  }

  /// Returns a run in which the throughput and CPU time of async are multiples of those of the reference.
  private func analysis(throughput: Double, cpu: Double) -> ComparisonAnalysis {
    var record = RecordedRun.record(blocks: 20)
    record.settings.until = ComparisonRecord.Until(limit: 360)
    for index in record.samples.indices where record.samples[index].contender == "async" {
      record.samples[index][.throughput] = record.samples[index][.throughput].map { $0 * throughput }
      record.samples[index][.cpu] = record.samples[index][.cpu].map { $0 * cpu }
    }
    return ComparisonAnalysis(record)
  }

  @Test("A question that cannot change the choice needs no further blocks") func irrelevant() throws {
    // In throughput, async is level or ahead. It is the choice either way, because CPU time decides after a tie.
    let decided = try list(analysis(throughput: 1.1, cpu: 0.2))
    #expect(decided.isAhead)
    #expect(decided.open.isEmpty)
    // Here, the question decides whether dataTask is also a choice, so it matters.
    let open = try list(analysis(throughput: 1.1, cpu: 1))
    #expect(!open.isSure)
    #expect(open.open.map(\.name) == ["dataTask", "async"])
  }

  @Test("The advice on a decided workload is sure") func sure() throws {
    let decision = try #require(analysis(throughput: 1.1, cpu: 0.2).decisions.first)
    #expect(decision.isSure && decision.strategies == ["async"])
    guard case .ahead(_, of: "dataTask", by: .cpu) = decision.basis else {
      Issue.record("\(String(describing: decision.basis))")
      return
    }
  }

  @Test("With enough blocks, the analysis decides a question that few blocks leave open") func enough() throws {
    #expect(try list(analysis(blocks: 12, noise: 0.2)).degree == .undecided)
    #expect(try list(analysis(blocks: 200, noise: 0.2)).isEqual)
  }

  @Test("With too few blocks, the analysis decides nothing") func tooFew() throws {
    let decision = try list(analysis(blocks: 3))
    #expect(decision.degree == .none)
    #expect(decision.open.map(\.name) == ["dataTask", "async"])
  }

  @Test("A comparison with a fixed number of blocks asks for no further blocks") func fixed() {
    #expect(ComparisonAnalysis(RecordedRun.record(blocks: 3)).decisions.allSatisfy { $0.open.isEmpty })
  }

  @Test("The report states each decision, the error and the method") func report() {
    let text = TextReport(ReportDocument(analysis(blocks: 12, noise: 0.7))).lines.map(\.text).joined(separator: " ")
    #expect(text.contains("Until decided"))
    #expect(text.contains("; 12 blocks"))
    #expect(text.contains("95 %"))
    #expect(text.contains("Waudby-Smith and Ramdas"))
    #expect(!text.contains("Wilcoxon"))
  }
}

extension Decision {
  fileprivate var isAhead: Bool { if case .ahead = basis { true } else { false } }
  fileprivate var isEqual: Bool { isSure && !isAhead }
}
