import Comparison
import Foundation
import OriginServer
import ScenarioEngine
import ScenarioFormat

/// The content that the origin serves in a workload.
struct WorkloadContent: Sendable {
  let settings: WorkloadSettings
  private let answer: OriginResponse

  /// Creates a picture of approximately the requested size, and settings with its exact size.
  init(_ settings: WorkloadSettings) {
    var settings = settings
    // An uncompressed pixel takes three bytes.
    let side = max(1, Int((Double(settings.size) / 3).squareRoot()))
    let picture = PatternPicture(seed: 1, width: side, height: side).png
    settings.size = picture.count
    self.settings = settings
    answer = OriginResponse(
      headers: [("Content-Type", "image/png")], body: .data(picture), latency: .seconds(settings.latency))
  }

  /// The content for one run. Responses that change from request to request restart with each access.
  var origin: OriginContent {
    let routes = settings.workload == .flaky ? FlakyAnswers.routes(settings.images, answer) : []
    return OriginContent(routes: routes, fallback: answer)
  }

  /// Adds the counters of the origin to the sample of a run.
  func add(_ counters: OriginCounters, to sample: inout Sample) {
    let images = settings.images
    sample[.connections] = Double(counters.connections)
    if counters.answers > 0 { sample[.service] = counters.serviceTime.inSeconds / Double(counters.answers) }
    switch settings.workload {
    case .flaky: sample[.retries] = Double(max(0, counters.requests - images))
    case .scroll:
      let gone = (0..<images).filter { !ScrollLoad.stays($0) }.map { OriginPath("/image-\($0)") }
      sample[.wasted] = Double(gone.reduce(0) { $0 + counters.bytesSentByPath[$1, default: 0] })
      sample[.wastedRequests] = Double(gone.reduce(0) { $0 + counters.requestsByPath[$1, default: 0] })
      sample[.duplicates] = Double(counters.requests - counters.requestsByPath.count)
    default: sample[.duplicates] = Double(counters.requests - counters.requestsByPath.count)
    }
  }
}

/// The default sizes of the workloads. The whole comparison takes less than two minutes on two cores.
enum WorkloadDefaults {
  static func settings(_ workload: Workload) -> WorkloadSettings {
    switch workload {
    case .list: WorkloadSettings(.list, images: 100, size: 10_000, latency: 0.02, inFlight: 6)
    case .gallery: WorkloadSettings(.gallery, images: 20, size: 4_000_000, latency: 0.005, inFlight: 4)
    case .scroll: WorkloadSettings(.scroll, images: 42, size: 100_000, latency: 0.02, inFlight: 42)
    case .wait: WorkloadSettings(.wait, images: 4, size: 10_000, latency: 0.2, inFlight: 4)
    case .flaky: WorkloadSettings(.flaky, images: 50, size: 10_000, latency: 0.005, inFlight: 6)
    case .stall: WorkloadSettings(.stall, images: 20, size: 10_000, latency: 0.03, inFlight: 20)
    // A gentle load for a third-party server: two requests at a time.
    case .url: WorkloadSettings(.url, images: 4, size: 0, latency: 0, inFlight: 2)
    }
  }

  /// Returns the approximate duration of one run in seconds, including the process start. It predicts the remaining
  /// time.
  static func seconds(_ settings: WorkloadSettings) -> Double {
    let images = Double(settings.images)
    let rounds = (images / Double(max(1, settings.inFlight))).rounded(.up)
    let transfer = images * (0.0006 + Double(settings.size) / 400e6)
    let arrivals = settings.workload == .scroll ? images * 0.005 : 0
    return 0.06 + max(rounds * settings.latency, transfer, arrivals)
  }
}
