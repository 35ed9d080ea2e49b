import EventBus
import FetcherModel
import Foundation
import Harness

/// The time for which cancelling many running fetches holds the thread that calls `cancel()`, which is main in an app.
enum CancelRows {
  private static let count = 2000

  static func all(_ origin: OriginProcess) -> [Row] {
    [
      Row(
        "cancel", "\(count) cancels of running fetches, on main", unit: .milliseconds,
        [.count("dataTask", atMost: 250) { milliseconds(origin.base + "/slow") }])
    ]
  }

  private static func milliseconds(_ address: String) -> Double? {
    let environment = FetchEnvironment()
    let images = (0..<count).map { IFImage(name: "\($0)", url: "\(address)?cancel\($0)", in: environment) }
    for image in images { _ = image.image }
    // Foundation starts the tasks on a queue of its own, before the first response arrives after two seconds.
    Thread.sleep(forTimeInterval: 1)
    let time = DispatchQueue.main.sync { ContinuousClock().measure { for image in images { image.cancel() } } }
    require(environment.requestCount == 0, "\(environment.requestCount) requests continue after their cancellation")
    return time / .milliseconds(1)
  }
}
