import Dispatch
import Foundation
import PlainText
import Scheduling
import Synchronization

/// Detects that the thread of a search hangs, and abandons it. The thread that started the search watches the
/// thread that runs the jobs, which reports its progress.
final class Watchdog: Sendable {
  /// The threads that searches have abandoned.
  private static let abandoned = Locked<Set<UInt>>([])

  /// The maximum time that an item or an external call may take.
  let timeout: Duration
  private let isGivenUp = Atomic(false)
  /// A counter that increases while the thread makes progress.
  private let pulse = Atomic(0)
  /// Whether a run is in progress. Between runs, the thread searches and writes its report, which has no time limit.
  private let isRunning = Atomic(false)
  private let runs = Atomic(0)
  private let steps = Atomic(0)
  /// The deadlock of locks that ended the search, or nil.
  private let deadlock = Locked<Finding?>(nil)

  init(timeout: Duration) { self.timeout = timeout }

  var hasGivenUp: Bool { isGivenUp.load(ordering: .relaxed) }

  /// Reports progress.
  func beat() { pulse.add(1, ordering: .releasing) }

  /// Begins a run, and returns its number, counted from one.
  func beginRun() -> Int {
    beat()
    isRunning.store(true, ordering: .releasing)
    stopIfGivenUp()
    steps.store(0, ordering: .relaxed)
    return runs.add(1, ordering: .relaxed).newValue
  }

  func endRun() { isRunning.store(false, ordering: .releasing) }

  func beginStep() {
    beat()
    stopIfGivenUp()
    steps.add(1, ordering: .relaxed)
  }

  /// Waits until the search has ended, and then returns nil. If an item hangs or traps, abandons the search and returns
  /// a description of the item.
  ///
  /// - Parameter threads: the IDs of the threads to abandon if an item hangs or traps.
  func watch(_ done: DispatchSemaphore, abandoning threads: () -> [UInt]) -> Finding? {
    var (seen, since) = (-1, ContinuousClock.now)
    let interval = max(1, Int(min(timeout / 4, .milliseconds(Traps.areCaught ? 5 : 250)) / .milliseconds(1)))
    while done.wait(timeout: .now() + .milliseconds(interval)) == .timedOut {
      if let trap = Traps.takeCaught() {
        giveUp(threads)
        return trap.finding
      }
      if let finding = deadlock.withLock({ $0 }) {
        giveUp(threads)
        return finding
      }
      let beat = pulse.load(ordering: .acquiring)
      if beat != seen || !isRunning.load(ordering: .acquiring) { (seen, since) = (beat, .now) }
      guard since.duration(to: .now) >= timeout else { continue }
      giveUp(threads)
      return Finding(
        .blocked,
        """
        item \(steps.load(ordering: .relaxed)) of run \(runs.load(ordering: .relaxed)) has not ended after \(timeout): it \
        blocks its thread, or never reaches an await.
        Meanwhile, no other item can run. Look for a semaphore, a lock, DispatchQueue.sync, Thread.sleep or an endless \
        loop. Use await instead.
        """)
    }
    return nil
  }

  /// Ends the search because items wait for locks that nothing can release. Their threads cannot continue, so this call
  /// does not return.
  func giveUp(lockDeadlock waiting: [String]) {
    let items = waiting.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.map { name in
      "\(waiting.count { $0 == name }.counted("item")) on \(name)"
    }
    let verb = waiting.count == 1 ? "waits for a lock" : "wait for locks"
    deadlock.withLock {
      $0 = Finding(.deadlock, "deadlock: \(items.listed(with: "and")) \(verb) that nothing can release")
    }
    while true { Thread.sleep(forTimeInterval: 86_400) }
  }

  /// Stops the run, so that the caller can inspect its policy.
  private func giveUp(_ threads: () -> [UInt]) {
    isGivenUp.store(true, ordering: .sequentiallyConsistent)
    let threads = threads()
    Self.abandoned.withLock { $0.formUnion(threads) }
    // If an item has just ended, its thread reaches the next item and stops there.
    Thread.sleep(forTimeInterval: 0.05)
    _ = pulse.load(ordering: .acquiring)
  }

  /// Stops the calling thread if this search was abandoned.
  func stopIfGivenUp() {
    guard isGivenUp.load(ordering: .sequentiallyConsistent) else { return }
    _ = Self.abandoned.withLock { $0.insert(ThreadID.current) }
    Self.stopIfAbandoned()
  }

  /// An abandoned thread must never resume, for example when its item ends late or calls the session. Otherwise it
  /// would enter the next search.
  static func stopIfAbandoned() {
    guard abandoned.withLock({ $0.contains(ThreadID.current) }) else { return }
    while true { Thread.sleep(forTimeInterval: 86_400) }
  }
}
