import Comparison
import EventBus
import FetcherModel
import Foundation
import ScenarioEngine
import ScenarioFormat

/// Rows that appear one after another. Two of three leave the screen before their image has arrived. In the workload
/// `feed`, a large picture loads meanwhile.
struct ScrollLoad: Sendable {
  let plan: MeasurePlan
  let environment: FetchEnvironment

  /// The time between two rows.
  static let interval = Duration.milliseconds(4)

  /// Returns whether the row stays on the screen.
  static func stays(_ row: Int) -> Bool { row % 3 == 2 }

  /// Rows leave after half of the response time, before any response has arrived.
  private var visible: Duration { .seconds((plan.settings.latency + (plan.settings.network?.roundTrip ?? 0)) / 2) }

  /// The end of a load, and whether its image arrived.
  private enum End: Sendable {
    case row(Bool)
    case picture(Bool)
  }

  /// Waits until all remaining rows and the picture have ended. Adds the time of the last row since its appearance, and
  /// the time of the picture.
  func add(to result: inout MeasureResult) async {
    let runtime = environment.runtime
    let begin = runtime.now
    let rows = plan.settings.images
    let hasPicture = plan.settings.pictureSize != nil
    let last = begin + Self.interval * (rows - 1)
    let ends = AsyncStream<End> { continuation in
      if hasPicture { load(plan.pictureAddress) { continuation.yield(.picture($0)) } }
      Thread {
        for row in 0..<rows {
          let delay = begin + Self.interval * row - runtime.now
          if delay > .zero { Thread.sleep(forTimeInterval: delay.inSeconds) }
          appear(row) { continuation.yield(.row($0)) }
        }
      }.start()
    }
    var open = (0..<rows).count(where: Self.stays) + (hasPicture ? 1 : 0)
    var arrived = 0
    for await end in ends {
      switch end {
      case .row(let hasArrived):
        arrived += hasArrived ? 1 : 0
        result[.lastRow] = max(0, (runtime.now - last).inSeconds)
      case .picture(let hasArrived):
        arrived += hasArrived ? 1 : 0
        if hasArrived { result[.picture] = (runtime.now - begin).inSeconds }
      }
      open -= 1
      if open == 0 { break }
    }
    result[.arrived] = Double(arrived)
  }

  private func load(_ address: String, _ ended: @escaping @Sendable (Bool) -> Void) {
    IFImage(name: address, url: address, in: environment).load { result in ended((try? result.get()) != nil) }
  }

  /// Runs on main, where rows live.
  private func appear(_ row: Int, _ ended: @escaping @Sendable (Bool) -> Void) {
    if Self.stays(row) { return load(plan.address(row), ended) }
    let image = IFImage(name: "row \(row)", url: plan.address(row), in: environment)
    let main = environment.runtime.main
    main.schedule { _ = image.image }
    _ = main.schedule(after: visible) { image.cancel() }
  }
}
