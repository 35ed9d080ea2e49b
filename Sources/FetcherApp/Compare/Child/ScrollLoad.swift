import Comparison
import EventBus
import FetcherModel
import Foundation
import ScenarioEngine
import ScenarioFormat

/// Rows that appear one after the other. Two of three leave the screen before their image has arrived.
struct ScrollLoad: Sendable {
  let plan: MeasurePlan
  let environment: FetchEnvironment

  /// The time between two rows.
  static let interval = Duration.milliseconds(4)

  /// Returns whether the row stays on the screen.
  static func stays(_ row: Int) -> Bool { row % 3 == 2 }

  /// Rows leave after half of the latency, before any response has arrived.
  private var visible: Duration { .seconds(plan.settings.latency / 2) }

  /// Waits until all remaining rows have their image. Returns the number of images and the seconds since the last row
  /// appeared.
  func run() async -> (arrived: Int, lastRow: Double) {
    let runtime = environment.runtime
    let begin = runtime.now
    let rows = plan.settings.images
    let kept = (0..<rows).count(where: Self.stays)
    let ends = AsyncStream<Bool> { continuation in
      Thread {
        for row in 0..<rows {
          let delay = begin + Self.interval * row - runtime.now
          if delay > .zero { Thread.sleep(forTimeInterval: delay.inSeconds) }
          appear(row) { continuation.yield($0) }
        }
      }.start()
    }
    var arrived = 0
    var ended = 0
    for await hasArrived in ends {
      ended += 1
      if hasArrived { arrived += 1 }
      if ended == kept { break }
    }
    let last = begin + Self.interval * (rows - 1)
    return (arrived, max(0, (runtime.now - last).inSeconds))
  }

  /// Runs on main, where rows live.
  private func appear(_ row: Int, _ ended: @escaping @Sendable (Bool) -> Void) {
    let image = IFImage(name: "row \(row)", url: plan.address(row), in: environment)
    let main = environment.runtime.main
    if Self.stays(row) {
      image.load { result in ended((try? result.get()) != nil) }
    } else {
      main.schedule { _ = image.image }
      _ = main.schedule(after: visible) { image.cancel() }
    }
  }
}
