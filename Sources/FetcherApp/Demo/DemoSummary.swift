import ScenarioEngine
import ScenarioFormat

/// The result of one strategy's walk, and whether the promises held.
struct DemoSummary: Sendable, Equatable {
  let strategy: String
  /// `ImageFetched` events.
  var fetched = 0
  /// `ImageFetchFailed` events.
  var failed = 0
  /// Events that were posted elsewhere than on main.
  var offMain = 0
  /// Times that the page drew while it was not visible.
  var drawnOutOfSight = 0
  /// Requests that the origin counted.
  var requests = 0
  /// Bytes of the pictures.
  var bytes = 0
  var duration = Duration.zero
  /// Sentences about what should have been, for each promise that did not hold.
  var broken: [String] = []

  /// The columns of the summary table.
  static let columns: [Table.Column] = [
    .text("strategy"), .number("fetched"), .number("failed"), .number("requests"), .number("KB"),
    .number("off main"), .number("drawn unseen"), .number("seconds"), .text("promises"),
  ]

  /// The row of the summary table.
  var cells: [String] {
    [
      strategy, "\(fetched)", "\(failed)", "\(requests)", "\(bytes / 1000)", "\(offMain)", "\(drawnOutOfSight)",
      duration.inSeconds.fixed(2),
      broken.isEmpty ? "kept" : "broken",
    ]
  }
}
