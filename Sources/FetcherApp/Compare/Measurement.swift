/// What one child process measured of its strategy.
struct Measurement: Sendable, Codable {
  let strategy: String
  let images: Int
  let inFlight: Int
  /// Images that did not arrive.
  var failed = 0
  var bytes = 0
  var seconds = 0.0
  /// The most threads at the end of any fetch, where the system tells.
  var peakThreads: Int?
  /// The most memory at any time, in bytes, where the system tells.
  var peakMemory: Int?
  /// Connections as the origin counted them.
  var connections: Int?
  /// Requests as the origin counted them.
  var requests: Int?

  init(strategy: String, images: Int, inFlight: Int) {
    self.strategy = strategy
    self.images = images
    self.inFlight = inFlight
  }

  /// Images that arrived, for each second.
  var rate: Double { seconds > 0 ? Double(images - failed) / seconds : 0 }
}
