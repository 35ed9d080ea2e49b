import Foundation
import Harness
import OriginServer

/// The times that a plain blocking socket measures through a delay line. The goal of each is 5 % above the time of the simulated network.
/// A line that is more than 5 % too fast ends the program.
enum DelayRows {
  private static let exchanges = 15
  private static let bytesPerSecond = 1_250_000

  static func all(_ origin: OriginProcess) -> [Row] {
    [
      Row(
        "delay-line", "a response over a simulated network of 40 ms round trip", unit: .milliseconds,
        [
          time("1 KB over a new connection: 80 ms", 80, origin) { line in
            { try? PlainSocket(line.port).get("/1k") }
          },
          time("1 KB over a kept connection: 40 ms", 40, origin) { line in
            let socket = try? PlainSocket(line.port)
            return { socket?.get("/1k") }
          },
          time("1 MB at 10 Mbit/s over a kept connection: 840 ms", 840, origin, bytesPerSecond) { line in
            let socket = try? PlainSocket(line.port)
            return { socket?.get("/megabyte") }
          },
          time("1 MB twice at 10 Mbit/s over two connections: 1640 ms", 1640, origin, bytesPerSecond) { line in
            let sockets = [try? PlainSocket(line.port), try? PlainSocket(line.port)]
            return {
              DispatchQueue.concurrentPerform(iterations: 2) { sockets[$0]?.get("/megabyte") }
            }
          },
        ])
    ]
  }

  /// The median time of an exchange. The first exchange is not counted.
  private static func time(
    _ name: String, _ milliseconds: Double, _ origin: OriginProcess, _ bytesPerSecond: Int? = nil,
    _ prepare: @escaping (DelayLine) -> () -> Void?
  ) -> Contender {
    .count(name, atMost: milliseconds * 1.05) {
      guard let port = URL(string: origin.base)?.port,
        let line = try? DelayLine(
          to: UInt16(port), roundTrip: .milliseconds(40), bytesPerSecond: bytesPerSecond)
      else { fatalError("the delay line cannot start") }
      defer { line.stop() }
      let exchange = prepare(line)
      let times = (0...exchanges).map { _ in
        ContinuousClock().measure { require(exchange() != nil, "\(name): no response") } / .milliseconds(1)
      }
      let median = times.dropFirst().sorted()[exchanges / 2]
      require(median >= milliseconds * 0.95, "\(name): \(median) ms is too fast")
      return median
    }
  }
}
