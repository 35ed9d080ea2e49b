import Dispatch
import EventBus
import Foundation
import Harness
import Synchronization

/// The longest wait of several foreign blocks on a busy serial queue.
enum FairnessRows {
  private static let blocks = 10
  private static let ahead = 10_000
  private static let limit = Duration.seconds(2)

  static var all: [Row] {
    [
      Row(
        "foreign-block", "longest wait of \(blocks) blocks on a queue with a steady stream of events",
        unit: .milliseconds,
        [
          .count(Names.bus, atMost: 20, bus),
          .count("queue.async for each event", async),
        ])
    ]
  }

  private static func bus() -> Double? {
    let bus = EventBus()
    let queue = DispatchQueue(label: "events")
    let handled = Handled()
    let subscription = bus.subscribe(to: Tick.self, on: .queue(queue)) { _ in handled.add() }
    return withExtendedLifetime(subscription) {
      longestWait(on: queue, handled) { bus.post(Tick(number: $0)) }
    }
  }

  private static func async() -> Double? {
    let queue = DispatchQueue(label: "events")
    let handled = Handled()
    return longestWait(on: queue, handled) { _ in queue.async { handled.add() } }
  }

  /// The longest wait in milliseconds. A block that exceeds the limit ends the measurement.
  private static func longestWait(
    on queue: DispatchQueue, _ handled: Handled, _ post: @escaping @Sendable (Int) -> Void
  ) -> Double {
    let poster = Poster(ahead: ahead, of: handled, post)
    defer { poster.stop() }
    var longest = Duration.zero
    for _ in 0..<blocks where longest < limit {
      let hasRun = DispatchSemaphore(value: 0)
      let wait = ContinuousClock().measure {
        queue.async { hasRun.signal() }
        _ = hasRun.wait(timeout: .now() + limit / .seconds(1))
      }
      longest = max(longest, wait)
    }
    return longest / .milliseconds(1)
  }
}

/// Counts the events of a slow handler.
private final class Handled: Sendable {
  private let events = Atomic<Int>(0)

  var count: Int { events.load(ordering: .relaxed) }

  func add() {
    let end = ContinuousClock.now + .microseconds(3)
    while ContinuousClock.now < end {}
    events.wrappingAdd(1, ordering: .relaxed)
  }
}

/// A thread that posts without pausing, up to a maximum lead that limits the memory.
private final class Poster: Sendable {
  private let isStopped = Atomic<Bool>(false)
  private let hasStopped = DispatchSemaphore(value: 0)

  /// Returns after `2 * ahead` posts, when the stream is steady.
  init(ahead: Int, of handled: Handled, _ post: @escaping @Sendable (Int) -> Void) {
    let flows = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      var posted = 0
      while !isStopped.load(ordering: .relaxed) {
        guard posted - handled.count < ahead else { continue }
        post(posted)
        posted += 1
        if posted == 2 * ahead { flows.signal() }
      }
      hasStopped.signal()
    }
    flows.wait()
  }

  func stop() {
    isStopped.store(true, ordering: .relaxed)
    hasStopped.wait()
  }
}
