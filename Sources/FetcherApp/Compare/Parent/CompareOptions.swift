import Bytes
import Comparison
import FetcherModel
import Foundation

/// What the command line asks a comparison for.
struct CompareOptions: Sendable {
  let workloads: [WorkloadSettings]
  let contenders: [Contender]
  let strategies: [String]
  let blocks: Int
  let seed: UInt64
  let allowsPlainHTTP: Bool
  let conditions: [FailCondition]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let urls = arguments["--url"].map { [$0] + arguments.arguments } ?? []
    allowsPlainHTTP = arguments.has("--allow-plain-http")
    try Self.validate(urls, allowsPlainHTTP)
    strategies = try arguments.list("--strategies", of: StrategyNames.all, or: StrategyNames.all)
    contenders = Self.contenders(strategies)
    blocks = try arguments.number("--blocks", in: 1...1000, or: 10)
    seed = UInt64(try arguments.number("--seed", in: 0...1 << 53, or: 1))
    let names = Workload.standard.map(\.rawValue)
    let wanted = try Self.workloads(arguments, names)
    workloads = try (urls.isEmpty ? wanted : [.url]).map { (workload) throws(UsageError) in
      try Self.settings(workload, arguments, urls)
    }
    conditions = try Self.conditions(arguments["--fail-if"])
    try validate(arguments)
  }

  /// What would be ignored, or found only after a minute of measuring.
  private func validate(_ arguments: ParsedArguments) throws(UsageError) {
    if arguments["--load"] != nil {
      let measuring = [
        "--workload", "--strategies", "--behaviour", "--blocks", "--images", "--size", "--latency", "--in-flight",
        "--rate",
        "--seed", "--url", "--wait-idle",
      ]
      for flag in measuring where arguments.has(flag) || arguments[flag] != nil {
        throw UsageError("--load measures nothing; leave \(flag) out")
      }
      return
    }
    let measured = arguments.has("--behaviour") ? [] : workloads.map(\.workload)
    if arguments["--rate"] != nil, !measured.contains(.list) { throw UsageError("--rate is for the workload list") }
    for condition in conditions {
      if !measured.contains(condition.workload) {
        throw UsageError("--fail-if: \(condition.workload.rawValue) is not measured; leave it out, or measure it")
      }
      if let name = condition.contender, !contenders.contains(where: { $0.name == name }) {
        throw UsageError("--fail-if: \(name) is not among what is compared")
      }
    }
  }

  /// `--fail-if`: conditions with commas between them.
  static func conditions(_ list: String?) throws(UsageError) -> [FailCondition] {
    let words = ParsedArguments.words(list ?? "")
    return try words.map { (text) throws(UsageError) -> FailCondition in
      do throws(FailCondition.Problem) {
        return try FailCondition(text)
      } catch {
        throw UsageError("--fail-if: \(error.message)")
      }
    }
  }

  private static func workloads(_ arguments: ParsedArguments, _ names: [String]) throws(UsageError) -> [Workload] {
    guard let text = arguments["--workload"] else { return Workload.standard }
    if arguments["--url"] != nil { throw UsageError("--url is a workload of its own; leave --workload out") }
    let words = ParsedArguments.words(text)
    for word in words where !names.contains(word) { throw .unknown("workload", word, among: names) }
    return Workload.standard.filter { words.contains($0.rawValue) }
  }

  /// The reference comes first, twice; then the other strategies and the bare API.
  private static func contenders(_ strategies: [String]) -> [Contender] {
    let reference = strategies.contains(StrategyNames.standard) ? StrategyNames.standard : strategies[0]
    let registry = StrategyRegistry.standard()
    let contender = { (name: String, role: Contender.Role) in
      let capabilities = registry[StrategyName(name)]?.capabilities
      return Contender(name, role, loadsHTTPS: capabilities?.loadsHTTPS, note: capabilities?.note)
    }
    return [contender(reference, .reference), .control(of: reference)]
      + strategies.filter { $0 != reference }.map { contender($0, .strategy) } + [.bare]
  }

  private static func settings(
    _ workload: Workload, _ arguments: ParsedArguments, _ urls: [String]
  ) throws(UsageError) -> WorkloadSettings {
    var settings = WorkloadDefaults.settings(workload)
    settings.images = try arguments.number("--images", in: 1...1_000_000, or: settings.images)
    settings.inFlight = try arguments.number("--in-flight", in: 1...1000, or: settings.inFlight)
    if let text = arguments["--size"] { settings.size = try Amount.bytes(text, "--size") }
    if let text = arguments["--latency"] { settings.latency = try Amount.seconds(text, "--latency") }
    if workload == .list { settings.rate = try arguments.number("--rate", in: 1...10_000).map(Double.init) }
    if !urls.isEmpty { settings.urls = urls }
    return settings
  }

  /// What the policy forbids is refused before anything is measured.
  private static func validate(_ urls: [String], _ allowsPlainHTTP: Bool) throws(UsageError) {
    let policy = TransportPolicy(allowsArbitraryLoads: allowsPlainHTTP)
    for url in urls {
      let shown = url.addressWithoutCredentials
      do {
        _ = try policy.url(url)
      } catch .blockedByTransportPolicy where url.lowercased().hasPrefix("http://") {
        throw UsageError("\(shown): only https, and http to this machine; --allow-plain-http allows http to others")
      } catch .blockedByTransportPolicy {
        throw UsageError("\(shown): only https, and http to this machine, can be fetched")
      } catch {
        throw UsageError("\(shown): no address; write it in full, as in https://example.org/a.png")
      }
    }
  }
}

/// Sizes and times as a command line spells them.
enum Amount {
  /// `100KB`, `4MB`, `500`.
  static func bytes(_ text: String, _ flag: String) throws(UsageError) -> Int {
    let factors = ["": 1.0, "B": 1, "KB": 1e3, "MB": 1e6]
    guard let (number, unit) = split(text), let factor = factors[unit.uppercased()], number * factor >= 100,
      number * factor <= 64e6
    else { throw UsageError("\(flag) takes a size from 100B to 64MB, such as 100KB, not \"\(text)\"") }
    return Int(number * factor)
  }

  /// `20ms`, `1.5s`, in seconds.
  static func seconds(_ text: String, _ flag: String) throws(UsageError) -> Double {
    let factors = ["us": 1e-6, "ms": 1e-3, "s": 1]
    guard let (number, unit) = split(text), let factor = factors[unit], number * factor <= 60 else {
      throw UsageError("\(flag) takes a time of at most 60s with its unit, such as 20ms, not \"\(text)\"")
    }
    return number * factor
  }

  private static func split(_ text: String) -> (Double, String)? {
    guard let match = text.wholeMatch(of: /([0-9]+(?:\.[0-9]+)?)([A-Za-z]*)/), let number = Double(match.1) else {
      return nil
    }
    return (number, String(match.2))
  }
}
