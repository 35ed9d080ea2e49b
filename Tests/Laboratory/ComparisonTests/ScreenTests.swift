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

  /// Returns the cells of the first row of each workload, from its metric to the last strategy.
  private func figures(_ record: ComparisonRecord) throws -> [[String]] {
    try tables(record).flatMap { table in
      table.rows.filter { !$0[0].text.isEmpty }.map { $0.dropFirst().map(\.text) }
    }
  }

  private func tables(_ record: ComparisonRecord) throws -> [ReportTable] {
    try screen(record).blocks.compactMap { if case .table(let table) = $0 { table } else { nil } }
  }

  private func choices(_ record: ComparisonRecord) throws -> [[String]] {
    try screen(record).rows.map { $0.cells[0].strategies }
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

  @Test("A screen stays within its lines with warnings, for all workloads over both transports") func fullSize() throws
  {
    var record = try Self.golden("undecided")
    record.machine.loadBefore = 3
    record.machine.build = "debug"
    record.incomplete = true
    let lines = try screen(record).lines.map(\.text)
    #expect(lines.count <= 24, "\(lines.joined(separator: "\n"))")
    #expect(lines.contains { $0.hasPrefix("take ") } && lines.suffix(2).joined().contains("--until"))
  }

  @Test("A strategy without a result is neither level nor avoided") func crashed() throws {
    var record = RecordedRun.record()
    for index in record.samples.indices
    where record.samples[index].contender == "async" && record.samples[index].workload == .list {
      record.samples[index].failure = "the process crashed"
    }
    let text = try text(record)
    #expect(text.contains("as suits your code: level in 1 of 2 rows; 1 without enough valid blocks."))
    #expect(!text.contains("avoid"))
  }

  @Test("Two strategies that lead together are called level") func jointWinners() throws {
    var record = RecordedRun.record()
    record.behavior = []
    let reference = record.samples.filter { $0.contender == "dataTask" }
    for index in record.samples.indices where ["async", "blocking"].contains(record.samples[index].contender) {
      let sample = record.samples[index]
      var copy = try #require(reference.first { $0.block == sample.block && $0.workload == sample.workload })
      copy.contender = sample.contender
      if copy.workload == .list { copy[.throughput] = copy[.throughput].map { $0 * 2 } }
      record.samples[index] = copy
    }
    let text = try text(record)
    #expect(
      text.contains("take blocking or async, as suits your code: level in all 2 rows. avoid dataTask: worse in list."))
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

  @Test("A row shows the median of each strategy, and how it compares with the reference") func sure() throws {
    var record = RecordedRun.record()
    let table = try tables(record)[0]
    #expect(table.header == ["over http", "median", "dataTask", "async", "blocking"])
    #expect(
      table.rows[0].map(\.text) == ["list: many small images (10 KB)", "images/s ↑", "234", "233 tie", "94.5 worse"])
    for index in record.samples.indices where record.samples[index].contender == "async" {
      record.samples[index][.throughput] = record.samples[index][.throughput].map { $0 * 2 }
    }
    #expect(try figures(record)[0][2] == "466 better")
    #expect(try choices(record)[0] == ["async"])
  }

  @Test("The words separate what is proven, likely, level and open") func degrees() throws {
    let open = noisy(0.5...1.8)
    #expect(try figures(open)[0][2].hasSuffix(" open"))
    #expect(try text(open).firstMatch(of: /open: not told apart from dataTask yet, ≤[12].\dx either way\./) != nil)
    #expect(
      try self.text(open).contains(
        "take dataTask or async, as suits your code: level in 1 of 2 rows, not told apart yet in list."))
    let lean = noisy(0.7...1.4, async: 0.6)
    #expect(try figures(lean)[0][2].hasSuffix(" worse?"))
    let text = try text(lean)
    #expect(text.contains("worse?: likely."))
    #expect(
      text.contains("take dataTask. Proven in 1 of 2 rows. avoid async: likely worse in list."))
    #expect(try !self.text(open).contains("likely."))
  }

  @Test("A lead in a less important metric does not make a strategy probable") func lesserMetric() throws {
    var record = noisy(0.5...1.8)
    for index in record.samples.indices where record.samples[index].contender == "async" {
      record.samples[index][.cpu] = record.samples[index][.cpu].map { $0 / 3 }
    }
    #expect(try choices(record)[0] == ["dataTask", "async"])
    #expect(try tables(record)[0].rows[1].map(\.text)[3].hasSuffix(" better"))
  }

  @Test("A metric in which the reference differs from itself proves nothing") func possible() throws {
    var record = RecordedRun.record()
    for index in record.samples.indices where record.samples[index].workload == .list {
      let name = record.samples[index].contender
      let factor = name == "dataTask (2)" ? 1.5 : name == "async" ? 0.3 : 1
      record.samples[index][.throughput] = record.samples[index][.throughput].map { $0 * factor }
    }
    #expect(try figures(record)[0][2].hasSuffix(" worse?"))
    #expect(try choices(record)[0] == ["dataTask", "async"])
  }

  @Test("If not every deciding metric fits, a row shows the one that tells the strategies apart best") func telling()
    throws
  {
    let whole = try tables(RecordedRun.record())[0]
    #expect(whole.rows.map { $0[1].text } == ["images/s ↑", "CPU s/1000 ↓", "wasted MB ↓", "last row ms ↓"])
    let rows = try tables(Self.golden("undecided"))[0].rows
    #expect(
      rows.map { $0[0].text.prefix { $0 != ":" } } == ["list", "gallery", "scroll", "feed", "wait", "flaky", "stall"])
  }

  @Test("A record of one strategy compares nothing, and proves nothing", arguments: [false, true])
  func oneStrategy(_ isIncomplete: Bool) throws {
    var record = RecordedRun.record()
    record.settings.contenders = [Contender("async", .reference), .control(of: "async"), .bare]
    record.samples = record.samples.filter { !["blocking", "dataTask", "dataTask (2)"].contains($0.contender) }
    record.settings.options = ["--strategies", "async", "--size", "100KB"]
    record.incomplete = isIncomplete
    let text = try text(record)
    #expect(text.contains("take nothing to compare: async is the only strategy."))
    #expect(!text.lowercased().contains("proven"))
    #expect(try screen(record).command == "fetcher compare --workload list,scroll --size 100KB")
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

  @Test("The screen names what it did not measure, each with the way to measure it") func flag() throws {
    let plain = try text(RecordedRun.record())
    #expect(
      plain.contains(
        "not measured iPhone and Mac (another URLSession); https; a real network. Nearer, on a Mac or here: ")
    )
    #expect(plain.contains("`fetcher compare --https --rtt 40ms --bandwidth 50Mbit`."))
    #expect(plain.hasSuffix("this measures https as well: fetcher compare --https --workload list,scroll"))
    let both = try tables(RecordedRun.record().measuredOverHTTPS())
    #expect(both.map { $0.header[0] } == ["over http", "over https (HTTP/2)"])
    #expect(try !text(RecordedRun.record().measuredOverHTTPS()).contains("; https;"))
    #expect(try text(Self.golden("undecided")).contains("; failures over https; a real network."))
  }

  @Test("Strategies that do not fit beside the others are omitted from the table") func many() throws {
    var record = RecordedRun.record()
    for number in 1...8 {
      record.settings.contenders.append(Contender("aStrategyWithALongName\(number)", .strategy))
      record.samples += record.samples.filter { $0.contender == "async" }.map { sample in
        var sample = sample
        sample.contender = "aStrategyWithALongName\(number)"
        return sample
      }
    }
    let screen = try screen(record)
    #expect(screen.lines.allSatisfy { $0.text.count <= 100 } && screen.lines.count <= 24)
    let table = try tables(record)[0]
    #expect(table.header.prefix(4) == ["over http", "median", "dataTask", "async"] && table.header.count < 12)
    #expect(table.rows[0][0].text == "list")
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
    #expect(try choices(record) == [["async"], ["dataTask"]])
    let take = try #require(try screen(record).sentences.first)
    #expect(take.subject == "take" && !take.text.contains("async") && !take.text.contains("dataTask"))
  }

  @Test("A screen states which strategy to avoid and what is not measured") func sentences() throws {
    let text = try text(RecordedRun.record().measuredOverHTTPS())
    #expect(text.contains("never blocking: it breaks scenarios. over http"))
    #expect(
      text.contains(
        "URLSession); a real network. Nearer, on a Mac or here: `fetcher compare --rtt 40ms --bandwidth 50Mbit`."))
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
    #expect(screen.rows[0].cells[0].strategies == ["dataTask", "async"])
    let shown = try tables(steps(failing: ["blocking"]))[0].rows.map { $0[1].text }
    #expect(shown == ["last picture ms ↓", "wasted MB ↓", "CPU ms ↓", "failed ↓"])
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
    #expect(try choices(record)[0].isEmpty)
    #expect(try text(record).contains("warning: list: 5 of 50 runs failed (async 5): the process crashed"))
  }

  @Test("If every run of a strategy failed, no other strategy is sure") func absent() throws {
    var record = RecordedRun.record()
    for index in record.samples.indices where record.samples[index].contender == "async" {
      record.samples[index].failure = "the process crashed"
    }
    #expect(try text(record).contains("take nothing yet: no row has enough valid blocks."))
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
    #expect(analysis.decisions[0].isSure)
  }
}
