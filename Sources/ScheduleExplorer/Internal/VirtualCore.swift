import EventBus
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The loop that runs one closure after the other, and the threads that it runs on.
///
/// The loop has no thread of its own: it belongs to whoever holds the baton. When a closure waits at a gate, its thread
/// keeps the closure, and the loop goes on on another one, so that closures that do not wait cost no change of threads.
final class VirtualCore: Sendable {
  private struct Driver {
    let thread: pthread_t
    let baton: Baton
    var lane: VirtualLane?
  }

  private struct Observer: Sendable {
    let call: @Sendable (VirtualRunEnd) -> Void
  }

  private struct State {
    var virtual: VirtualState
    var driver: Driver?
    /// Threads that wait to go on with the loop.
    var spares: [Baton] = []
    /// The thread that called `run`, which has to return.
    var caller: Baton?
    var observer: Observer?
    /// Set once nothing can go on any more.
    var end: VirtualRunEnd?
    /// Who still waits after that.
    var leftovers: [VirtualState.Parked] = []
    var foreignCalls = 0
  }

  private enum Turn {
    case run(VirtualState.Action)
    case resume(VirtualState.Parked)
    case unwind(VirtualRunEnd, Observer?)
    case leave(caller: Baton)
    case done
  }

  private let state: Locked<State>
  private let choose: (@Sendable (Int) -> Int)?

  init(_ virtual: VirtualState, choose: (@Sendable (Int) -> Int)?) {
    state = Locked(State(virtual: virtual))
    self.choose = choose
  }

  var now: Duration { state.withLock { $0.virtual.now } }
  var steps: Int { state.withLock { $0.virtual.steps } }
  var longestMainWait: Duration { state.withLock { $0.virtual.longestMainWait } }
  var poolStarved: Bool { state.withLock { $0.virtual.poolStarved } }
  var foreignCalls: Int { state.withLock { $0.foreignCalls } }

  func makeLane(_ label: String) -> VirtualLane { state.withLock { $0.virtual.makeLane(label) } }
  func makeGate() -> Int { state.withLock { $0.virtual.makeGate() } }

  func schedule(_ action: VirtualState.Action, on lane: VirtualLane) {
    state.withLock { state in
      Self.note(&state)
      if state.end == nil { state.virtual.append(action, on: lane) }
    }
  }

  func schedule(_ action: VirtualState.Action, on lane: VirtualLane, after delay: Duration) -> Int {
    state.withLock { state in
      Self.note(&state)
      return state.end == nil ? state.virtual.append(action, on: lane, after: delay) : 0
    }
  }

  func cancel(_ timer: Int) {
    // Handed out, so that what the closure holds is released outside the lock.
    _ = state.withLock { $0.virtual.removeTimer(timer) }
  }

  func isCurrent(_ lane: VirtualLane) -> Bool {
    state.withLock { state in
      guard let driver = state.driver else { return false }
      return driver.lane == lane && pthread_equal(driver.thread, pthread_self()) != 0
    }
  }

  private static func note(_ state: inout State) {
    guard let driver = state.driver, pthread_equal(driver.thread, pthread_self()) == 0 else { return }
    state.foreignCalls += 1
  }

  func run(_ observer: (@Sendable (VirtualRunEnd) -> Void)?) -> VirtualRunEnd {
    let baton = Baton()
    let box = observer.map { Observer(call: $0) }
    state.withLock { state in
      precondition(state.caller == nil, "A virtual runtime was run inside its own run")
      state.caller = baton
      state.observer = box
    }
    drive(baton)
    let (end, old) = state.withLock { state in
      defer {
        state.caller = nil
        state.driver = nil
        state.observer = nil
      }
      return (state.end ?? .idle, state.observer)
    }
    withExtendedLifetime(old) {}
    return end
  }

  func open(_ gate: Int) { state.withLock { $0.virtual.open(gate) } }

  /// Waits at a gate: the loop goes on elsewhere.
  func wait(_ gate: Int) {
    let handover = state.withLock { state -> (own: Baton, lane: VirtualLane?, next: Baton?)? in
      guard state.end == nil, !state.virtual.pass(gate) else { return nil }
      guard let driver = state.driver, let lane = driver.lane, pthread_equal(driver.thread, pthread_self()) != 0 else {
        preconditionFailure("A gate of a virtual runtime was waited for outside its run")
      }
      state.virtual.park(VirtualState.Parked(gate: gate, lane: lane, baton: driver.baton, since: state.virtual.now))
      state.driver = nil
      return (driver.baton, lane, state.spares.popLast())
    }
    guard let handover else { return }
    if let next = handover.next {
      next.open()
    } else {
      let baton = Baton()
      Thread { self.drive(baton) }.start()
    }
    _ = handover.own.wait()
    let driver = Driver(thread: pthread_self(), baton: handover.own, lane: handover.lane)
    state.withLock { $0.driver = driver }
  }

  func dismissThreads() {
    let spares = state.withLock { state in
      defer { state.spares = [] }
      return state.spares
    }
    for spare in spares { spare.dismiss() }
  }

  private func drive(_ baton: Baton) {
    while true {
      switch turn(baton) {
      case .run(let action):
        action.call()
      case .resume(let parked):
        parked.baton.open()
        guard baton.wait() else { return }
      case .unwind(let end, let observer):
        observer?.call(end)
        abandon(end)
      case .leave(let caller):
        caller.open()
        guard baton.wait() else { return }
      case .done:
        return
      }
    }
  }

  private func turn(_ baton: Baton) -> Turn {
    let candidates = state.withLock { state -> [Int] in
      state.driver = Driver(thread: pthread_self(), baton: baton, lane: nil)
      return state.end == nil && !state.virtual.isOverLimit ? state.virtual.candidates() : []
    }
    let choice = candidates.count > 1 ? choose.map { $0(candidates.count) } ?? 0 : 0
    return state.withLock { state in
      guard candidates.isEmpty else { return Self.take(candidates[choice], baton, &state) }
      if state.end == nil, state.virtual.end != .idle {
        // What looks at it may look at main's things.
        state.driver?.lane = .main
        return .unwind(state.virtual.end, state.observer)
      }
      if !state.leftovers.isEmpty { return Self.wake(state.leftovers.removeFirst(), baton, &state) }
      guard let caller = state.caller, caller !== baton else { return .done }
      state.driver = nil
      state.spares.removeAll { $0 === caller }
      state.spares.append(baton)
      return .leave(caller: caller)
    }
  }

  private static func take(_ index: Int, _ baton: Baton, _ state: inout State) -> Turn {
    switch state.virtual.take(index) {
    case .run(let action, let lane):
      state.driver?.lane = lane
      return .run(action)
    case .resume(let parked):
      return wake(parked, baton, &state)
    }
  }

  private static func wake(_ parked: VirtualState.Parked, _ baton: Baton, _ state: inout State) -> Turn {
    state.driver = nil
    state.spares.append(baton)
    return .resume(parked)
  }

  private func abandon(_ end: VirtualRunEnd) {
    // Handed out, so that what the closures hold is released outside the lock.
    let dropped = state.withLock { state in
      let (dropped, parked) = state.virtual.abandon()
      state.end = end
      state.leftovers = parked
      return dropped
    }
    withExtendedLifetime(dropped) {}
  }
}
