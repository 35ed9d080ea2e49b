/// A quantity that a comparison measures. The raw value is the metric's name in JSON, CSV and `--fail-if`.
///
/// A new metric needs a case and a row here, an entry in a workload's columns below, and code that measures it.
/// `ImageLoad` measures what a load observes, `WorkloadRun` measures the process, and `WorkloadContent` measures the
/// server.
package enum Metric: String, Sendable, CaseIterable, Codable {
  case throughput
  case cpu
  case waiting
  case memory
  case temporary
  case threads
  case connections
  case handshakes
  case duplicates
  case wasted
  case wastedRequests
  case lastRow
  case picture
  case lastPicture
  case cpuTime
  case failed
  case mainStall
  case poolStall
  case arrived
  case kinds
  case retries
  case lost
  case service
  case lateStarts

  /// The direction in which values improve.
  package enum Preference: String, Sendable, Codable { case higher, lower, neither }

  /// The properties of a metric that the reports and the analysis use.
  private struct Row {
    /// The title of the column. The title of a column of bytes or times does not include the unit.
    let title: String
    /// The name for use in a sentence.
    let name: String
    let unit: Unit
    var prefers = Preference.lower
    /// Whether values are compared by difference, because they can be close to zero, where ratios are not meaningful.
    var comparesByDifference = false
    var leastGain = usualLeastGain
    var negligible = 0.0
    /// The description for the legend.
    let explanation: String
  }

  private var row: Row {
    switch self {
    case .throughput:
      Row(
        title: "images/s", name: "throughput", unit: .rate, prefers: .higher,
        explanation: "images that arrived, per second")
    case .cpu:
      Row(
        title: "CPU s/1000", name: "CPU for 1,000 images", unit: .cpu,
        explanation: "CPU seconds, user and system, for 1,000 images")
    case .waiting:
      Row(
        title: "cores busy", name: "CPU while waiting", unit: .cores,
        explanation: "busy cores while the process only waits for the server")
    case .memory:
      Row(
        title: "memory", name: "peak memory", unit: .bytes,
        explanation: "peak memory beyond that of the empty process")
    case .temporary:
      Row(
        title: "temp files", name: "temporary files", unit: .bytes, comparesByDifference: true,
        explanation: "bytes written to files")
    case .threads:
      Row(title: "threads", name: "threads", unit: .count, explanation: "maximum number of threads")
    case .connections:
      Row(
        title: "conns", name: "connections", unit: .count, explanation: "TCP connections that the server accepted")
    case .handshakes:
      Row(
        title: "handshakes", name: "TLS handshakes", unit: .count,
        explanation: "full TLS handshakes, not counting resumed sessions")
    case .duplicates:
      Row(
        title: "duplicates", name: "duplicate requests", unit: .count, comparesByDifference: true,
        explanation: "requests beyond one per image")
    case .wasted:
      Row(
        title: "wasted", name: "wasted", unit: .bytes, comparesByDifference: true, negligible: 40_000,
        explanation: "bytes that the server sent for rows that were cancelled, or for pictures that never arrived")
    case .wastedRequests:
      Row(
        title: "wasted reqs", name: "wasted requests", unit: .count, comparesByDifference: true,
        explanation: "requests for rows that were cancelled")
    case .lastRow:
      Row(
        title: "last row", name: "time until the last row", unit: .seconds,
        explanation: "time from the last row's appearance until all visible rows have their image")
    case .picture:
      Row(
        title: "large one", name: "time until the large picture", unit: .seconds,
        explanation: "time until the large picture arrives")
    case .lastPicture:
      Row(
        title: "last picture", name: "time until the last picture", unit: .seconds, comparesByDifference: true,
        negligible: Self.quarterOfAFrame,
        explanation: "time from the last selection until the last view shows its picture")
    case .cpuTime:
      Row(title: "CPU", name: "CPU time", unit: .seconds, explanation: "CPU time, user and system, of one run")
    case .failed:
      Row(
        title: "failed", name: "failed expectations", unit: .count, comparesByDifference: true,
        explanation: "expectations of the scenario that fail")
    case .mainStall:
      Row(
        title: "main stall", name: "longest stall of main", unit: .seconds, comparesByDifference: true,
        negligible: Self.quarterOfAFrame, explanation: "longest time that the main queue was unresponsive")
    case .poolStall:
      Row(
        title: "pool stall", name: "longest wait for a worker", unit: .seconds, comparesByDifference: true,
        negligible: Self.quarterOfAFrame, explanation: "longest time that a closure waited for a worker")
    case .arrived:
      Row(
        title: "arrived", name: "images that arrived", unit: .count, prefers: .higher, leastGain: 1,
        explanation: "images that arrived")
    case .kinds:
      Row(
        title: "error kinds", name: "distinguished error kinds", unit: .count, prefers: .higher, leastGain: 1,
        explanation: "number of failure kinds that the errors distinguish")
    case .retries:
      Row(
        title: "retries", name: "retries", unit: .count, prefers: .neither, comparesByDifference: true,
        explanation:
          "requests beyond one per image: retries after a failure, including Foundation's automatic ones"
      )
    case .lost:
      Row(
        title: "time lost", name: "time lost by a failure", unit: .seconds, comparesByDifference: true,
        explanation: "mean time that an image loses to a failing response")
    case .service:
      Row(
        title: "server", name: "server", unit: .seconds, prefers: .neither,
        explanation: "mean response time of the server, including its latency")
    case .lateStarts:
      Row(
        title: "late starts", name: "late starts", unit: .share, comparesByDifference: true,
        explanation: "share of arrivals that started late (open-loop load)")
    }
  }

  /// The smallest gain that can determine the choice in most metrics. See ``leastGain``.
  package static let usualLeastGain = 1.1
  /// A quarter of a frame at 60 Hz, in seconds.
  private static let quarterOfAFrame = 0.004

  package var title: String { row.title }
  package var name: String { row.name }
  package var explanation: String { row.explanation }
  package var unit: Unit { row.unit }
  package var preference: Preference { row.prefers }
  package var comparesByDifference: Bool { row.comparesByDifference }
  /// The smallest ratio that can determine the choice. For image and error counts, even a difference of one counts.
  package var leastGain: Double { row.leastGain }
  /// The largest difference that is negligible, in the unit of the values.
  package var negligible: Double { row.negligible }

  /// The text `; higher is better` or `; lower is better`, or an empty string if neither direction is better.
  var wish: String { preference == .neither ? "" : "; \(preference.rawValue) is better" }

  /// Returns whether runs over this transport have the metric.
  func exists(over transport: Transport) -> Bool { self != .handshakes || transport.isSecure }

  func isBetter(_ one: Double, than other: Double) -> Bool { preference == .higher ? one > other : one < other }
}

