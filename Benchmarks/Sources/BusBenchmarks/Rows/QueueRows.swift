import Dispatch
import EventBus
import Foundation
import Harness

/// Bursts of events from one thread to one handler on a serial queue, until the last event is handled.
enum QueueRows {
  private static let burst = 1000

  static var all: [Row] {
    [
      Row(
        "queue-burst", "event to a queue, in bursts of \(burst)",
        [
          .ours(Names.bus, operations: burst) { bus() },
          .peer("NotificationCenter on an OperationQueue", atLeast: 100, operations: burst, center),
          .peer("queue.async for each event", atLeast: 3, operations: burst, async),
        ]),
      Row(
        "queue-visited", "event to a queue, after an inline subscription was added and cancelled",
        [
          .ours(Names.bus, operations: burst) { bus { $0.subscribe(to: Tick.self) { _ in }.cancel() } },
          .floor("EventBus, before", atMost: 1.2, operations: burst) { bus() },
        ]),
    ]
  }

  /// Counts on the queue, and signals the poster at the end of a burst.
  private struct Handler: Sendable {
    let cell: Tally.Cell
    let done = DispatchSemaphore(value: 0)

    func handle() {
      cell.increment()
      if cell.value.isMultiple(of: burst) { done.signal() }
    }
  }

  private static func bursts(_ handler: Handler, _ tally: Tally, _ post: @escaping () -> Void) -> Contender.Work {
    { repetitions in
      for _ in 0..<repetitions {
        post()
        handler.done.wait()
      }
      tally.expect(repetitions * burst)
    }
  }

  private static func bus(_ happened: (EventBus) -> Void = { _ in }) -> Contender.Work {
    let bus = EventBus()
    let tally = Tally()
    let handler = Handler(cell: tally.cell)
    let subscription = bus.subscribe(to: Tick.self, on: .queue(DispatchQueue(label: "events"))) { _ in handler.handle()
    }
    happened(bus)
    return bursts(handler, tally) {
      withExtendedLifetime(subscription) {
        for number in 0..<burst { bus.post(Tick(number: number)) }
      }
    }
  }

  private static func center() -> Contender.Work {
    let center = NotificationCenter()
    let tally = Tally()
    let handler = Handler(cell: tally.cell)
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let observer = center.addObserver(forName: .tick, object: nil, queue: queue) { _ in handler.handle() }
    // The observer does not retain the queue. If the queue is released, the handler is never called.
    return bursts(handler, tally) {
      withExtendedLifetime((observer, queue)) {
        for _ in 0..<burst { center.post(name: .tick, object: nil) }
      }
    }
  }

  private static func async() -> Contender.Work {
    let tally = Tally()
    let handler = Handler(cell: tally.cell)
    let queue = DispatchQueue(label: "events")
    return bursts(handler, tally) {
      for _ in 0..<burst { queue.async { handler.handle() } }
    }
  }
}
