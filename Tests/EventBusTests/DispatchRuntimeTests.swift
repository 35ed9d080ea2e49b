import EventBus
import Testing

@Suite struct DispatchRuntimeTests {
  let runtime = DispatchRuntime.shared

  @Test func aSerialSchedulerKnowsWhenItIsCurrent() async {
    let scheduler = runtime.serial("lane")
    let other = runtime.serial("lane")
    #expect(!scheduler.isCurrent)
    let seen = await withCheckedContinuation { continuation in
      scheduler.schedule { continuation.resume(returning: (scheduler.isCurrent, other.isCurrent)) }
    }
    #expect(seen == (true, false))
  }

  @Test func aCancelledTimerReleasesItsActionAtOnce() {
    final class Captured: Sendable {}
    var captured: Captured? = Captured()
    weak let released = captured
    let timer = runtime.workers.schedule(after: .seconds(3600)) { [captured] in _ = captured }
    captured = nil
    timer.cancel()
    let lane = runtime.gate()
    // The source's own queue lets go of the handler; a later timer on it proves that it has had its turn.
    _ = runtime.workers.schedule(after: .milliseconds(20)) { lane.open() }
    lane.wait()
    #expect(released == nil)
  }
}
