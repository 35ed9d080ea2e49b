import Comparison
import FetcherModel
import Foundation
import OriginServer

/// The measurement that a child process performs, passed to it as JSON on the command line.
struct MeasurePlan: Sendable, Codable {
  let settings: WorkloadSettings
  /// The strategy to measure, or nil for the bare API.
  let strategy: String?
  /// The origin's base address with a trailing slash, or nil if the settings list addresses.
  let base: String?
  /// The address at which a scenario's steps change the origin, or nil for a workload.
  var control: String?
  /// Whether to record the process's resource usage over time.
  let keepsSeries: Bool
  /// Whether plain http is allowed for requests to other machines.
  let allowsPlainHTTP: Bool
  /// Whether the user named a root certificate.
  let hasRootCertificate: Bool

  /// Returns the address of an image. Each image has a different address, because images with the same address would
  /// share a request.
  func address(_ number: Int) -> String {
    if let urls = settings.urls, !urls.isEmpty { return urls[number % urls.count] }
    return "\(base ?? "")image-\(number)"
  }

  /// The address of the large picture.
  var pictureAddress: String { "\(base ?? "")\(Self.pictureName)" }

  static let pictureName = "picture"
}

/// The measurements that a child reports.
struct MeasureResult: Sendable, Codable {
  var values: [String: Double] = [:]
  var latencies: [Double] = []
  var serviceTimes: [Double]?
  var series: Sample.Series?
  var stalls: Sample.Stalls?
  /// The paths of the images that never arrived in a scenario.
  var missing: [String]?
  /// The reason why the run is not valid, or nil if it is.
  var failure: String?
  /// The reason the child stopped early, if the user's server failed repeatedly.
  var stopped: String?

  subscript(metric: Metric) -> Double? {
    get { values[metric.rawValue] }
    set { values[metric.rawValue] = newValue }
  }

  /// Marks a run as failed in which fewer images arrived than the workload needs. Its other values describe the failures
  /// as well.
  mutating func fail(with error: FetchError?, needed: Int) {
    guard let arrived = self[.arrived], Int(arrived) < needed, let error else { return }
    let count = arrived == 0 ? "no image arrived" : "\(Int(arrived)) of \(needed) images arrived"
    failure = error.message(of: "\(count); the last error")
  }
}

/// The responses for the `flaky` workload. Every fifth image fails in one of five ways. Half of these images fail once,
/// and the others fail every time.
enum FlakyAnswers {
  /// Returns whether an image fails.
  static func isFaulty(_ number: Int) -> Bool { number % 5 == 0 }

  /// Returns the routes of all failing images among the first `count`.
  static func routes(_ count: Int, _ good: OriginResponse) -> [OriginRoute] {
    (0..<count).filter(isFaulty).enumerated().map { index, number in
      let fault = faults(good)[index % 5]
      let isLasting = index / 5 % 2 == 1
      return OriginRoute(path: "/image-\(number)", responses: isLasting ? [fault] : [fault, good])
    }
  }

  /// Returns the five faults: a busy server, a broken connection, a truncated body, no response, and a captive portal
  /// page.
  private static func faults(_ good: OriginResponse) -> [OriginResponse] {
    let broken = { (fault: OriginFault) in
      var response = good
      response.fault = fault
      return response
    }
    let busy = OriginResponse(status: 503, body: .text("busy\n"), latency: good.latency)
    let page = OriginResponse(
      headers: [("Content-Type", "text/html")], body: .text("<html><body>Please sign in</body></html>"),
      latency: good.latency)
    return [busy, broken(.reset(after: 1000)), broken(.truncate(after: 1000)), broken(.closeBeforeHeaders), page]
  }
}
