import CommandLineTool
import Comparison
import FetcherModel
import Foundation
import PlainText
import ScenarioEngine
import SocketStrategy

/// The parsed options of a comparison.
struct CompareOptions: Sendable {
  static let workload = CommandOption(
    "--workload", "A,B", "measure only these: \(Workload.measurable.map(\.rawValue).joined(separator: ", "))",
    alias: "--workloads")
  static let strategies = CommandOption(
    "--strategies", "A,B", "measure only these strategies", alias: "--strategy", words: StrategyOption.program.all)
  static let behavior = CommandOption(
    "--behavior", "run every scenario, and measure nothing", alias: "--behaviour")
  static let blocks = CommandOption(
    "--blocks", "N", "how often to measure each strategy; by default 10, the minimum for sure results")
  static let until = CommandOption(
    "--until", "decided", "add blocks until each workload is decided, with an error rate of at most 5 %",
    words: ["decided"])
  static let limit = CommandOption("--limit", "TIME", "the time limit of --until; by default 6min")
  static let images = CommandOption("--images", "N", "the number of images in every workload")
  static let size = CommandOption("--size", "BYTES", "the image size, such as 100KB")
  static let latency = CommandOption("--latency", "TIME", "the response delay of the server, such as 20ms")
  static let inFlight = CommandOption("--in-flight", "N", "the number of images in flight at a time")
  static let rate = CommandOption("--rate", "N", "arrivals per second for `list`, instead of a fixed number in flight")
  static let roundTrip = CommandOption("--rtt", "TIME", "a simulated network with this round trip, such as 40ms")
  static let bandwidth = CommandOption(
    "--bandwidth", "RATE", "a simulated network with this rate in each direction, such as 10Mbit")
  static let https = CommandOption("--https", "also measure over https, with nginx in front of the server")
  static let http1 = CommandOption("--http1", "use HTTP/1.1 over https")
  static let http2 = CommandOption("--http2", "use HTTP/2 over https; the default")
  static let caCert = CommandOption(
    "--cacert", "FILE", "the root certificate of your https server, if this system does not trust it")
  static let seed = CommandOption("--seed", "N", "the seed for the order of the runs; by default 1")
  static let url = CommandOption("--url", "URL", "images on your server, 2 at a time; more addresses may follow")
  static let allowPlainHttp = CommandOption(
    "--allow-plain-http", "allow unencrypted http to other machines")
  static let load = CommandOption(
    "--load", "FILE", "render a --json result; with a second FILE, compare both")
  static let json = CommandOption("--json", "all measurements as JSON")
  static let csv = CommandOption("--csv", "the medians and intervals as CSV")
  static let markdown = CommandOption("--markdown", "the report as Markdown")
  static let html = CommandOption("--html", "FILE", "also write the report with plots as one page")
  static let details = CommandOption("--details", "print the whole report: figures, intervals and reasons")
  static let schema = CommandOption("--schema", "print the JSON Schema for the output of --json instead")
  static let failIf = CommandOption(
    "--fail-if", "BOUND", "exit 1 if this is true for a strategy: \"scroll.wasted > 1MB, wait.waiting > 1\"")
  static let waitIdle = CommandOption("--wait-idle", "wait until the machine is idle, at most five minutes")
  static let allowDebug = CommandOption("--allow-debug", "measure a debug build, whose times mean little")

  /// The options that have no effect unless something is measured.
  private static let measuring = [
    workload, strategies, behavior, blocks, until, limit, images, size, latency, inFlight, rate, roundTrip, bandwidth,
    https, http1, http2, seed, url, caCert, waitIdle,
  ]

  /// All options, in help order: first those that most people need, then the others in groups.
  static let all =
    [workload, strategies, https, until, roundTrip, bandwidth, url, html, json, details]
    + [images, size, latency, inFlight, rate].map { $0.grouped("Load") }
    + [http1, http2, caCert, allowPlainHttp].map { $0.grouped("Network") }
    + [blocks, limit, seed, waitIdle, allowDebug].map { $0.grouped("Statistics") }
    + [behavior, load, csv, markdown, schema, failIf].map { $0.grouped("Output") }

