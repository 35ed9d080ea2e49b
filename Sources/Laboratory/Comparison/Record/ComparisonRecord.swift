/// All measurements of a comparison, in the format that `--json` prints and `--load` reads. New versions only add keys.
package struct ComparisonRecord: Sendable, Codable {
  /// The version of this format.
  package var comparison = 1
  /// The version of `fetcher`.
  package var program: String
  /// Whether the comparison ended early.
  package var incomplete = false
  /// The duration of the comparison in seconds.
  package var seconds = 0.0
  package var machine: Machine
  package var settings: Settings
  /// All runs in the order in which they were measured, including the warm-up.
  package var samples: [Sample] = []
  package var behavior: [BehaviorCell] = []

  private enum CodingKeys: String, CodingKey {
    case comparison, program, incomplete, seconds, machine, settings, samples
    // The spelling of the first version, whose files can still be loaded.
    case behavior = "behaviour"
  }

  package init(program: String, machine: Machine, settings: Settings) {
    self.program = program
    self.machine = machine
    self.settings = settings
  }

  /// The machine on which the measurements ran.
  package struct Machine: Sendable, Codable {
    package var cores: Int
    package var system: String
    package var swift: String
    /// The build configuration, which is `release` or `debug`.
    package var build: String
    /// The one-minute load average before the first measurement.
    package var loadBefore: Double?
    package var loadAfter: Double?

    package init(cores: Int, system: String, swift: String, build: String) {
      self.cores = cores
      self.system = system
      self.swift = swift
      self.build = build
    }
  }

  /// The requested settings.
  package struct Settings: Sendable, Codable {
    package var seed: UInt64
    /// The number of blocks, not including the warm-up.
    package var blocks: Int
    package var contenders: [Contender]
    package var workloads: [WorkloadSettings]
    /// The stopping rule for a sequential comparison, or nil if the number of blocks is fixed.
    package var until: Until?
    /// The server that provides TLS in front of the origin, such as `nginx/1.22.1`. Nil if there is none.
    package var front: String?
    /// The words of the command line that change the workloads or the strategies. A command that the report suggests
    /// repeats them. Files written by earlier versions lack this key.
    package var options: [String]?
    /// Whether the comparison waited for an idle machine before it started. Nil if it did not.
    package var waitedIdle: Bool?

    package init(
      seed: UInt64, blocks: Int, contenders: [Contender], workloads: [WorkloadSettings], until: Until? = nil,
      front: String? = nil, options: [String]? = nil
    ) {
      self.seed = seed
      self.blocks = blocks
      self.contenders = contenders
      self.workloads = workloads
      self.until = until
      self.front = front
      self.options = options
    }
  }
}

extension ComparisonRecord {
  /// The stopping rule for a sequential comparison, which adds blocks until each workload is decided.
  package struct Until: Sendable, Codable {
    /// The maximum probability, for each workload, that any of its decisions is wrong.
    package var error: Double
    /// The maximum duration of the measurements, in seconds.
    package var limit: Double

    /// The default limit, in seconds.
    package static let usualLimit = 360.0

    package init(error: Double = 0.05, limit: Double) {
      self.error = error
      self.limit = limit
    }
  }
}

/// A participant in a comparison.
package struct Contender: Sendable, Codable, Hashable {
  package enum Role: String, Sendable, Codable {
    /// The strategy with which the others are compared.
    case reference
    /// The reference strategy, measured a second time.
    case control
    case strategy
    /// A baseline that shows how fast the machine can go without Foundation. It is measured, but never recommended.
    case floor
    /// URLSession in a plain loop, without the model and the bus.
    case bare
  }

  package var name: String
  package var role: Role
  /// Whether a strategy can load https as well as http. Files written by earlier versions lack this key and `note`.
  package var loadsHTTPS: Bool?
  /// A short description of how a strategy works.
  package var note: String?
  /// The reason why a strategy is never recommended, such as `cannot cancel`. Nil if it can be recommended.
  package var unfit: String?

  package init(
    _ name: String, _ role: Role, loadsHTTPS: Bool? = nil, note: String? = nil, unfit: String? = nil
  ) {
    self.name = name
    self.role = role
    self.loadsHTTPS = loadsHTTPS
    self.note = note
    self.unfit = unfit
  }

  /// Returns the control for a reference. Its name is the reference's name, followed by "(2)".
  package static func control(of reference: String) -> Contender { Contender("\(reference) (2)", .control) }

  package static let bare = Contender("bare API", .bare)

  /// Whether the contender can be recommended.
  package var isChoice: Bool { role == .reference || role == .strategy }
}

/// One run of one contender in a separate process.
package struct Sample: Sendable, Codable {
  package var workload: Workload
  /// The transport, or nil for http and for addresses that the user supplies.
  package var transport: Transport?
  /// The number of the block. Block 0 is the warm-up, which does not count.
  package var block: Int
  /// The position of the run within its block, counted from zero.
  package var position: Int
  package var contender: String
  /// The reason why there are no values, such as a process that crashed or did not finish. Nil if there are values.
  package var failure: String?
  /// The measured values, keyed by the raw value of their metric.
  package var values: [String: Double] = [:]
  /// The latency of each image in seconds, in completion order. Under open-loop load, fetches start at planned times, and
  /// latency is measured from the planned start.
  package var latencies: [Double] = []
  /// Under open-loop load, the latencies measured from the actual start.
  package var serviceTimes: [Double]?
  package var series: Series?
  package var stalls: Stalls?
  /// The protocols of the requests that reached the TLS server in front of the origin, such as `HTTP/2.0`.
  package var protocols: [String]?

  package var situation: Situation { Situation(workload, transport ?? .http) }

  /// The reason why the run is not valid, or nil if it is. A run in which no image arrives is not valid, because its
  /// other values describe only failures.
  var problem: String? { failure ?? (self[.arrived] == 0 ? "no image arrived" : nil) }

  package init(
    workload: Workload, transport: Transport? = nil, block: Int, position: Int, contender: String
  ) {
    self.workload = workload
    self.transport = transport
    self.block = block
    self.position = position
    self.contender = contender
  }

  package subscript(metric: Metric) -> Double? {
    get { values[metric.rawValue] }
    set { values[metric.rawValue] = newValue }
  }

  /// The process's resource usage over time, in the first block.
  package struct Series: Sendable, Codable {
    package var seconds: [Double] = []
    package var threads: [Int] = []
    /// The resident memory, in bytes.
    package var memory: [Int] = []
    /// The CPU time since the start, in seconds.
    package var cpu: [Double] = []

    package init() {}
  }

  /// The response time of the main queue over time, in the first block.
  package struct Stalls: Sendable, Codable {
    package var seconds: [Double] = []
    package var stall: [Double] = []

    package init() {}
  }
}

/// The result of one scenario with one strategy on the virtual clock.
package struct BehaviorCell: Sendable, Codable {
  package enum Verdict: String, Sendable, Codable {
    case holds
    case breaks
    /// The scenario fails, but it was written only for another strategy, so the failure is meaningless.
    case other = "n/a"
  }

  package var scenario: String
  package var title: String
  package var strategy: String
  package var verdict: Verdict
  /// The failure message, or nil if the scenario holds. Files written by earlier versions lack this key.
  package var failure: String?
  /// The reason why the scenario should pass, as stated in the scenario.
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
