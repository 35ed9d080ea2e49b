import EventBus
import PlainText
import TestMachine
import Testing
import VirtualTime

/// Random programs, in which closures, timers, cancels, and waits on all kinds of schedulers schedule each other.
@Suite("A virtual runtime runs random programs correctly", .computing, .timeLimit(.minutes(10)))
struct GeneratedProgramTests {
  private struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state ^ (state >> 29)) &* 0xBF58_476D_1CE4_E5B9
    }
  }

  /// A run of one program, with a record of its closures.
  private final class Run: Sendable {
    struct State: Sendable {
      var chance: Chance
      var scheduled: [Int: [Int]] = [:]
      var ran: [Int: [Int]] = [:]
      var expected: Set<Int> = []
      var finished: [Int] = []
      var made = 0
      var timers: [(number: Int, timer: any Cancellation)] = []
    }

    let runtime: VirtualRuntime
    let schedulers: [any Scheduler]
    let state: Locked<State>

    init(_ seed: UInt64, _ timing: Timing, _ policy: (any SchedulePolicy)?) {
      let pools: [WorkerPool] = [.fixed(width: 1), .fixed(width: 3), .linux(cores: 2), .darwin(limit: 64)]
      runtime = VirtualRuntime(pool: pools[Int(seed % 4)], timing: timing, policy: policy)
      schedulers = [runtime.main, runtime.user, runtime.workers, runtime.network("net"), runtime.serial("own")]
      state = Locked(State(chance: Chance(state: seed &+ 1)))
      for _ in 0..<6 { add(3) }
      #expect(runtime.run() == .idle)
    }

    private func pick(_ count: Int) -> Int { state.withLock { Int.random(in: 0..<count, using: &$0.chance) } }

    private func add(_ depth: Int) {
      let (scheduler, isTimer) = (pick(schedulers.count), pick(3) == 0)
      let number = state.withLock { state in
        state.made += 1
        state.expected.insert(state.made)
        return state.made
      }
      // The user's steps run on main.
      let queue = scheduler == 1 ? 0 : scheduler
      let body = { @Sendable [self] in
        #expect(schedulers[scheduler].isCurrent)
        state.withLock { state in
          state.finished.append(number)
          if !isTimer { state.ran[queue, default: []].append(number) }
        }
        act(depth, mayWait: scheduler == 2)
      }
      guard isTimer else {
        state.withLock { $0.scheduled[queue, default: []].append(number) }
        return schedulers[scheduler].schedule(body)
      }
      let timer = schedulers[scheduler].schedule(after: .milliseconds(pick(5)), body)
      state.withLock { $0.timers.append((number, timer)) }
    }

    private func act(_ depth: Int, mayWait: Bool) {
      guard depth > 0 else { return }
      for _ in 0..<pick(3) { add(depth - 1) }
      if pick(4) == 0 { cancelOne() }
      guard mayWait, pick(3) == 0 else { return }
      let gate = runtime.gate()
      _ = schedulers[4].schedule(after: .milliseconds(3)) { gate.open() }
      gate.wait()
      #expect(schedulers[2].isCurrent)
      for _ in 0..<pick(2) { add(depth - 1) }
    }

    private func cancelOne() {
      let count = state.withLock { $0.timers.count }
      guard count > 0 else { return }
      let index = pick(count)
      let (number, timer) = state.withLock { $0.timers[index] }
      timer.cancel()
      state.withLock { if !$0.finished.contains(number) { $0.expected.remove(number) } }
    }
  }

  @Test(
    "Each closure runs once, and those of a serial scheduler run in order", arguments: [Timing.exact, .any])
  func everythingRuns(_ timing: Timing) {
    for seed in 0..<400 as Range<UInt64> {
      let chance = Locked(Chance(state: seed))
      let policy = Choices { items in
        #expect(Set(items.map(\.number)).count == items.count)
        let queued = items.filter {
          [.closure, .timer].contains($0.kind) && $0.scheduler.kind == .serial && $0.due == nil
        }
        #expect(
          Set(queued.map(\.scheduler)).count == queued.count, "at most one item of each serial scheduler is ready")
        return chance.withLock { Int.random(in: 0..<items.count, using: &$0) }
      }
      let run = Run(seed, timing, seed.isMultiple(of: 4) ? nil : policy)
      let state = run.state.withLock { $0 }
      #expect(state.finished.count == Set(state.finished).count)
      #expect(Set(state.finished) == state.expected)
      for queue in [0, 3, 4] { #expect(state.ran[queue] == state.scheduled[queue]) }
      #expect(run.runtime.foreignCalls == 0)
    }
  }

  @Test("A runtime without a policy runs the first ready item", arguments: [Timing.exact, .any])
  func firstInFirstOut(_ timing: Timing) {
    for seed in 0..<100 as Range<UInt64> {
      let plain = Run(seed, .exact, nil).state.withLock { $0.finished }
      #expect(Run(seed, timing, Choices { _ in 0 }).state.withLock { $0.finished } == plain)
    }
  }
}