/// A typical situation in an app, in which each strategy is measured.
package enum Workload: String, Sendable, CaseIterable, Codable {
  case list, gallery, scroll, feed
  /// Scrolls large images. It is measured only where the user asks for it.
  case largeFeed = "large-feed"
  case wait, flaky, stall
  /// Loads images from a server that the user specifies.
  case url
  /// Performs the steps of a scenario.
  case scenario

  /// The workloads that a user can name.
  package static let measurable = allCases.filter { $0 != .url && $0 != .scenario }
  /// The workloads that are measured by default.
  package static let standard = measurable.filter { $0 != .largeFeed }

  /// A short description.
  package var title: String {
    switch self {
    case .list: "many small images"
    case .gallery: "few large images"
    case .scroll: "two thirds of the rows leave the screen before their image arrives"
    case .feed: "thumbnails while a large picture loads, and two thirds of the rows leave the screen before they arrive"
    case .largeFeed: "large images, of which two thirds leave the screen while they arrive"
    case .wait: "waiting for a slow server"
    case .flaky: "a fifth of the responses fail, in five ways"
    case .stall: "many slow responses while the main queue must stay free"
    case .url: "images on your server"
    case .scenario: "the steps of a scenario"
    }
  }

  /// The metrics that determine the choice of a strategy, starting with the most important one.
  package var deciding: [Metric] {
    switch self {
    case .list, .url: [.throughput, .cpu]
    case .gallery: [.throughput, .memory]
    case .scroll: [.wasted, .lastRow]
    case .largeFeed: [.lastRow, .wasted, .memory]
    case .scenario: [.lastPicture, .wasted, .cpuTime]
    case .feed: [.lastRow, .wasted, .picture]
    case .wait: [.waiting, .throughput]
    case .flaky: [.arrived, .kinds, .lost]
    case .stall: [.poolStall, .mainStall]
    }
  }

  /// The columns of the workload's table.
  package var columns: [Metric] {
    switch self {
    case .list: [.throughput, .cpu, .memory, .threads, .connections]
    case .gallery: [.throughput, .cpu, .memory, .temporary, .mainStall, .threads]
    case .scroll: [.wasted, .wastedRequests, .lastRow, .cpu, .mainStall, .connections]
    case .feed: [.lastRow, .wasted, .picture, .cpu, .memory, .mainStall, .connections]
    case .largeFeed: [.lastRow, .wasted, .wastedRequests, .memory, .cpu, .mainStall, .connections]
    case .wait: [.waiting, .throughput, .memory, .threads, .connections]
    case .flaky: [.arrived, .kinds, .retries, .lost, .connections]
    case .stall: [.poolStall, .mainStall, .throughput, .threads]
    case .url: [.throughput, .cpu, .memory, .threads]
    case .scenario: [.lastPicture, .wasted, .cpuTime, .failed, .memory, .connections]
    }
  }

  /// Whether the report shows statistics about the latencies of individual images.
  package var showsLatency: Bool { self == .list || self == .url }

  /// Whether rows scroll, and two thirds of them leave the screen before their image arrives.
  package var scrolls: Bool { [.scroll, .feed, .largeFeed].contains(self) }
}
