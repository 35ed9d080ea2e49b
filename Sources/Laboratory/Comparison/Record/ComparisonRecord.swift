/// Everything that a comparison measured: what `--json` prints and `--load` reads. Keys only grow.
package struct ComparisonRecord: Sendable, Codable {
  /// The version of the format.
  package var comparison = 1
  /// The version of `fetcher`.
  package var program: String
  /// Whether it ended before its time.
  package var incomplete = false
  /// How long it took.
  package var seconds = 0.0
  package var machine: Machine
  package var settings: Settings
  /// Every run, in the order in which it was made, those of the warm-up included.
  package var samples: [Sample] = []
  package var behaviour: [BehaviourCell] = []

  package init(program: String, machine: Machine, settings: Settings) {
    self.program = program
    self.machine = machine
    self.settings = settings
  }

  /// Where it was measured.
  package struct Machine: Sendable, Codable {
    package var cores: Int
    package var system: String
    package var swift: String
    /// `release` or `debug`.
    package var build: String
    /// The load average of the last minute.
    package var loadBefore: Double?
    package var loadAfter: Double?

    package init(cores: Int, system: String, swift: String, build: String) {
      self.cores = cores
      self.system = system
      self.swift = swift
      self.build = build
    }
  }

  /// What was asked for.
  package struct Settings: Sendable, Codable {
    package var seed: UInt64
    /// Without the warm-up.
    package var blocks: Int
    package var contenders: [Contender]
    package var workloads: [WorkloadSettings]

    package init(seed: UInt64, blocks: Int, contenders: [Contender], workloads: [WorkloadSettings]) {
      self.seed = seed
      self.blocks = blocks
      self.contenders = contenders
      self.workloads = workloads
    }
  }
}

/// Who takes part in a comparison.
package struct Contender: Sendable, Codable, Hashable {
  package enum Role: String, Sendable, Codable {
    /// The strategy that the others are compared with.
    case reference
    /// The same strategy once more.
    case control
    case strategy
    /// URLSession in a plain loop, without the model and the bus.
    case bare
  }

  package var name: String
  package var role: Role
  /// Of a strategy: not only plain http. Nil in files of earlier versions, as is the note.
  package var loadsHTTPS: Bool?
  /// Of a strategy: how it works, in a few words.
  package var note: String?

  package init(_ name: String, _ role: Role, loadsHTTPS: Bool? = nil, note: String? = nil) {
    self.name = name
    self.role = role
    self.loadsHTTPS = loadsHTTPS
    self.note = note
  }

  /// What the control is called.
  package static func control(of reference: String) -> Contender { Contender("\(reference) (2)", .control) }

  package static let bare = Contender("bare API", .bare)

  /// Whether one can choose it.
  package var isChoice: Bool { role == .reference || role == .strategy }
}

/// The sizes of one workload.
package struct WorkloadSettings: Sendable, Codable {
  package var workload: Workload
  package var images: Int
  /// In bytes, as the server sends them.
  package var size: Int
  /// Of an answer, in seconds.
  package var latency: Double
  package var inFlight: Int
  /// Planned arrivals per second (open load); nil for so many in flight (closed load).
  package var rate: Double?
  /// The addresses of the user's server.
  package var urls: [String]?

  package init(
    _ workload: Workload, images: Int, size: Int, latency: Double, inFlight: Int, rate: Double? = nil,
    urls: [String]? = nil
  ) {
    self.workload = workload
    self.images = images
    self.size = size
    self.latency = latency
    self.inFlight = inFlight
    self.rate = rate
    self.urls = urls
  }

  /// To one host, as all strategies are set.
  package static let mostConnections = 6

  /// How many images a second the latency allows with these connections; nil where other things limit it.
  private var mostPerSecond: Double? {
    guard rate == nil, latency > 0 else { return nil }
    switch workload {
    case .list, .wait, .stall: return Double(min(inFlight, Self.mostConnections)) / latency
    case .gallery, .scroll, .flaky, .url: return nil
    }
  }

  /// One line about it.
  package var summary: String {
    if workload == .url { return "\(images) fetches of \(urls?.count ?? 0) addresses, \(inFlight) in flight" }
    if workload == .scroll {
      return "\(images) rows of \(Unit.bytes.text(Double(size))), \(Unit.seconds.text(latency)) latency"
    }
    let connections = inFlight > Self.mostConnections ? " over \(Self.mostConnections) connections" : ""
    let load = rate.map { "\($0.decimals(0)) arrivals/s planned" } ?? "\(inFlight) in flight\(connections)"
    let limit = mostPerSecond.map { ", so \($0.decimals(0)) images/s at most" } ?? ""
    let answers = "\(Unit.bytes.text(Double(size))), \(Unit.seconds.text(latency)) latency"
    return "\(images) images of \(answers), \(load)\(limit)"
  }
}

/// One run of one contender in a process of its own.
package struct Sample: Sendable, Codable {
  package var workload: Workload
  /// 0 is the warm-up, which counts for nothing.
  package var block: Int
  /// When in its block it was measured, counted from zero.
  package var position: Int
  package var contender: String
  /// Why there are no values: the process crashed or did not end.
  package var failure: String?
  /// By the raw value of the metric.
  package var values: [String: Double] = [:]
  /// Of each image in seconds, in the order in which they ended; from the planned start for an open load.
  package var latencies: [Double] = []
  /// Of an open load: the same from the actual start.
  package var serviceTimes: [Double]?
  package var series: Series?
  package var stalls: Stalls?

  package init(workload: Workload, block: Int, position: Int, contender: String) {
    self.workload = workload
    self.block = block
    self.position = position
    self.contender = contender
  }

  package subscript(metric: Metric) -> Double? {
    get { values[metric.rawValue] }
    set { values[metric.rawValue] = newValue }
  }

  /// The process over time, in the first block.
  package struct Series: Sendable, Codable {
    package var seconds: [Double] = []
    package var threads: [Int] = []
    /// Resident bytes.
    package var memory: [Int] = []
    /// CPU seconds since the start.
    package var cpu: [Double] = []

    package init() {}
  }

  /// How long the main queue took to answer, over time, in the first block.
  package struct Stalls: Sendable, Codable {
    package var seconds: [Double] = []
    package var stall: [Double] = []

    package init() {}
  }
}

/// One scenario with one strategy on the virtual clock.
package struct BehaviourCell: Sendable, Codable {
  package enum Verdict: String, Sendable, Codable {
    case holds
    case breaks
    /// It does not hold, and was written for one other strategy alone: nothing follows.
    case other = "n/a"
  }

  package var scenario: String
  package var title: String
  package var strategy: String
  package var verdict: Verdict
  /// What is wrong; nil in files of earlier versions.
  package var failure: String?
  /// Why it should hold, in the words of the scenario.
  package var why: String?

  package init(scenario: String, title: String, strategy: String, verdict: Verdict, failure: String?, why: String?) {
    self.scenario = scenario
    self.title = title
    self.strategy = strategy
    self.verdict = verdict
    self.failure = failure
    self.why = why
  }
}
