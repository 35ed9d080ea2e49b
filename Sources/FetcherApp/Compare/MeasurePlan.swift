import Comparison
import Foundation
import OriginServer

/// What one child process is to measure. It travels as JSON on the child's command line.
struct MeasurePlan: Sendable, Codable {
  let settings: WorkloadSettings
  /// Nil for the bare API.
  let strategy: String?
  /// The origin, with a slash at its end; nil where the settings name addresses.
  let base: String?
  /// Whether the process over time is measured, too.
  let keepsSeries: Bool
  /// Plain http may leave this machine.
  let allowsPlainHTTP: Bool

  /// The address of the image of this number. An address for each, as two images with one address would share a request.
  func address(_ number: Int) -> String {
    if let urls = settings.urls, !urls.isEmpty { return urls[number % urls.count] }
    return "\(base ?? "")image-\(number)"
  }
}

/// What the child found out.
struct MeasureResult: Sendable, Codable {
  var values: [String: Double] = [:]
  var latencies: [Double] = []
  var serviceTimes: [Double]?
  var series: Sample.Series?
  var stalls: Sample.Stalls?
  /// Why it gave up: the user's server fails again and again.
  var stopped: String?

  subscript(metric: Metric) -> Double? {
    get { values[metric.rawValue] }
    set { values[metric.rawValue] = newValue }
  }
}

/// The answers of the workload `flaky`: every fifth image fails in one of five ways, half of them once, half for ever.
enum FlakyAnswers {
  /// Whether the image of this number is one that fails.
  static func isFaulty(_ number: Int) -> Bool { number % 5 == 0 }

  /// The routes of all images that fail, of `count` in all.
  static func routes(_ count: Int, _ good: OriginResponse) -> [OriginRoute] {
    (0..<count).filter(isFaulty).enumerated().map { index, number in
      let fault = faults(good)[index % 5]
      let isLasting = index / 5 % 2 == 1
      return OriginRoute(path: "/image-\(number)", responses: isLasting ? [fault] : [fault, good])
    }
  }

  /// A busy server, a connection that breaks, a body that stops, no answer at all, and the page of a hotel's network.
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
