import Bytes
import OriginServer
import ScenarioEngine
import ScenarioFormat

/// A table of the differences between the strategies. Each row shows a run with one strategy.
struct StrategyTable {
  private var table = Table([
    .text("strategy"), .number("worker blocked"), .text("a 404 is reported as"), .number("server sent after cancel"),
    .number("connections"),
  ])

  /// - Parameters:
  ///  - record: a run of `demo-strategies.json`.
  ///  - sent: how many bytes of the large picture the origin had sent when the fetch was cancelled, and in total.
  mutating func add(_ strategy: String, _ record: RunRecord, sent: (atCancel: Int, inTheEnd: Int), connections: Int) {
    let error = record.events.first { $0.kind == .fetchFailed }?[.error] ?? ""
    let blocked = Self.longestBlock(record.events)
    table.add([
      strategy, blocked == .zero ? "never" : "\(blocked.inSeconds.fixed(2)) s", visible(error),
      "\((Double(sent.inTheEnd - sent.atCancel) / 1_000_000).fixed(2)) MB", "\(connections)",
    ])
  }

  func lines(heading: (String) -> String) -> [String] { table.lines(heading: heading) }

  /// Returns the duration of the longest request that blocked a worker thread.
  private static func longestBlock(_ events: [RunEvent]) -> Duration {
    var open: [String: Duration] = [:]
    var longest = Duration.zero
    for event in events where event[.lane] == TraceLane.workers.rawValue {
      let request = event[.path] ?? ""
      if event.kind == .requestBegin { open[request] = event.time }
      if event.kind == .requestEnd, let start = open.removeValue(forKey: request) {
        longest = max(longest, event.time - start)
      }
    }
    return longest
  }
}
