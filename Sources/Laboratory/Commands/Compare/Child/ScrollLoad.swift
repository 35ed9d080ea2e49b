import Comparison
import EventBus
import FetcherModel
import Foundation
import ScenarioEngine
import ScenarioFormat

/// A list whose rows appear one after another. Two out of three rows leave the screen before their image arrives. In
/// the workload `feed`, a large picture loads at the same time. In `large-feed`, the rows themselves are large.
struct ScrollLoad: Sendable {
  let plan: MeasurePlan
  let environment: FetchEnvironment

  /// The time between the appearances of two rows.
  static let interval = Duration.milliseconds(4)

  /// Returns whether the row stays on the screen.
  static func stays(_ row: Int) -> Bool { row % 3 == 2 }

  /// The time that a row is visible. Usually, this time is half of the response time, so no response has arrived when
  /// the row disappears. In `large-feed`, the row disappears while its large image arrives.
  private var visible: Duration {
    let response = plan.settings.latency + (plan.settings.network?.roundTrip ?? 0)
    return .seconds(response * (plan.settings.workload == .largeFeed ? 1.25 : 0.5))
  }

  /// The kind of load that finished, and its error, or nil if its image arrived.
  private enum End: Sendable {
    case row(FetchError?)
    case picture(FetchError?)
  }

  /// Waits until all rows that stay on the screen, and the picture, have finished loading. Adds three values to the
  /// result: the time from the last row's appearance until the last row has finished loading, the time until the
  /// picture arrives, and the number of images that arrived.
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
    let needed = (0..<rows).count(where: Self.stays) + (hasPicture ? 1 : 0)
    var open = needed
    var arrived = 0
    var lastError: FetchError?
    for await end in ends {
      switch end {
      case .row(let error):
        arrived += error == nil ? 1 : 0
        lastError = error ?? lastError
        result[.lastRow] = max(0, (runtime.now - last).inSeconds)
      case .picture(let error):
        arrived += error == nil ? 1 : 0
        lastError = error ?? lastError
        if error == nil { result[.picture] = (runtime.now - begin).inSeconds }
      }
      open -= 1
      if open == 0 { break }
    }
    result[.arrived] = Double(arrived)
    result.fail(with: lastError, needed: needed)
  }

  private func load(_ address: String, _ ended: @escaping @Sendable (FetchError?) -> Void) {
    IFImage(name: address, url: address, in: environment).load { result in
      if case .failure(let error) = result { ended(error) } else { ended(nil) }
    }
  }

  /// Shows a row. The row's image is used only on main.
  private func appear(_ row: Int, _ ended: @escaping @Sendable (FetchError?) -> Void) {
    if Self.stays(row) { return load(plan.address(row), ended) }
    let image = IFImage(name: "row \(row)", url: plan.address(row), in: environment)
    let main = environment.runtime.main
    main.schedule { image.startLoading() }
    _ = main.schedule(after: visible) { image.cancel() }
  }
}