  /// The options that change a workload, so they do not apply to a scenario.
  private static let ofWorkloads = [
    workload, behavior, images, size, latency, inFlight, rate, roundTrip, bandwidth, https, http1, http2, caCert,
    allowPlainHttp,
  ]

  let workloads: [WorkloadSettings]
  let contenders: [Contender]
  let strategies: [String]
  let blocks: Int
  /// The stopping rule for a sequential comparison, or nil if the number of blocks is fixed.
  let until: ComparisonRecord.Until?
  let seed: UInt64
  let allowsPlainHTTP: Bool
  /// The path of a root certificate for the user's server.
  let rootCertificate: String?
  let conditions: [FailCondition]
  /// The words of the command line that change the workloads or the strategies.
  let words: [String]

  /// - Parameter scenario: the scenario to measure instead of workloads, or nil.
  init(_ arguments: ParsedArguments, _ scenario: ComparedScenario? = nil) throws(UsageError) {
    if scenario != nil, let option = Self.ofWorkloads.first(where: arguments.has) {
      throw UsageError("\(option.name) does not apply to the steps of a scenario; omit it")
    }
    let urls = arguments[Self.url].map { [$0] + arguments.arguments } ?? []
    allowsPlainHTTP = arguments.has(Self.allowPlainHttp)
    try Self.validate(urls, allowsPlainHTTP)
    strategies = try arguments.list(Self.strategies, of: StrategyOption.program.all, or: StrategyOption.program.all)
    let transport = try Self.transport(arguments)
    contenders = try Self.contenders(strategies, urls, transport)
    rootCertificate = try Self.rootCertificate(arguments, urls)
    blocks = try arguments.number(Self.blocks, in: 1...1000, or: 10)
    seed = UInt64(try arguments.number(Self.seed, in: 0...1 << 53, or: 1))
    let names = Workload.measurable.map(\.rawValue)
    let wanted = try Self.workloads(arguments, names)
    let named = scenario == nil ? urls.isEmpty ? wanted : [.url] : []
    var settings = try named.map { (workload) throws(UsageError) in try Self.settings(workload, arguments, urls) }
    if let scenario { settings.append(scenario.settings(strategies)) }
    workloads = settings.flatMap { [$0] + (transport.flatMap($0.over).map { [$0] } ?? []) }
    if transport != nil, !workloads.contains(where: { $0.transport != nil }) {
      throw UsageError("flaky is not measured over https, because a server in front changes its faults; omit --https")
    }
    until = try Self.until(arguments)
    conditions = try Self.conditions(arguments[Self.failIf])
    let repeated = [
      Self.strategies, Self.images, Self.size, Self.latency, Self.inFlight, Self.rate, Self.roundTrip, Self.bandwidth,
    ]
    words = repeated.flatMap { option in arguments[option].map { [option.name, $0] } ?? [] }
    try validate(arguments)
  }

  /// Rejects options that would have no effect, and options that would otherwise fail only after a minute of measuring.
  private func validate(_ arguments: ParsedArguments) throws(UsageError) {
    if arguments.has(Self.load) {
      if let other = Self.measuring.first(where: arguments.has) {
        throw UsageError("--load measures nothing; omit \(other.name)")
      }
      return
    }
    let measured = arguments.has(Self.behavior) ? [] : workloads.map(\.workload)
    if arguments.has(Self.rate), !measured.contains(.list) {
      throw UsageError("--rate applies only to the workload list")
    }
    for condition in conditions {
      if !measured.contains(condition.workload) {
        throw UsageError(
          "--fail-if: \(condition.workload.rawValue) is not measured; remove the condition, or measure the workload")
      }
      if let name = condition.contender, !contenders.contains(where: { $0.name == name }) {
        throw UsageError("--fail-if: \(name) is not part of the comparison")
      }
    }
  }

