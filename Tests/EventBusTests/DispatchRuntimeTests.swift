import Dispatch
import EventBus
import Testing

@Suite(.timeLimit(.minutes(10))) struct DispatchRuntimeTests {
  let runtime = DispatchRuntime.shared

  @Test("A serial scheduler is current only inside its own actions") func aSerialSchedulerKnowsWhenItIsCurrent() async {
    let scheduler = runtime.serial("lane")
    let other = runtime.serial("lane")
    #expect(!scheduler.isCurrent)
    let seen = await withCheckedContinuation { continuation in
      scheduler.schedule { continuation.resume(returning: (scheduler.isCurrent, other.isCurrent)) }
    }
    #expect(seen == (true, false))
  }

  @Test("Main is current on a queue that targets the main queue") func targetOfMain() async {
    let bus = EventBus(runtime: runtime)
    let queue = DispatchQueue(label: "targets main", target: .main)
    let (stream, seen) = AsyncStream.makeStream(of: [Bool].self)
    let subscription = bus.subscribe(to: Other.self, on: .queue(queue)) { [runtime] _ in
      seen.yield([runtime.main.isCurrent, runtime.workers.isCurrent])
    }
    bus.post(Other(value: 1))
    #expect(await stream.first { _ in true } == [true, false])
    subscription.cancel()
  }

  @Test("The workers of the runtime run on the global queue with the user-initiated quality of service")
  func globalWorkers() async {
    await withCheckedContinuation { continuation in
      runtime.workers.schedule {
        dispatchPrecondition(condition: .onQueue(.global(qos: .userInitiated)))
        continuation.resume()
      }
    }
  }

  @Test("A cancelled timer releases its action before it is due") func aCancelledTimerReleasesItsActionAtOnce() {
    final class Captured: Sendable {}
    var captured: Captured? = Captured()
    weak let released = captured
    let timer = runtime.workers.schedule(after: .seconds(3600)) { [captured] in _ = captured }
    captured = nil
    timer.cancel()
    let scheduler = runtime.gate()
    // The queue of the timer source releases the handler at its next turn, an hour before the timer is due.
    while released != nil, !Task.isCancelled {
      _ = runtime.workers.schedule(after: .milliseconds(1)) { scheduler.open() }
      scheduler.wait()
    }
    #expect(released == nil)
  }
}
