import Comparison
import Foundation
import OriginServer
import ScenarioEngine
import ScenarioFormat
import Scheduling

/// The content that the origin serves for a workload.
struct WorkloadContent: Sendable {
  let settings: WorkloadSettings
  private let answer: OriginResponse
  /// The large picture of the workload `feed`.
  private let picture: OriginResponse?

  /// Creates images of approximately the requested sizes, and adjusts the settings to the exact sizes.
  init(_ settings: WorkloadSettings) {
    var settings = settings
    let answer = { (size: inout Int) in
      // Each uncompressed pixel takes three bytes.
      let side = max(1, Int((Double(size) / 3).squareRoot()))
      let picture = PatternPicture(seed: 1, width: side, height: side).png
      size = picture.count
      return OriginResponse(
        headers: [("Content-Type", "image/png")], body: .data(picture), latency: .seconds(settings.latency))
    }
    self.answer = answer(&settings.size)
    var pictureSize = settings.pictureSize
    picture = pictureSize != nil ? answer(&pictureSize!) : nil
    settings.pictureSize = pictureSize
    self.settings = settings
  }

  /// The content for one run. Each access creates new content, whose sequences of responses start over.
  var origin: OriginContent {
    let faults = settings.workload == .flaky ? FlakyAnswers.routes(settings.images, answer) : []
    let pictures = picture.map { [OriginRoute(path: "/\(MeasurePlan.pictureName)", responses: [$0])] } ?? []
    // The origin counts every path that has a route. A later route takes precedence.
    let responses = [answer]
    let images = (0..<settings.images).map { OriginRoute(path: "/image-\($0)", responses: responses) }
    return OriginContent(routes: images + faults + pictures, fallback: answer)
  }

  /// Adds the origin's counters to the sample of a run.
  func add(_ counters: OriginCounters, to sample: inout Sample) {
    let images = settings.images
    sample[.connections] = Double(counters.connections)
    if counters.answers > 0 { sample[.service] = counters.serviceTime.inSeconds / Double(counters.answers) }
    switch settings.workload {
    case .flaky: sample[.retries] = Double(max(0, counters.requests - images))
    case .scroll, .feed, .largeFeed:
      let gone = (0..<images).filter { !ScrollLoad.stays($0) }.map { OriginPath("/image-\($0)") }
      sample[.wasted] = Double(gone.reduce(0) { $0 + counters.bytesSentByPath[$1, default: 0] })
      sample[.wastedRequests] = Double(gone.reduce(0) { $0 + counters.requestsByPath[$1, default: 0] })
      sample[.duplicates] = Double(counters.requests - counters.requestsByPath.count)
    default: sample[.duplicates] = Double(counters.requests - counters.requestsByPath.count)
    }
  }
}

/// The default sizes of the workloads. With these sizes, the whole comparison takes less than 150 s on two cores, or
/// less than four minutes if it includes https.
enum WorkloadDefaults {
  /// - Parameter besideHTTPS: whether the workload is also measured over https. If so, the workload has fewer images,
  ///   because Foundation on Linux spends about 60 ms of CPU time on each https connection.
  static func settings(_ workload: Workload, besideHTTPS: Bool = false) -> WorkloadSettings {
    var settings = settings(workload)
    guard besideHTTPS else { return settings }
    let fewer: [Workload: Int] = [
      .list: 18, .gallery: 8, .scroll: 18, .feed: 15, .largeFeed: 12, .flaky: 30, .stall: 12,
    ]
    settings.images = fewer[workload] ?? settings.images
    settings.inFlight = min(settings.inFlight, settings.images)
    return settings
  }

