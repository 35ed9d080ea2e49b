import EventBus
import Harness

/// Events that a task reads as an async sequence.
enum StreamRows {
  private static let burst = 256

  static var all: [Row] {
    [
      Row(
        "stream-burst", "async sequence, a burst of \(burst) buffered, then read",
        [
          .ours(Names.bus, operations: burst) { buffered(busPipe) },
          .peer(Names.stream, atLeast: 3, operations: burst) { buffered(streamPipe) },
        ]),
      Row(
        "stream-ping-pong", "async sequence, one event back and forth between two tasks",
        [
          .ours(Names.bus, operations: 2) { pingPong(busPipe) },
          .peer(Names.stream, operations: 2) { pingPong(streamPipe) },
        ]),
    ]
  }

  /// A way to put events into a sequence.
  private struct Pipe<Events: AsyncSequence & Sendable>: Sendable
  where Events.Element == Tick, Events.Failure == Never {
    let post: @Sendable (Tick) -> Void
    let events: Events
  }

  private static func busPipe() -> Pipe<EventStream<Tick>> {
    let bus = EventBus()
    return Pipe(post: { bus.post($0) }, events: bus.events(of: Tick.self, limit: .unbounded))
  }

  private static func streamPipe() -> Pipe<AsyncStream<Tick>> {
    let (events, continuation) = AsyncStream.makeStream(of: Tick.self)
    return Pipe(post: { continuation.yield($0) }, events: events)
  }

  private static func buffered<Events>(_ makePipe: @escaping @Sendable () -> Pipe<Events>) -> Contender.Work {
    { repetitions in
      wait {
        let pipe = makePipe()
        var events = pipe.events.makeAsyncIterator()
        for _ in 0..<repetitions {
          for number in 0..<burst { pipe.post(Tick(number: number)) }
          for number in 0..<burst {
            let event = await events.next(isolation: nil)
            require(event?.number == number, "an event was lost")
          }
        }
      }
    }
  }

  private static func pingPong<Events>(_ makePipe: @escaping @Sendable () -> Pipe<Events>) -> Contender.Work {
    { repetitions in
      wait {
        let pings = makePipe()
        let pongs = makePipe()
        async let answers: Void = {
          var events = pings.events.makeAsyncIterator()
          for _ in 0..<repetitions {
            guard let ping = await events.next(isolation: nil) else { return }
            pongs.post(ping)
          }
        }()
        var events = pongs.events.makeAsyncIterator()
        for number in 0..<repetitions {
          pings.post(Tick(number: number))
          let pong = await events.next(isolation: nil)
          require(pong?.number == number, "an event was lost")
        }
        await answers
      }
    }
  }
}
