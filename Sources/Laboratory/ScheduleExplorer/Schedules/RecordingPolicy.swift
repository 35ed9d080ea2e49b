import PlainText
import SeededNumbers
import VirtualTime

/// Delegates choices to a search policy, and records how they deviate from first in, first out.
///
/// `Sendable` is unchecked, because only the thread that runs a program uses the policy. Other code reads it only
/// after that thread has ended or was abandoned.
final class RecordingPolicy: SchedulePolicy, @unchecked Sendable {
  private var policy: any SearchPolicy = DeviationPolicy()
  private(set) var deviations: [Deviations.Deviation] = []
  private var randomSeed: UInt32 = 0
  /// The schedule so far.
  var schedule: Deviations { Deviations(deviations, randomSeed: randomSeed) }
  /// Hears each deviation when it is chosen.
  var host: ProgramHost?
  /// The number of items at each choice.
  private(set) var counts: [Int] = []
  /// A checksum of the chosen items. Like `overtaken`, it is computed only in a run that records items.
  private(set) var checksum: UInt64 = 0
  private var recordsItems = false
  private var recordsReady = false
  /// The maximum number of items in `overtaken`. Beyond it, a deviation has only its last two items.
  private static let maximumOvertaken = 1000
  private var overtakenItems = 0
  /// For each deviation, the ready items up to and including the chosen one.
  private(set) var overtaken: [[ReadyItem]] = []
  /// The ready items at each choice, computed only if requested.
  private(set) var ready: [[ReadyItem]] = []

  func begin(
    _ policy: any SearchPolicy, randomSeed: UInt32 = 0, recordsItems: Bool = false, recordsReady: Bool = false
  ) {
    self.policy = policy
    self.randomSeed = randomSeed
    self.recordsItems = recordsItems
    self.recordsReady = recordsReady
    overtakenItems = 0
    deviations.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
    (overtaken, ready) = ([], [])
    checksum = 0
    host?.begins(randomSeed)
    policy.begin()
  }

  func willRun(_ item: ReadyItem) { policy.willRun(item) }
  func touched(_ touch: Touch) { policy.touched(touch) }
  func end() { policy.end() }

  func choose(from ready: ReadySet) -> Int {
    let choice = counts.count
    let index = policy.choose(choice, from: ready)
    counts.append(ready.count)
    if index > 0 {
      let deviation = Deviations.Deviation(choice: choice, index: index)
      deviations.append(deviation)
      host?.deviates(deviation)
    }
    if recordsItems {
      checksum = SplitMix64.scatter(checksum ^ ready[index].identity)
      if recordsReady { self.ready.append((0..<ready.count).map { ready[$0] }) }
      if index > 0 {
        let first = overtakenItems + index < Self.maximumOvertaken ? 0 : index - 1
        overtaken.append((first...index).map { ready[$0] })
        overtakenItems += index - first + 1
      }
    }
    return index
  }
}