  private static func settings(_ workload: Workload) -> WorkloadSettings {
    switch workload {
    case .list: WorkloadSettings(.list, images: 100, size: 10_000, latency: 0.02, inFlight: 6)
    case .gallery: WorkloadSettings(.gallery, images: 20, size: 4_000_000, latency: 0.005, inFlight: 4)
    case .scroll: WorkloadSettings(.scroll, images: 42, size: 100_000, latency: 0.02, inFlight: 42)
    case .feed:
      WorkloadSettings(.feed, images: 36, size: 10_000, latency: 0.02, inFlight: 36, pictureSize: 4_000_000)
    case .largeFeed: WorkloadSettings(.largeFeed, images: 24, size: 4_000_000, latency: 0.02, inFlight: 24)
    case .wait: WorkloadSettings(.wait, images: 4, size: 10_000, latency: 0.2, inFlight: 4)
    case .flaky: WorkloadSettings(.flaky, images: 50, size: 10_000, latency: 0.005, inFlight: 6)
    case .stall: WorkloadSettings(.stall, images: 20, size: 10_000, latency: 0.03, inFlight: 20)
    // A light load for a third-party server: two requests at a time.
    case .url: WorkloadSettings(.url, images: 4, size: 0, latency: 0, inFlight: 2)
    // `ComparedScenario` replaces these numbers.
    case .scenario: WorkloadSettings(.scenario, images: 1, size: 0, latency: 0, inFlight: 1)
    }
  }

  /// Returns the approximate duration of one run in seconds, including the start of the process. The result is used to
  /// predict the remaining time.
  static func seconds(_ settings: WorkloadSettings) -> Double {
    if let duration = settings.duration { return 0.06 + duration }
    let images = Double(settings.images)
    let bytes = images * Double(settings.size) + Double(settings.pictureSize ?? 0)
    let roundTrip = settings.network?.roundTrip ?? 0
    // The time for the private namespace and the handshakes.
    let secure = settings.situation.transport.isSecure ? 0.05 + roundTrip : 0
    let rounds = (images / Double(max(1, settings.inFlight))).rounded(.up)
    let transfer = images * 0.0006 + bytes / (settings.network?.bandwidth.map { $0 / 8 } ?? 400e6)
    let arrivals = settings.workload.scrolls ? images * 0.005 : 0
    return 0.06 + secure + roundTrip + max(rounds * (settings.latency + roundTrip), transfer, arrivals)
  }

  /// Reduces the number and size of the images so that each strategy finishes within ``longestRun``.
  ///
  /// The estimate is based on the slowest strategy, which loads two images at a time, each over a new connection.
  ///
  /// - Parameters:
  ///   - keepsImages: whether the user chose the number of images.
  ///   - keepsSize: whether the user chose the size of the images.
  ///   - hasHandshakes: whether https is also measured, where a new connection takes one more round trip.
  static func fit(_ settings: inout WorkloadSettings, keepsImages: Bool, keepsSize: Bool, hasHandshakes: Bool) {
    guard let network = settings.network else { return }
    let isFeed = settings.workload.scrolls
    let fewest = min(settings.images, isFeed ? 12 : settings.inFlight)
    while true {
      let images = Double(settings.images)
      let waits = images / 2 * (settings.latency + (hasHandshakes ? 3 : 2) * network.roundTrip)
      let bytes = images * Double(settings.size) + Double(settings.pictureSize ?? 0)
      let transfer = network.bandwidth.map { bytes * 8 / $0 } ?? 0
      guard waits + transfer > longestRun else { return }
      let isLarge = settings.size > 1000 || settings.pictureSize ?? 0 > 10_000
      let canShrink = !keepsSize && isLarge && transfer >= longestRun / 4
      if canShrink {
        settings.size = max(1000, settings.size * 9 / 10)
        settings.pictureSize = settings.pictureSize.map { max(10_000, $0 * 9 / 10) }
      }
      guard !keepsImages, settings.images > fewest else {
        if canShrink { continue } else { return }
      }
      settings.images = max(fewest, settings.images * 9 / 10)
    }
  }

  /// The longest run over a simulated network, in seconds, not including the start of the process.
  private static let longestRun = 1.7
}