  /// Parses the comma-separated conditions of `--fail-if`.
  static func conditions(_ list: String?) throws(UsageError) -> [FailCondition] {
    guard let list else { return [] }
    let words = ParsedArguments.words(list)
    // A build script with an unset variable would otherwise pass.
    guard !words.isEmpty else { throw UsageError("--fail-if needs a bound, such as \"scroll.wasted > 1MB\"") }
    return try words.map { (text) throws(UsageError) -> FailCondition in
      do throws(FailCondition.Problem) {
        return try FailCondition(text)
      } catch {
        throw UsageError("--fail-if: \(error.message)")
      }
    }
  }

  private static func workloads(_ arguments: ParsedArguments, _ names: [String]) throws(UsageError) -> [Workload] {
    guard let text = arguments[Self.workload] else { return Workload.standard }
    if arguments.has(Self.url) { throw UsageError("--url is a separate workload; omit --workload") }
    let words = ParsedArguments.words(text)
    guard !words.isEmpty else { throw UsageError("--workload needs at least one name, such as list") }
    for word in words where !names.contains(word) { throw .unknown("workload", word, among: names) }
    return Workload.measurable.filter { words.contains($0.rawValue) }
  }

  /// Returns the contenders: the reference, its control, the other strategies, and the bare API.
  private static func contenders(
    _ strategies: [String], _ urls: [String], _ transport: Transport?
  ) throws(UsageError) -> [Contender] {
    let needsHTTPS = transport != nil || urls.contains { $0.lowercased().hasPrefix("https://") }
    let all = LaboratoryStrategies.all
    let capabilities = { (name: String) in all.first { $0.name.description == name }?.capabilities }
    let able = needsHTTPS ? strategies.filter { capabilities($0)?.loadsHTTPS != false } : strategies
    let isFloor = { (name: String) in name == "\(StrategyName.socket)" }
    guard let first = able.first(where: { !isFloor($0) }) ?? able.first else {
      throw UsageError("\(strategies.joined(separator: " and ")) cannot load https; add another strategy")
    }
    let reference = able.contains(StrategyOption.program.standard) ? StrategyOption.program.standard : first
    let contender = { (name: String, role: Contender.Role) in
      let own = capabilities(name)
      let unfit = isFloor(name) ? "is the reference of the machine" : own?.defects
      return Contender(name, role, loadsHTTPS: own?.loadsHTTPS, note: own?.note, unfit: unfit)
    }
    return [contender(reference, .reference), .control(of: reference)]
      + (transport == nil ? able : strategies).filter { $0 != reference }.map {
        contender($0, isFloor($0) ? .floor : .strategy)
      } + [.bare]
  }

  private static func settings(
    _ workload: Workload, _ arguments: ParsedArguments, _ urls: [String]
  ) throws(UsageError) -> WorkloadSettings {
    var settings = WorkloadDefaults.settings(workload, besideHTTPS: arguments.has(Self.https))
    settings.images = try arguments.number(Self.images, in: 1...1_000_000, or: settings.images)
    settings.inFlight = try arguments.number(Self.inFlight, in: 1...1000, or: settings.inFlight)
    if let text = arguments[Self.size] { settings.size = try Amount.bytes(text, Self.size) }
    if let text = arguments[Self.latency] { settings.latency = try Amount.seconds(text, Self.latency) }
    if workload == .list { settings.rate = try arguments.number(Self.rate, in: 1...10_000).map(Double.init) }
    if !urls.isEmpty { settings.urls = urls }
    settings.network = try network(arguments)
    WorkloadDefaults.fit(
      &settings, keepsImages: arguments.has(Self.images), keepsSize: arguments.has(Self.size),
      hasHandshakes: arguments.has(Self.https))
    return settings
  }

