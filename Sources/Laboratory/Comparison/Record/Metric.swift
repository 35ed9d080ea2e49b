/// Something that a comparison measures. The raw value is its name in JSON, CSV and `--fail-if`.
package enum Metric: String, Sendable, CaseIterable, Codable {
  case throughput
  case cpu
  case waiting
  case memory
  case temporary
  case threads
  case connections
  case duplicates
  case wasted
  case wastedRequests
  case lastRow
  case mainStall
  case poolStall
  case arrived
  case kinds
  case retries
  case lost
  case service
  case lateStarts

  /// Which values one wants.
  package enum Preference: String, Sendable, Codable { case higher, lower, neither }

  /// The title of a column, without the unit of bytes and times.
  package var title: String {
    switch self {
    case .throughput: "images/s"
    case .cpu: "CPU s/1000"
    case .waiting: "cores busy"
    case .memory: "memory"
    case .temporary: "temp files"
    case .threads: "threads"
    case .connections: "conns"
    case .duplicates: "duplicates"
    case .wasted: "wasted"
    case .wastedRequests: "wasted reqs"
    case .lastRow: "last row"
    case .mainStall: "main stall"
    case .poolStall: "pool stall"
    case .arrived: "arrived"
    case .kinds: "error kinds"
    case .retries: "retries"
    case .lost: "time lost"
    case .service: "server"
    case .lateStarts: "late starts"
    }
  }

  /// What the numbers mean, for a legend.
  package var explanation: String {
    switch self {
    case .throughput: "images that arrived, per second"
    case .cpu: "CPU seconds, user and system, for 1,000 images"
    case .waiting: "cores kept busy while all that happens is waiting for the server"
    case .memory: "peak memory above that of the empty process"
    case .temporary: "bytes written to files"
    case .threads: "most threads at any time"
    case .connections: "TCP connections that the server accepted"
    case .duplicates: "requests beyond one for each image"
    case .wasted: "bytes that the server sent for rows that were cancelled"
    case .wastedRequests: "requests for rows that were cancelled"
    case .lastRow: "time from the last row's appearance until all visible rows are there"
    case .mainStall: "longest time that the main queue did not answer"
    case .poolStall: "longest time that a closure waited for a worker"
    case .arrived: "images that arrived"
    case .kinds: "kinds of failure that the errors tell apart"
    case .retries:
      "requests beyond one for each image: what was asked again after a failure, by Foundation unasked, too"
    case .lost: "mean time that a failing answer costs an image"
    case .service: "mean time that the server needed for an answer, its latency included"
    case .lateStarts: "share of arrivals that started late (open load)"
    }
  }

  package var unit: Unit {
    switch self {
    case .throughput: .rate
    case .cpu: .cpu
    case .waiting: .cores
    case .memory, .temporary, .wasted: .bytes
    case .threads, .connections, .duplicates, .wastedRequests, .arrived, .kinds, .retries: .count
    case .lastRow, .mainStall, .poolStall, .lost, .service: .seconds
    case .lateStarts: .share
    }
  }

  /// Whether it may be zero or near it, so that ratios mean little, and some runs have one and others none.
  package var comparesByDifference: Bool {
    switch self {
    case .wasted, .wastedRequests, .duplicates, .retries, .temporary, .mainStall, .poolStall, .lost, .lateStarts: true
    default: false
    }
  }

  /// What most metrics have as ``leastGain``.
  package static let usualLeastGain = 1.1

  /// How many times better one has to be at least, or the other reasons weigh more. Of images and errors each one counts.
  package var leastGain: Double {
    switch self {
    case .arrived, .kinds: 1
    default: Self.usualLeastGain
    }
  }

  /// The largest difference that is of no importance, in seconds: of stalls a quarter of a frame at 60 Hz.
  package var negligible: Double { self == .mainStall || self == .poolStall ? 0.004 : 0 }

  package var preference: Preference {
    switch self {
    case .throughput, .arrived, .kinds: .higher
    case .service, .retries: .neither
    default: .lower
    }
  }
}

/// A situation that people have, and that strategies are measured in.
package enum Workload: String, Sendable, CaseIterable, Codable {
  case list, gallery, scroll, wait, flaky, stall
  /// Images of a server that the user names.
  case url

  /// Those that need no server of the user's.
  package static let standard = allCases.filter { $0 != .url }

  /// What it is like, in a few words.
  package var title: String {
    switch self {
    case .list: "many small images"
    case .gallery: "few large images"
    case .scroll: "two thirds of the rows leave the screen before their image arrives"
    case .wait: "waiting for a slow server"
    case .flaky: "a fifth of the answers fail, in five ways"
    case .stall: "many slow answers while the main queue has to stay free"
    case .url: "images of your server"
    }
  }

  /// What decides between strategies, most important first.
  package var deciding: [Metric] {
    switch self {
    case .list, .url: [.throughput, .cpu]
    case .gallery: [.throughput, .memory]
    case .scroll: [.wasted, .lastRow]
    case .wait: [.waiting, .throughput]
    case .flaky: [.arrived, .kinds, .lost]
    case .stall: [.poolStall, .mainStall]
    }
  }

  /// The columns of its table.
  package var columns: [Metric] {
    switch self {
    case .list: [.throughput, .cpu, .memory, .threads, .connections]
    case .gallery: [.throughput, .cpu, .memory, .temporary, .mainStall, .threads]
    case .scroll: [.wasted, .wastedRequests, .lastRow, .cpu, .mainStall, .connections]
    case .wait: [.waiting, .throughput, .memory, .threads, .connections]
    case .flaky: [.arrived, .kinds, .retries, .lost, .connections]
    case .stall: [.poolStall, .mainStall, .throughput, .threads]
    case .url: [.throughput, .cpu, .memory, .threads]
    }
  }

  /// Whether the times of single images are reported.
  package var showsLatency: Bool { self == .list || self == .url }
}
