import CommandLineTool
import Comparison
import EventBus
import FetcherModel
import Foundation
import OriginServer
import Testing

@testable import Commands

@Suite("The options of a comparison") struct CompareOptionsTests {
  private func options(_ words: String...) throws -> CompareOptions { try options(words) }

  private func options(_ words: [String]) throws -> CompareOptions {
    let parser = CommandLineParser(commands: [CompareCommand.command], fallback: CompareCommand.command)
    guard case .run(_, let arguments) = try parser.parse(["compare"] + words) else {
      throw UsageError("not a command that runs")
    }
    return try CompareOptions(arguments)
  }

  @Test("By default, a comparison measures all standard workloads in ten blocks against dataTask") func defaults()
    throws
  {
    let options = try options()
    #expect(options.workloads.map(\.workload) == Workload.standard)
    #expect(options.blocks == 10)
    #expect(
      options.contenders.map(\.name) == [
        "dataTask", "dataTask (2)", "blocking", "downloadTask", "async", "socket", "bare API",
      ])
  }

  @Test("A comparison measures the workload large-feed only if it is named") func largeFeed() throws {
    #expect(try !options().workloads.contains { $0.workload == .largeFeed })
    let settings = try options("--workload", "large-feed").workloads
    #expect(settings.map(\.workload) == [.largeFeed] && settings[0].size == 4_000_000)
  }

  @Test("Without dataTask, the first named strategy is the reference") func reference() throws {
    let contenders = try options("--strategies", "async,blocking").contenders
    #expect(contenders.map(\.name) == ["async", "async (2)", "blocking", "bare API"])
    #expect(contenders.map(\.role) == [.reference, .control, .strategy, .bare])
  }

  @Test("Sizes apply to every selected workload, but a rate applies only to list") func sizes() throws {
    let options = try options(
      "--workload", "wait,list", "--images", "7", "--size", "1.5KB", "--latency", "40ms", "--in-flight", "3", "--rate",
      "50")
    #expect(options.workloads.map(\.workload) == [.list, .wait])
    for settings in options.workloads {
      #expect(settings.images == 7)
      #expect(settings.size == 1500)
      #expect(settings.latency == 0.04)
      #expect(settings.inFlight == 3)
    }
    #expect(options.workloads.map(\.rate) == [50, nil])
  }

  @Test(
    "Invalid options and options without effect are rejected before the measurement",
    arguments: [
      ["--rate", "10", "--workload", "wait"], ["--load", "a.json", "--blocks", "3"],
      ["--load", "a.json", "--workload", "list"],
      ["--fail-if", "scroll.wasted > 1MB", "--workload", "list"], ["--fail-if", "scroll.wasted > 1MB", "--behavior"],
      ["--fail-if", "list.throughput.nobody < 1"], ["--fail-if", ","],
      ["--url", "http://127.0.0.1/a.png", "--rtt", "40ms"],
      ["--url", "http://127.0.0.1/a.png", "--bandwidth", "1Mbit"], ["--load", "a.json", "--rtt", "40ms"],
      ["--rtt", "1001ms"], ["--rtt", "40"], ["--until", "sure"], ["--limit", "5min"],
      ["--until", "decided", "--limit", "5"], ["--until", "decided", "--behavior"],
      ["--until", "decided", "--url", "http://127.0.0.1/a.png"], ["--load", "a.json", "--until", "decided"],
      ["--http1"], ["--https", "--http1", "--http2"], ["--https", "--url", "https://127.0.0.1/a.png"],
      ["--https", "--behavior"], ["--https", "--workload", "flaky"], ["--https", "--strategies", "socket"],
      ["--load", "a.json", "--https"], ["--cacert", "a.pem"], ["--cacert", "a.pem", "--url", "http://127.0.0.1/a.png"],
      ["--strategies", "socket", "--url", "https://example.org/a.png"], ["--workload", ","],
    ])
  func refused(_ words: [String]) {
    #expect(throws: UsageError.self) { try options(words) }
  }

  /// Each flag of the first version, with a value that the flag accepts.
  private static let flags = [
    ["--workload", "list"], ["--workloads", "list"], ["--strategies", "async"], ["--strategy", "async"],
    ["--behavior"], ["--behaviour"], ["--blocks", "3"], ["--until", "decided"],
    ["--until", "decided", "--limit", "2min"],
    ["--images", "3"], ["--size", "2KB"], ["--latency", "5ms"], ["--in-flight", "2"], ["--rate", "20"],
    ["--rtt", "10ms"], ["--bandwidth", "1Mbit"], ["--https"], ["--https", "--http1"], ["--https", "--http2"],
    ["--seed", "2"], ["--url", "http://127.0.0.1/a.png"],
    ["--url", "https://127.0.0.1/a.png", "--cacert", "root.pem"], ["--allow-plain-http"], ["--load", "a.json"],
    ["--json"], ["--csv"], ["--markdown"], ["--html", "a.html"], ["--schema"], ["--fail-if", "list.cpu > 1"],
    ["--wait-idle"], ["--allow-debug"], ["--no-color"],
  ]

  @Test("Every flag from earlier versions still works", arguments: flags) func flag(_ words: [String]) throws {
    let parser = CommandLineParser(commands: [CompareCommand.command], fallback: CompareCommand.command)
    guard case .run(let command, let arguments) = try parser.parse(["compare"] + words) else {
      Issue.record("\(words) does not run")
      return
    }
    for word in words where word.hasPrefix("--") {
      let option = try #require(command.allOptions.first { $0.name == word || $0.alias == word })
      #expect(arguments.has(option))
    }
    _ = try CompareOptions(arguments)
  }

  @Test("`--help` lists the ten common flags, and --help-all lists all flags") func help() throws {
    let short = HelpPage.page(CompareCommand.command)
    let names = ["workload", "strategies", "https", "until", "rtt", "bandwidth", "url", "html", "json", "details"]
    let listed = short.compactMap { $0.firstMatch(of: /^  --([a-z-]+)/).map { String($0.1) } }
    #expect(listed == names + ["no-color", "help", "help-all"])
    #expect(short.count <= 40 && short.allSatisfy { $0.count <= 100 })
    let full = HelpPage.page(CompareCommand.command, isFull: true)
    for option in CompareCommand.command.allOptions {
      #expect(full.count { $0.hasPrefix("  \(option.name) ") } == 1, "\(option.name)")
    }
    for group in ["Load:", "Network:", "Statistics:", "Output:"] { #expect(full.count { $0 == group } == 1) }
    let parser = CommandLineParser(commands: [CompareCommand.command], fallback: CompareCommand.command)
    guard case .help(_, isFull: true) = try parser.parse(["compare", "--help-all"]) else {
      Issue.record("--help-all is not a page")
      return
    }
  }

  @Test("A record keeps the options that the suggested next command repeats") func repeated() throws {
    let words = ["--strategies", "dataTask,async", "--size", "2KB", "--rtt", "10ms"]
    #expect(try options(words + ["--workload", "list", "--blocks", "3"]).words == words)
    #expect(try options().words == [])
  }

  @Test("A time without a unit or beyond its bounds is rejected", arguments: ["10", "1h", "-1ms", "61s", ""])
  func times(_ text: String) {
    #expect(throws: UsageError.self) { try Amount.seconds(text, CompareOptions.latency) }
  }

  @Test("A size without a number or beyond its bounds is rejected", arguments: ["99", "65MB", "1TB", "-1KB", "KB"])
  func sizes(_ text: String) {
    #expect(throws: UsageError.self) { try Amount.bytes(text, CompareOptions.size) }
  }

  @Test("`--until decided` has a limit of six minutes, or the given limit") func until() throws {
    #expect(try options().until == nil)
    #expect(try options("--until", "decided").until?.limit == 360)
    let until = try #require(try options("--until", "decided", "--limit", "90s").until)
    #expect(until.limit == 90 && until.error == 0.05)
  }

  @Test(
    "A rate without a unit or beyond its bounds is rejected",
    arguments: ["10", "10MB", "99Kbit", "11Gbit", "-1Mbit", ""])
  func rates(_ text: String) {
    #expect(throws: UsageError.self) { try Amount.bitsPerSecond(text, CompareOptions.bandwidth) }
  }

  @Test("By default, a workload has all its images and no simulated network") func loopback() throws {
    for settings in try options().workloads {
      #expect(settings.network == nil)
      #expect(settings.images == WorkloadDefaults.settings(settings.workload).images)
    }
  }

  @Test(
    "With a simulated network, a workload shrinks so that its images arrive within 2 s",
    arguments: [["--rtt", "40ms"], ["--bandwidth", "10Mbit"], ["--rtt", "300ms", "--bandwidth", "500Kbit"]])
  func fits(_ words: [String]) throws {
    for settings in try options(words).workloads {
      let network = try #require(settings.network)
      let full = WorkloadDefaults.settings(settings.workload)
      #expect(settings.images <= full.images && settings.size <= full.size)
      #expect(settings.images >= 4)
      let bytes = settings.images * settings.size + (settings.pictureSize ?? 0)
      if let bandwidth = network.bandwidth { #expect(Double(bytes) * 8 / bandwidth < 2, "\(settings)") }
      #expect(WorkloadDefaults.seconds(settings) < 2, "\(settings)")
    }
  }

  @Test("With https, each workload except flaky is measured over http and then over https") func https() throws {
    let options = try options("--https", "--workload", "list,flaky,wait", "--rtt", "10ms")
    #expect(
      options.workloads.map(\.situation) == [
        Situation(.list), Situation(.list, .https2), Situation(.wait), Situation(.wait, .https2), Situation(.flaky),
      ])
    #expect(options.workloads[0].images == options.workloads[1].images)
    #expect(try self.options("--https", "--http1").workloads[1].transport == .https1)
    #expect(try self.options("--https", "--strategies", "socket,async").contenders.first?.name == "async")
  }

  @Test("A strategy that cannot cancel or does not see the status is unfit") func unfit() throws {
    let unfit = try options().contenders.filter { $0.unfit != nil }
    #expect(unfit.map(\.name) == ["blocking", "socket"])
    #expect(unfit.first?.unfit == "cannot cancel and does not see the HTTP status")
  }

  @Test("The socket strategy does not compete for an https address") func httpsAddress() throws {
    let words = ["--url", "https://example.org/a.png", "--cacert", "root.pem"]
    let options = try options(words)
    #expect(!options.contenders.contains { $0.name == "socket" })
    #expect(options.rootCertificate == "root.pem")
  }

  @Test("A simulated network does not change a number that the user chose") func chosen() throws {
    let words = ["--rtt", "100ms", "--bandwidth", "1Mbit", "--workload", "list"]
    let images = try #require(try options(words + ["--images", "60"]).workloads.first)
    #expect(images.images == 60 && images.size < 10_000)
    let both = try #require(try options(words + ["--images", "60", "--size", "50KB"]).workloads.first)
    #expect(both.images == 60 && both.size == 50_000)
    #expect(both.network == NetworkSettings(roundTrip: 0.1, bandwidth: 1e6))
  }

  @Test("A workload of URLs keeps two requests in flight and obeys the transport policy") func urls() throws {
    let settings = try #require(
      try options("--url", "https://example.org/a.png", "http://127.0.0.1/b.png").workloads.first)
    #expect(settings.workload == .url)
    #expect(settings.inFlight == 2)
    #expect(settings.urls == ["https://example.org/a.png", "http://127.0.0.1/b.png"])
    #expect(throws: UsageError.self) { try options("--url", "https://example.org/a.png", "http://example.org/a.png") }
    #expect(try options("--allow-plain-http", "--url", "http://example.org/a.png").allowsPlainHTTP)
    #expect(throws: UsageError.self) { try options("--url", "https://example.org/a.png", "--workload", "list") }
  }

  @Test("The progress line shows the completed share and the time left") func progress() {
    #expect(
      ProgressLine.line(share: 0.58, secondsLeft: 62.4, "list, block 4 of 10, async")
        == "[############--------]  58 %  1:02 left  list, block 4 of 10, async")
    #expect(ProgressLine.line(share: 1, secondsLeft: -1, "x") == "[####################] 100 %  0:00 left  x")
    #expect(ProgressLine.line(share: 0.01, secondsLeft: nil, "x") == "[--------------------]   1 %  x")
  }

  @Test("The progress line fits into a narrow terminal") func narrow() {
    let line = { ProgressLine.line(share: 0.5, secondsLeft: 62, "late-response, dataTask, 300 schedules/s", width: $0) }
    #expect(line(40) == " 50 %  1:02 left  late-response, dataTa")
    #expect(line(75).count == 74)
    #expect(line(75).hasPrefix("[##########----------]  50 %  1:02 left  late-response"))
  }

  @Test("The default comparison is expected to take between 40 s and 140 s") func expected() throws {
    let options = try options()
    let settings = ComparisonRecord.Settings(
      seed: 1, blocks: 10, contenders: options.contenders, workloads: options.workloads)
    let seconds = settings.workloads.reduce(0) { sum, workload in
      let bare: [Workload] = [.list, .gallery, .wait]
      return sum + WorkloadDefaults.seconds(workload) * Double(bare.contains(workload.workload) ? 66 : 55)
    }
    #expect((40...140).contains(seconds), "\(seconds)")
  }

  @Test("The workload feed serves a large picture next to its thumbnails") func feed() {
    let content = WorkloadContent(WorkloadDefaults.settings(.feed))
    #expect((3_900_000...4_000_000).contains(content.settings.pictureSize ?? 0))
    #expect((9_000...10_000).contains(content.settings.size))
    let route = content.origin.routes.first { $0.path == "/picture" }
    #expect(route?.responses.first?.body.count == content.settings.pictureSize)
  }

  @Test("A fifth of the images in flaky fail, once or always, in each of five ways") func flaky() {
    let good = OriginResponse(body: .bytes(2000))
    let routes = FlakyAnswers.routes(50, good)
    #expect(routes.count == 10)
    #expect(routes.map(\.responses.count) == [2, 2, 2, 2, 2, 1, 1, 1, 1, 1])
  }

  @Test("A run that loses images fails, except in the workload flaky") func failingRun() {
    let plan = MeasurePlan(
      settings: WorkloadDefaults.settings(.list), strategy: nil, base: nil, keepsSeries: false,
      allowsPlainHTTP: false, hasRootCertificate: false)
    let load = ImageLoad(plan: plan, source: BareSource(), runtime: DispatchRuntime.shared)
    let images = (0..<3).map {
      LoadedImage(
        number: $0, latency: 0.01, service: 0.01, result: $0 == 2 ? .success(9) : .failure(.transport(.refused)))
    }
    var result = MeasureResult()
    load.add(Array(images.prefix(2)), to: &result)
    #expect(
      result.failure
        == "no image arrived; the last error: the network failed (code -1004, cannot connect); "
        + "start the server, or verify the host and port")
    result = MeasureResult()
    load.add(images, to: &result)
    #expect(result.failure?.hasPrefix("1 of 3 images arrived; the last error: the network failed") == true)
    let flaky = MeasurePlan(
      settings: WorkloadDefaults.settings(.flaky), strategy: nil, base: nil, keepsSeries: false,
      allowsPlainHTTP: false, hasRootCertificate: false)
    result = MeasureResult()
    ImageLoad(plan: flaky, source: BareSource(), runtime: DispatchRuntime.shared).add(images, to: &result)
    #expect(result.failure == nil)
  }

  @Test("Only an untrusted issuer causes advice about --cacert") func advice() {
    let stopped = { (code: Int, hasRootCertificate: Bool) -> String in
      let plan = MeasurePlan(
        settings: WorkloadDefaults.settings(.url), strategy: nil, base: nil, keepsSeries: false,
        allowsPlainHTTP: false, hasRootCertificate: hasRootCertificate)
      let load = ImageLoad(plan: plan, source: BareSource(), runtime: DispatchRuntime.shared, mostFailuresInARow: 1)
      var result = MeasureResult()
      let failure = FetchError.transport(NetworkError(code: code))
      load.add([LoadedImage(number: 0, latency: 0, service: 0, result: .failure(failure))], to: &result)
      return result.stopped ?? ""
    }
    #expect(stopped(-1203, false).hasSuffix("; --cacert FILE trusts its certificate authority"))
    #expect(stopped(-1203, true).hasSuffix("; the file of --cacert does not contain its issuer"))
    for code in [-1201, -1202, -1204] { #expect(!stopped(code, false).contains("--cacert"), "\(code)") }
  }

  @Test("Only bytes for rows that left the screen count as waste") func waste() {
    let content = WorkloadContent(WorkloadSettings(.scroll, images: 6, size: 1000, latency: 0, inFlight: 6))
    var counters = OriginCounters()
    counters.requests = 5
    counters.requestsByPath = ["/image-0": 1, "/image-2": 1, "/image-4": 2, "/image-5": 1]
    counters.bytesSentByPath = ["/image-0": 100, "/image-2": 7000, "/image-4": 30, "/image-5": 7000]
    var sample = Sample(workload: .scroll, block: 1, position: 0, contender: "async")
    content.add(counters, to: &sample)
    #expect(sample[.wasted] == 130)
    #expect(sample[.wastedRequests] == 3)
    #expect(sample[.duplicates] == 1)
  }
}
