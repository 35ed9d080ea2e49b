import Comparison
import Foundation
import PlainText
import SeededNumbers
import TestMachine
import Testing

@Suite("The answer on one screen", .computing) struct ScreenTests {
  private func screen(_ record: ComparisonRecord) throws -> Screen {
    try #require(Screen(ComparisonAnalysis(record)))
  }

  private func text(_ record: ComparisonRecord) throws -> String {
    try screen(record).lines.map(\.text).joined(separator: " ").split(separator: " ").joined(separator: " ")
  }

  private func cells(_ record: ComparisonRecord) throws -> [[String]] {
    try screen(record).rows.map { $0.cells.map(\.text) }
  }

  /// Returns a record from `Tests/CommandLine/Golden/files`.
  private static func golden(_ name: String) throws -> ComparisonRecord {
    let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let file = package.appending(path: "Tests/CommandLine/Golden/files/\(name).json")
    return try JSONDecoder().decode(ComparisonRecord.self, from: Data(contentsOf: file))
  }

  /// Returns a recorded run in which the throughput in `list` is noisy.
  private func noisy(_ noise: ClosedRange<Double>, async factor: Double = 1) -> ComparisonRecord {
    var record = RecordedRun.record()
    var generator = SplitMix64(seed: 4)
    for index in record.samples.indices where record.samples[index].workload == .list {
      let own = record.samples[index].contender == "async" ? factor : 1
      record.samples[index][.throughput] = 250 * Double.random(in: noise, using: &generator) * own
    }
    return record
  }

  static let records: [ComparisonRecord] = {
    let plain = RecordedRun.record()
    var until = plain.measuredOverHTTPS()
    until.settings.until = ComparisonRecord.Until(limit: 360)
    var failing = plain.measuredOverHTTPS { $0.failure = "the process crashed because of a long reason, and of others" }
    failing.incomplete = true
    failing.machine.loadBefore = 3
    failing.machine.build = "debug"
    var options = DamagedRecordTests.fullRecord
    options.settings.options = ["--strategies", "dataTask,downloadTask,async", "--size", "100KB", "--latency", "20ms"]
    let files = ["comparison", "decided", "undecided", "failed"].compactMap { try? ScreenTests.golden($0) }
    return [
      plain, plain.measuredOverHTTPS(), plain.measuredOverHTTPS(.https1), RecordedRun.record(blocks: 1), until, failing,
      DamagedRecordTests.fullRecord, options,
    ] + files
  }()

  @Test("A screen has at most 24 lines of at most 100 columns") func size() throws {
    #expect(Self.records.count == 12)
    for record in Self.records {
      let lines = try screen(record).lines.map(\.text)
      #expect(lines.count <= 24, "\(lines.joined(separator: "\n"))")
      for line in lines { #expect(line.count <= 100, "\(line)") }
    }
  }

  @Test("Every format of the report begins with the screen") func forms() throws {
    for record in Self.records {
      let analysis = ComparisonAnalysis(record)
      let screen = try screen(record)
      let document = ReportDocument(analysis)
      #expect(Array(TextReport(document).lines.map(\.text).prefix(screen.lines.count)) == screen.lines.map(\.text))
      #expect(Array(document.blocks.prefix(screen.blocks.count)) == screen.blocks)
      let page = HTMLReport.page(analysis, document)
      let start = try #require(page.split(separator: "</h1>").last)
      for sentence in screen.sentences where !sentence.text.contains("`") {
        #expect(start.prefix(12_000).contains(sentence.text.escapedForHTML), "\(sentence.text)")
      }
    }
  }

  @Test("A row names the chosen strategies") func sure() throws {
    #expect(try cells(RecordedRun.record()) == [["dataTask or async (tie)"], ["dataTask or async (tie)"]])
    var record = RecordedRun.record()
    for index in record.samples.indices where record.samples[index].contender == "async" {
      record.samples[index][.throughput] = record.samples[index][.throughput].map { $0 * 2 }
    }
    #expect(try cells(record)[0] == ["async, not dataTask (best)"])
  }

  @Test("A visible lead is called probable, and without a lead all strategies stay open") func degrees() throws {
    let open = noisy(0.5...1.8)
    #expect(try cells(open)[0][0].wholeMatch(of: /open: dataTask or async, ≤[12].\dx throughput/) != nil)
    let lean = noisy(0.7...1.4, async: 0.6)
    #expect(try cells(lean)[0] == ["dataTask (likely)"])
    let text = try text(lean)
    #expect(text.contains("likely: ahead, but not proven."))
    #expect(
      text.contains(
        "trade-off many small images: async: probably 17 to 56 % less throughput than dataTask"))
    #expect(try !self.text(open).contains("likely"))
  }

