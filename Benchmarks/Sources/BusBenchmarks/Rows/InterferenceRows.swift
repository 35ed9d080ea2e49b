import Dispatch
import EventBus
import Foundation
import Harness

/// One post to 1 inline subscriber, in a state of the bus that must not slow it down, compared with the same post without that state.
enum InterferenceRows {
  static var all: [Row] {
    [
      Row(
        "drain", "post, 1 inline subscriber, a drain in progress",
        [
          .ours(Names.bus) { ticks { OpenDrain($0) } },
          .floor("EventBus, no drain", atMost: 1.5) { ticks { _ in } },
        ]),
      Row(
        "drain-\(ManyTypes.count)", "post, 1 inline subscriber, a drain in progress, \(ManyTypes.count) types",
        [
          .ours(Names.bus) { ticks { (ManyTypes.subscriptions(to: $0), OpenDrain($0)) } },
          .floor("EventBus, no drain", atMost: 1.5) { ticks { ManyTypes.subscriptions(to: $0) } },
        ]),
      Row(
        "unused-key", "post of a keyed event, 1 inline subscriber without a key",
        [
          .ours(Names.bus, keyed),
          .floor("EventBus, an event without a key", atMost: 1.15) { ticks { _ in } },
        ]),
      Row(
        "long-handler", "post while another thread is in a long call of the same type, after a cancel",
        [
          .ours(Names.bus) {
            ticks { bus in
              let call = LongCall(bus)
              bus.subscribe(to: Tick.self) { _ in }.cancel()
              return call
            }
          },
          .floor("EventBus, no cancel", atMost: 1.2) { ticks { LongCall($0) } },
        ]),
    ]
  }

  /// Posts on a bus in a state that `prepare` sets up. The state lasts as long as the returned value.
  private static func ticks<State>(_ prepare: (EventBus) -> State) -> Contender.Work {
    let bus = EventBus()
    let tally = Tally()
    let state = prepare(bus)
    let subscription = bus.subscribe(to: Tick.self) { [cell = tally.cell] _ in cell.increment() }
    return { repetitions in
      withExtendedLifetime((subscription, state)) {
        for number in 0..<repetitions { bus.post(Tick(number: number)) }
      }
      tally.expect(repetitions)
    }
  }

  private static func keyed() -> Contender.Work {
    let bus = EventBus()
    let tally = Tally()
    let subscription = bus.subscribe(to: Change.self) { [cell = tally.cell] _ in cell.increment() }
    return { repetitions in
      withExtendedLifetime(subscription) {
        for number in 0..<repetitions { bus.post(Change(key: number)) }
      }
      tally.expect(repetitions)
    }
  }
}

/// A drain in progress. It waits for one event in the mailbox of a suspended queue, and ends with this object.
private final class OpenDrain {
  private let queue = DispatchQueue(label: "suspended")
  private let subscription: EventBus::Subscription

  init(_ bus: EventBus) {
    queue.suspend()
    subscription = bus.subscribe(to: Tock.self, on: .queue(queue)) { _ in }
    bus.post(Tock(number: 0))
    let executor = QueueExecutor()
    Task(executorPreference: executor) { await bus.drain() }
    executor.waitUntilSuspended()
  }

  deinit { queue.resume() }
}

/// Runs the jobs of a task on a serial queue, so that a caller can wait until the task suspends.
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "jobs")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  func waitUntilSuspended() { queue.sync {} }
}

/// A call of a handler on another thread, which returns only when this object ends.
private final class LongCall {
  private let mayReturn = DispatchSemaphore(value: 0)
  private let hasReturned = DispatchSemaphore(value: 0)
  private let subscription: EventBus::Subscription

  init(_ bus: EventBus) {
    let hasBegun = DispatchSemaphore(value: 0)
    subscription = bus.subscribe(to: Tick.self) { [mayReturn] event in
      guard event.number < 0 else { return }
      hasBegun.signal()
      mayReturn.wait()
    }
    Thread.detachNewThread { [hasReturned] in
      bus.post(Tick(number: -1))
      hasReturned.signal()
    }
    hasBegun.wait()
  }

  deinit {
    mayReturn.signal()
    hasReturned.wait()
  }
}
