import Comparison
import Foundation

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