  @Test("A lead in a less important metric does not make a strategy probable") func lesserMetric() throws {
    var record = noisy(0.5...1.8)
    for index in record.samples.indices where record.samples[index].contender == "async" {
      record.samples[index][.cpu] = record.samples[index][.cpu].map { $0 / 3 }
    }
    #expect(try cells(record)[0][0].wholeMatch(of: /open: dataTask or async, ≤[12].\dx throughput/) != nil)
    #expect(
      try text(record).contains(
        "trade-off many small images: async: 66 to 67 % less CPU for 1,000 images than dataTask"))
  }

  @Test("An unreliable metric does not exclude a strategy") func possible() throws {
    var record = RecordedRun.record()
    for index in record.samples.indices where record.samples[index].workload == .list {
      let name = record.samples[index].contender
      let factor = name == "dataTask (2)" ? 1.5 : name == "async" ? 0.3 : 1
      record.samples[index][.throughput] = record.samples[index][.throughput].map { $0 * factor }
    }
    #expect(try cells(record)[0] == ["open: dataTask or async"])
    #expect(try text(record).contains(" open: not proven which of them is best"))
  }

  @Test("The screen omits a strategy that is measured but never recommended") func floor() throws {
    var record = RecordedRun.record()
    let index = try #require(record.settings.contenders.firstIndex { $0.name == "async" })
    record.settings.contenders[index].role = .floor
    for index in record.samples.indices where record.samples[index].contender == "async" {
      record.samples[index][.throughput] = record.samples[index][.throughput].map { $0 * 2 }
    }
    #expect(try !text(record).contains("async"))
  }

  @Test("On a busy machine, the suggested command waits until the machine is idle") func busy() throws {
    var record = open { _ in true }
    #expect(try screen(record).command?.hasSuffix("--until decided") == true)
    record.machine.loadBefore = 5
    #expect(try screen(record).command?.hasSuffix("--until decided --wait-idle") == true)
    record.settings.waitedIdle = true
    #expect(try screen(record).command?.hasSuffix("--until decided") == true)
  }

  @Test("Without a visible difference, no trade-off is stated") func noTradeOff() throws {
    let text = try text(noisy(0.5...1.8))
    #expect(text.contains("the wrong one may be up to that much worse"))
    #expect(!text.contains("trade-off"))
  }

  @Test("Without https, one line names the flag that adds the column") func flag() throws {
    let plain = try text(RecordedRun.record())
    #expect(plain.contains("what to take for http list: many small images (10 KB) "))
    #expect(plain.contains("https is not measured; `--https` adds a column for it"))
    #expect(plain.hasSuffix("this measures https as well: fetcher compare --https --workload list,scroll"))
    let both = try text(RecordedRun.record().measuredOverHTTPS())
    #expect(both.contains("what to take for http https (HTTP/2) list: many"))
    #expect(!both.contains("https is not measured"))
  }

  @Test("The cell for a failing server over https reads \"not measured\"") func flaky() throws {
    let screen = try screen(Self.golden("undecided"))
    let row = try #require(screen.rows.first { $0.workload == .flaky })
    #expect(row.situation == "a failing server" && row.cells.map(\.text).last == "not measured")
  }

  @Test("Without a common winner, each row has its own advice") func different() throws {
    var record = RecordedRun.record()
    for index in record.samples.indices {
      let isAsync = record.samples[index].contender == "async"
      if record.samples[index].workload == .list {
        record.samples[index][.throughput] = record.samples[index][.throughput].map { isAsync ? $0 * 2 : $0 }
      } else {
        record.samples[index][.lastRow] = record.samples[index][.lastRow].map { isAsync ? $0 * 2 : $0 }
      }
    }
    #expect(try cells(record) == [["async, not dataTask (best)"], ["dataTask, not async (best)"]])
    let take = try #require(try screen(record).sentences.first)
    #expect(take.subject == "take" && !take.text.contains("async") && !take.text.contains("dataTask"))
  }

  @Test("A screen states which strategy to avoid and what is not measured") func sentences() throws {
    let text = try text(RecordedRun.record().measuredOverHTTPS())
    #expect(text.contains("never blocking: it breaks scenarios. what to take for"))
    #expect(text.contains("not measured iPhone and Mac: only the advice against blocking carries over; a real network"))
    #expect(text.contains("`--rtt 40ms --bandwidth 50Mbit` simulates one"))
    #expect(try screen(Self.golden("undecided")).sentences.count <= 6)
  }

  /// Returns a record in which the reference differs from itself in `list`, for the samples for which `isOpen` holds.
  private func open(_ isOpen: (Sample) -> Bool) -> ComparisonRecord {
    var record = RecordedRun.record().measuredOverHTTPS()
    for index in record.samples.indices
    where record.samples[index].contender == "dataTask (2)" && isOpen(record.samples[index]) {
      record.samples[index][.throughput] = record.samples[index][.throughput].map { $0 * 1.5 }
    }
    return record
  }

  @Test("The suggested command measures the open workloads, over https only if needed") func command() throws {
    let secure = try screen(open { $0.transport != nil }).command
    #expect(secure == "fetcher compare --https --workload list --until decided")
    #expect(try screen(open { $0.transport == nil }).command == "fetcher compare --workload list --until decided")
    var record = open { _ in true }
    record.settings.until = ComparisonRecord.Until(limit: 360)
    record.settings.options = ["--size", "20KB", "--strategies", "a b"]
    record.machine.build = "debug"
    #expect(
      try screen(record).command
        == "swift run -c release fetcher compare --https --workload list --until decided --limit 12min --size 20KB "
        + "--strategies 'a b'")
  }

  @Test("A long command continues on the next line with a backslash, as in a shell") func longCommand() throws {
    let command = "fetcher compare " + Array(repeating: "--workload list", count: 8).joined(separator: " ")
    let lines = TextReport(ReportDocument([.command(command)])).lines.map(\.text)
    #expect(lines.count == 2 && lines[0].hasSuffix(" \\") && lines.allSatisfy { $0.count <= 100 })
    let joined = lines.joined(separator: "\n").replacing("\\\n", with: "")
    #expect(joined.split(separator: " ") == command.split(separator: " "))
  }

  /// Returns a recorded run of a scenario's steps, in which the given strategies fail an expectation.
  private func steps(failing: Set<String> = []) -> ComparisonRecord {
    var record = RecordedRun.record()
    var settings = WorkloadSettings(.scenario, images: 30, size: 0, latency: 0, inFlight: 1)
    settings.scenario = "scenarios/fast-scrolling.json"
    record.settings.workloads = [settings]
    record.behavior = []
    record.samples = record.samples.filter { $0.workload == .scroll }.map { sample in
      var sample = sample
      sample.workload = .scenario
      sample[.lastPicture] = sample[.lastRow]
      sample[.cpuTime] = 0.2
      sample[.failed] = failing.contains(sample.contender) ? 1 : 0
      return sample
    }
    return record
  }

  @Test("A comparison of a scenario has the same screen, with its own metrics and file") func scenario() throws {
    let screen = try screen(steps(failing: ["blocking"]))
    let lines = screen.lines.map(\.text)
    #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 100 && !$0.contains("…") })
    #expect(screen.rows.map(\.situation) == ["fast-scrolling"])
    #expect(screen.rows[0].cells.map(\.text) == ["dataTask or async, not blocking (tie)"])
    #expect(lines.contains { $0.hasPrefix("strategy ") && $0.contains("last picture ms") && $0.contains("wasted") })
    let text = try text(steps(failing: ["blocking"]))
    #expect(
      text.contains(
        "expectations failed in most runs: blocking 1; why: `fetcher run scenarios/fast-scrolling.json"))
    #expect(try self.text(steps()).contains("expectations all that the file states hold with every strategy."))
    var open = steps()
    for index in open.samples.indices where open.samples[index].contender == "dataTask (2)" {
      open.samples[index][.lastPicture] = 0.3
    }
    #expect(
      try self.screen(open).command == "fetcher compare scenarios/fast-scrolling.json --until decided")
  }

  @Test("The command that explains failed expectations is never cut") func longPath() throws {
    var record = steps(failing: ["blocking"])
    record.settings.workloads[0].scenario = String(repeating: "a long folder/", count: 12) + "steps.json"
    let text = try text(record)
    #expect(text.contains("expectations failed in most runs: blocking 1; why: `fetcher run FILE --strategy all`."))
  }

  @Test("The screen names failed runs, and with too few valid blocks, the analysis makes no choice") func failures()
    throws
  {
    var record = RecordedRun.record()
    for index in record.samples.indices
    where record.samples[index].contender == "async" && record.samples[index].workload == .list
      && record.samples[index].block > 5
    {
      // The values of a failed run must not count.
      record.samples[index].failure = "the process crashed"
      record.samples[index][.throughput] = 1e9
    }
    let analysis = ComparisonAnalysis(record)
    #expect(analysis.warnings == ["list: 5 of 50 runs failed (async 5): the process crashed"])
    #expect(analysis.shortfalls == ["list: fewer than 6 valid blocks of async: the process crashed"])
    #expect(analysis.workloads[0].rows.first { $0.contender.name == "async" }?.cells[.throughput]?.values.count == 5)
    #expect(try cells(record)[0] == ["no result: too few valid blocks"])
    #expect(try text(record).contains("warning: list: 5 of 50 runs failed (async 5): the process crashed"))
  }

  @Test("If every run of a strategy failed, no other strategy is sure") func absent() throws {
    var record = RecordedRun.record()
    for index in record.samples.indices where record.samples[index].contender == "async" {
      record.samples[index].failure = "the process crashed"
    }
    for row in try cells(record) { #expect(row == ["no result: too few valid blocks"]) }
    let analysis = ComparisonAnalysis(record)
    #expect(analysis.decisions.allSatisfy { $0.degree == .none && $0.strategies.isEmpty })
    #expect(analysis.shortfalls.count == 2)
  }

  @Test("The analysis reports a failed run and can still decide from the remaining valid blocks") func fewFailures()
    throws
  {
    var record = RecordedRun.record()
    let index = try #require(
      record.samples.firstIndex { $0.block == 3 && $0.contender == "async" && $0.workload == .list })
    record.samples[index].failure = "the process crashed"
    let analysis = ComparisonAnalysis(record)
    #expect(analysis.shortfalls.isEmpty)
    #expect(analysis.warnings == ["list: 1 of 50 runs failed (async 1): the process crashed"])
    #expect(try cells(record)[0][0].hasSuffix("(tie)"))
  }
}
