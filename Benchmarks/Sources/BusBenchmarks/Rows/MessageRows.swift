import Dispatch
import EventBus
import Foundation
import Harness
import Synchronization

/// The bus compared with the messages of Foundation's `NotificationCenter`: on the main actor, to async handlers, and as a sequence.
@available(macOS 26, *)
enum MessageRows {
  fileprivate static let burst = 1000
  private static let bursts = 100

  static var all: [Row] {
    [
      Row(
        "message-main-post", "event to a handler on the main actor, in bursts of \(burst): the post",
        [
          .ours(Names.bus, operations: burst) { busOnMain(handling: unmeasured) },
          .peer(Names.mainMessage, operations: burst, messagesOnMain),
        ]),
      Row(
        "message-main", "event to a handler on the main actor, in bursts of \(burst): until handled",
        [
          .ours(Names.bus, operations: burst) { busOnMain { $0() } },
          .peer(Names.mainMessage, operations: burst, messagesOnMain),
        ]),
      Row(
        "message-async", "event to an async handler, in bursts of \(burst)",
        [
          .ours(Names.busStream, operations: burst) { handled(busToTask(Inbox())) },
          .peer(Names.asyncMessage, operations: burst) { handled(messagesToTasks(Inbox())) },
        ]),
      Row(
        "message-order", "events that an async handler receives after a later one, of 100,000", unit: .events,
        [
          .count(Names.busStream, atMost: 0) { late(busToTask(Inbox())) },
          .count(Names.asyncMessage) { late(messagesToTasks(Inbox())) },
          .count("\(Names.busStream), every tenth suspends", atMost: 0) { late(busToTask(Inbox(suspends: true))) },
          .count("\(Names.asyncMessage), every tenth suspends") { late(messagesToTasks(Inbox(suspends: true))) },
        ]),
      Row(
        "message-received", "events that an async sequence keeps for its reader, of a burst of \(burst)", unit: .events,
        [
          .count("EventBus, .unbounded") { busReceived(.unbounded, dropped: 0) },
          .count("EventBus, by default") { busReceived(.dropOldest(256), dropped: burst - 256) },
          .count("messages(of:for:), bufferSize: \(burst)") { messagesReceived(bufferSize: burst) },
          .count("messages(of:for:), by default") { messagesReceived(bufferSize: 10) },
        ]),
    ]
  }

  // MARK: On the main actor

  private static func busOnMain(handling: @escaping (() -> Void) -> Void) -> Contender.Work {
    let bus = EventBus()
    let tally = Tally()
    let subscription = bus.subscribe(to: Tick.self, on: .main) { [cell = tally.cell] _ in cell.increment() }
    return { repetitions in
      for _ in 0..<repetitions {
        let due = tally.cell.value + burst
        withExtendedLifetime(subscription) {
          for number in 0..<burst { bus.post(Tick(number: number)) }
        }
        handling {
          while tally.cell.value < due { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
        }
      }
      tally.expect(repetitions * burst)
    }
  }

  /// The handlers run inside the post.
  private static func messagesOnMain() -> Contender.Work {
    let center = NotificationCenter()
    let tally = Tally()
    let token = center.addObserver(for: MainMessage.self) { [cell = tally.cell] _ in cell.increment() }
    return { repetitions in
      withExtendedLifetime(token) {
        MainActor.assumeIsolated {
          for number in 0..<repetitions * burst { center.post(MainMessage(number: number)) }
        }
      }
      tally.expect(repetitions * burst)
    }
  }

  // MARK: Async handlers

  /// A connection to a handler, which lasts as long as this value.
  private struct Path {
    let inbox: Inbox
    let post: (_ number: Int) -> Void

    func send() {
      for number in 0..<burst { post(number) }
      inbox.isFull.wait()
    }
  }

  private static func busToTask(_ inbox: Inbox) -> Path {
    let bus = EventBus()
    let events = bus.events(of: Tick.self, limit: .unbounded)
    // The stream, and with it the task, ends with the bus.
    Task { for await event in events { await inbox.receive(event.number) } }
    return Path(inbox: inbox) { bus.post(Tick(number: $0)) }
  }

  private static func messagesToTasks(_ inbox: Inbox) -> Path {
    let center = NotificationCenter()
    let token = center.addObserver(for: AsyncMessage.self) { await inbox.receive($0.number) }
    return Path(inbox: inbox) { number in
      withExtendedLifetime(token) { center.post(AsyncMessage(number: number)) }
    }
  }

  private static func handled(_ path: Path) -> Contender.Work {
    { repetitions in for _ in 0..<repetitions { path.send() } }
  }

  private static func late(_ path: Path) -> Double {
    for _ in 0..<bursts { path.send() }
    return Double(path.inbox.late)
  }

  // MARK: Async sequences

  private static func busReceived(_ overflow: Overflow, dropped: Int) -> Double? {
    let bus = EventBus()
    let events = bus.events(of: Tick.self, limit: overflow)
    let received = received(of: events) {
      bus.post(Tick(number: $0))
    } number: {
      $0.number
    }
    require(events.dropped == dropped && received + dropped == burst, "an event was lost without being counted")
    return Double(received)
  }

  private static func messagesReceived(bufferSize: Int) -> Double? {
    let center = NotificationCenter()
    let messages = center.messages(for: AsyncMessage.self, bufferSize: bufferSize)
    return Double(
      received(of: messages) {
        center.post(AsyncMessage(number: $0))
      } number: {
        $0.number
      })
  }

  /// Reads until the last event of the burst. A buffer that keeps the newest events always has it.
  private static func received<Events: AsyncSequence & Sendable>(
    of events: Events, post: @escaping @Sendable (Int) -> Void, number: @escaping @Sendable (Events.Element) -> Int
  ) -> Int where Events.Failure == Never {
    wait {
      // Foundation does not register the reader before this call.
      var reader = events.makeAsyncIterator()
      for number in 0..<burst { post(number) }
      var count = 0
      while let event = await reader.next(isolation: nil) {
        count += 1
        if number(event) == burst - 1 { break }
      }
      return count
    }
  }
}

/// Counts the events of a burst, and the events that arrive after a later one.
@available(macOS 26, *)
private final class Inbox: Sendable {
  private struct State {
    var received = 0
    var newest = 0
    var late = 0
  }

  let isFull = DispatchSemaphore(value: 0)
  private let suspends: Bool
  private let state = Mutex(State())

  init(suspends: Bool = false) { self.suspends = suspends }

  var late: Int { state.withLock { $0.late } }

  func receive(_ number: Int) async {
    if suspends, number.isMultiple(of: 10) { await Task.yield() }
    let isLast = state.withLock { state in
      if number < state.newest { state.late += 1 }
      state.newest = max(state.newest, number)
      state.received += 1
      guard state.received == MessageRows.burst else { return false }
      (state.received, state.newest) = (0, 0)
      return true
    }
    if isLast { isFull.signal() }
  }
}

@available(macOS 26, *)
private struct MainMessage: NotificationCenter.MainActorMessage {
  typealias Subject = Source
  let number: Int
}

@available(macOS 26, *)
private struct AsyncMessage: NotificationCenter.AsyncMessage {
  typealias Subject = Source
  let number: Int
}

/// A message needs a subject type. These messages are posted without a subject.
private final class Source {}