  /// Returns the transport to measure in addition to http, or nil if there is none.
  private static func transport(_ arguments: ParsedArguments) throws(UsageError) -> Transport? {
    let protocols = [http1, http2].filter(arguments.has)
    guard arguments.has(https) else {
      if let option = protocols.first {
        throw UsageError("\(option.name) is for --https; add it, or omit \(option.name)")
      }
      return nil
    }
    guard protocols.count < 2 else { throw UsageError("--https measures one of --http1 and --http2; omit one of them") }
    for option in [url, behavior] where arguments.has(option) {
      throw UsageError("--https is for fetcher's own server; omit it, or omit \(option.name)")
    }
    return protocols == [http1] ? .https1 : .https2
  }

  private static func rootCertificate(_ arguments: ParsedArguments, _ urls: [String]) throws(UsageError) -> String? {
    guard let path = arguments[caCert] else { return nil }
    guard urls.contains(where: { $0.lowercased().hasPrefix("https://") }) else {
      throw UsageError("--cacert is for an https address; add --url https://..., or omit --cacert")
    }
    return path
  }

  private static func until(_ arguments: ParsedArguments) throws(UsageError) -> ComparisonRecord.Until? {
    guard let word = arguments[Self.until] else {
      if arguments.has(Self.limit) { throw UsageError("--limit needs --until decided; add it, or remove --limit") }
      return nil
    }
    guard word == "decided" else { throw UsageError("--until takes \"decided\", not \"\(word)\"") }
    if arguments.has(Self.url) {
      throw UsageError(
        "--until cannot be combined with --url, because the number of requests must be known in advance; use --blocks")
    }
    if arguments.has(Self.behavior) { throw UsageError("--behavior measures nothing; remove --until") }
    return ComparisonRecord.Until(
      limit: try arguments[Self.limit].map(Amount.minutes) ?? ComparisonRecord.Until.usualLimit)
  }

  private static func network(_ arguments: ParsedArguments) throws(UsageError) -> NetworkSettings? {
    guard arguments.has(Self.roundTrip) || arguments.has(Self.bandwidth) else { return nil }
    for option in [Self.roundTrip, Self.bandwidth] where arguments.has(Self.url) && arguments.has(option) {
      throw UsageError("\(option.name) applies to fetcher's own server; remove it, or remove --url")
    }
    let roundTrip = try arguments[Self.roundTrip].map { (text) throws(UsageError) in
      try Amount.seconds(text, Self.roundTrip, atMost: 1)
    }
    let bandwidth = try arguments[Self.bandwidth].map { (text) throws(UsageError) in
      try Amount.bitsPerSecond(text, Self.bandwidth)
    }
    return NetworkSettings(roundTrip: roundTrip ?? 0, bandwidth: bandwidth)
  }

  /// Rejects, before the first measurement, addresses that the policy forbids.
  private static func validate(_ urls: [String], _ allowsPlainHTTP: Bool) throws(UsageError) {
    let policy = TransportPolicy(allowsArbitraryLoads: allowsPlainHTTP)
    for url in urls {
      let shown = url.addressWithoutCredentials
      do {
        _ = try policy.url(url)
      } catch .blockedByTransportPolicy {
        throw UsageError(
          "\(shown): plain http is allowed only to this machine; use https, or add --allow-plain-http"
        )
      } catch .unsupportedScheme {
        throw UsageError("\(shown): only http and https addresses can be measured")
      } catch {
        throw UsageError("\(shown): not a complete address; write it in full, as in https://example.org/a.png")
      }
    }
  }
}

extension WorkloadSettings {
  /// Returns the same workload over https, or nil for `flaky`, because the server in front would change its faults.
  fileprivate func over(_ transport: Transport) -> WorkloadSettings? {
    guard workload != .flaky else { return nil }
    var settings = self
    settings.transport = transport
    return settings
  }
}

extension StrategyCapabilities {
  /// The reasons why no application should use the strategy, such as `cannot cancel and does not see the HTTP status`.
  /// The property is nil if there are no such reasons.
  fileprivate var defects: String? {
    let defects = [canCancel ? nil : "cannot cancel", seesStatus ? nil : "does not see the HTTP status"]
      .compactMap(\.self)
    return defects.isEmpty ? nil : defects.joined(separator: " and ")
  }
}
