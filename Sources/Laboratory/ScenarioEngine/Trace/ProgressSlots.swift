import Foundation
import ScenarioFormat

/// Which reports of progress a trace keeps: the first of a fetch, and from then on the first in each slot of time.
///
/// How many pieces a body comes in is a matter of sockets and buffers, and no trace could hold them all. A slot is 50 ms long,
/// and in the later course of a fetch a tenth of the time since its first bytes, so that a fetch of a minute has about sixty.
struct ProgressSlots: Sendable {
  private static let length = Duration.milliseconds(50)
  private static let growth = 1.1
  /// From here on, a slot is longer than the shortest.
  private static let linear = 10

  private var fetches: [String: (begin: Duration, slot: Int)] = [:]

  /// Whether an event is kept. All are that report no progress.
  mutating func keeps(_ event: RunEvent) -> Bool {
    let image = event[.image] ?? ""
    if event.kind == .fetchStart { fetches[image] = nil }
    guard event.kind == .fetchProgress else { return true }
    guard let (begin, last) = fetches[image] else {
      fetches[image] = (event.time, 0)
      return true
    }
    let slot = Self.slot(event.time - begin)
    fetches[image]?.slot = max(slot, last)
    return slot > last
  }

  /// The number of the slot, counted from the first bytes.
  private static func slot(_ elapsed: Duration) -> Int {
    let slots = elapsed / length
    guard slots > Double(linear) else { return Int(slots) }
    return linear + Int(log(slots / Double(linear)) / log(growth))
  }
}
