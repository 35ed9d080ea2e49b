import EventBus
import ScheduleExplorer
import VirtualTime

/// A bug in a small copy of the model or the bus, in which one step is missing or misplaced.
enum PlantedBug: String, CaseIterable {
  case flagClearedLate = "flag cleared late"
  case generationNotChecked = "generation not checked"
  case unsubscriptionNotChecked = "unsubscription not checked at delivery"
  case joinedWithoutLock = "catch-up joined without the lock"
  case permitLost = "permit lost in the limiter"
  case cancelBeforeHandle = "cancel before the handle dropped"

  /// Starts the copy, and returns the check of its result.
  func start(_ runtime: VirtualRuntime, isMended: Bool) -> () throws -> String {
    switch self {
    case .flagClearedLate: Loads(runtime, clearsAtOnce: isMended).start()
    case .generationNotChecked: Selections(runtime, checks: isMended).start()
    case .unsubscriptionNotChecked: Mailing(runtime, checks: isMended).start()
    case .joinedWithoutLock: Joining(runtime, locks: isMended).start()
    case .permitLost: Limiter(runtime, givesBack: isMended).start()
    case .cancelBeforeHandle: Handles(runtime, remembers: isMended).start()
    }
  }
}

/// A model that requests an image unless a request is in flight. The repaired copy clears the flag when it shows the
/// answer. The broken copy clears it on a worker.
private final class Loads: Sendable {
  private let runtime: VirtualRuntime
  private let clearsAtOnce: Bool
  private let network: any Scheduler
  private let state = Locked((isLoading: false, wanted: 0, shown: 0))

  init(_ runtime: VirtualRuntime, clearsAtOnce: Bool) {
    self.runtime = runtime
    self.clearsAtOnce = clearsAtOnce
    network = runtime.network("network")
  }

  func start() -> () throws -> String {
    for second in 1...2 {
      _ = runtime.user.schedule(after: .seconds(second)) { [self] in
        runtime.note("reload \(second)")
        state.withLock { $0.wanted = second }
        load()
      }
    }
    return { [self] in
      let (wanted, shown) = state.withLock { ($0.wanted, $0.shown) }
      try check(wanted == shown, "expected \(wanted), but \(shown) is shown")
      return "\(shown)"
    }
  }

  private func load() {
    let version = state.withLock { state -> Int? in
      guard !state.isLoading else { return nil }
      state.isLoading = true
      return state.wanted
    }
    guard let version else { return }
    _ = network.schedule(after: .milliseconds(100)) { [self] in
      runtime.note("answer \(version)")
      if clearsAtOnce { return runtime.main.schedule { [self] in show(version, thenClear: true) } }
      runtime.main.schedule { [self] in show(version, thenClear: false) }
      runtime.workers.schedule { [self] in
        runtime.note("clear the flag")
        state.withLock { $0.isLoading = false }
      }
    }
  }

  private func show(_ version: Int, thenClear: Bool) {
    runtime.note("show \(version)")
    let isOld = state.withLock { state in
      state.shown = version
      if thenClear { state.isLoading = false }
      return state.wanted != version
    }
    if isOld { load() }
  }
}

/// A model that shows the image that was selected last. The repaired copy ignores an answer for an earlier selection.
private final class Selections: Sendable {
  private let runtime: VirtualRuntime
  private let checks: Bool
  private let state = Locked((generation: 0, shown: 0))

  init(_ runtime: VirtualRuntime, checks: Bool) {
    self.runtime = runtime
    self.checks = checks
  }

  func start() -> () throws -> String {
    for image in 1...2 {
      _ = runtime.user.schedule(after: .seconds(image)) { [self] in
        runtime.note("select \(image)")
        state.withLock { $0.generation = image }
        _ = runtime.network("network").schedule(after: .milliseconds(100)) { [self] in
          runtime.note("answer \(image)")
          runtime.main.schedule { [self] in
            state.withLock { if !checks || $0.generation == image { $0.shown = image } }
          }
        }
      }
    }
    return { [self] in
      let shown = state.withLock { $0.shown }
      try check(shown == 2, "\(shown) is shown")
      return "\(shown)"
    }
  }
}

/// A bus that delivers an event from a mailbox. The repaired copy first checks whether the subscription still exists.
private final class Mailing: Sendable {
  private let runtime: VirtualRuntime
  private let checks: Bool
  private let state = Locked((isLive: true, lateCalls: 0, calls: 0))

  init(_ runtime: VirtualRuntime, checks: Bool) {
    self.runtime = runtime
    self.checks = checks
  }

  func start() -> () throws -> String {
    runtime.workers.schedule { [self] in
      runtime.note("post")
      guard state.withLock({ $0.isLive }) else { return }
      runtime.main.schedule { [self] in
        runtime.note("deliver")
        state.withLock { state in
          if checks, !state.isLive { return }
          state.calls += 1
          if !state.isLive { state.lateCalls += 1 }
        }
      }
    }
    runtime.serial("timer").schedule { [self] in
      runtime.main.schedule { [self] in
        runtime.main.schedule { [self] in
          runtime.note("cancel")
          state.withLock { $0.isLive = false }
        }
      }
    }
    return { [self] in
      let (calls, lateCalls) = state.withLock { ($0.calls, $0.lateCalls) }
      try check(lateCalls == 0, "called after its cancellation")
      return "\(calls)"
    }
  }
}

/// A bus that delivers earlier events to a late subscriber, which then joins the others. The repaired copy does both
/// in one critical section.
private final class Joining: Sendable {
  private struct State {
    var history: [Int] = []
    var waiting: [Int]?
    var isJoined = false
    var seen: [Int] = []
  }

  private let runtime: VirtualRuntime
  private let locks: Bool
  private let state = Locked(State())

  init(_ runtime: VirtualRuntime, locks: Bool) {
    self.runtime = runtime
    self.locks = locks
  }

  func start() -> () throws -> String {
    let poster = runtime.serial("poster")
    for value in 1...3 {
      poster.schedule { [self] in
        runtime.note("post \(value)")
        state.withLock { state in
          state.history.append(value)
          if state.isJoined { state.seen.append(value) } else { state.waiting?.append(value) }
        }
      }
    }
    let subscriber = runtime.serial("subscriber")
    subscriber.schedule { [self] in
      runtime.note("subscribe")
      state.withLock { $0.waiting = $0.history }
      catchUp(on: subscriber)
    }
    return { [self] in
      let seen = state.withLock { $0.seen }
      try check(seen == Array(1...3), "\(seen)")
      return "\(seen)"
    }
  }

  private func catchUp(on scheduler: any Scheduler) {
    scheduler.schedule { [self] in
      runtime.note("catch up")
      let mustJoin = state.withLock { state in
        state.seen += state.waiting ?? []
        state.waiting = []
        if locks { state.isJoined = true }
        return !state.isJoined
      }
      // An event that is posted before this closure runs goes into a list that is never read again.
      if mustJoin { scheduler.schedule { [self] in state.withLock { $0.isJoined = true } } }
    }
  }
}

/// A limiter that runs one load at a time. A load that is cancelled after its admission must admit the next one.
private final class Limiter: Sendable {
  private struct State {
    var isFree = true
    var waiting: [Int] = []
    var cancelled: Set<Int> = []
    var done: [Int] = []
  }

  private let runtime: VirtualRuntime
  private let givesBack: Bool
  private let state = Locked(State())

  init(_ runtime: VirtualRuntime, givesBack: Bool) {
    self.runtime = runtime
    self.givesBack = givesBack
  }

  func start() -> () throws -> String {
    for load in 1...3 { acquire(load) }
    _ = runtime.user.schedule(after: .seconds(1)) { [self] in
      runtime.note("cancel 2")
      state.withLock { state in
        state.cancelled.insert(2)
        state.waiting.removeAll { $0 == 2 }
      }
    }
    return { [self] in
      let done = state.withLock { $0.done }
      try check(done.contains(1) && done.contains(3), "done: \(done)")
      return "\(done)"
    }
  }

  private func acquire(_ load: Int) {
    let isAdmitted = state.withLock { state in
      defer { state.isFree = false }
      if !state.isFree { state.waiting.append(load) }
      return state.isFree
    }
    if isAdmitted { run(load) }
  }

  private func run(_ load: Int) {
    runtime.workers.schedule { [self] in
      runtime.note("begin \(load)")
      if state.withLock({ $0.cancelled.contains(load) }) {
        if givesBack { release() }
        return
      }
      _ = runtime.network("network").schedule(after: .milliseconds(10)) { [self] in
        runtime.note("end \(load)")
        state.withLock { $0.done.append(load) }
        release()
      }
    }
  }

  private func release() {
    let next = state.withLock { state -> Int? in
      guard !state.waiting.isEmpty else {
        state.isFree = true
        return nil
      }
      return state.waiting.removeFirst()
    }
    if let next { run(next) }
  }
}

/// A client that cancels a request by its handle, which exists only after the request has begun.
private final class Handles: Sendable {
  private struct State {
    var handle: (any Cancellation)?
    var isCancelled = false
    var lateAnswers = 0
  }

  private let runtime: VirtualRuntime
  private let remembers: Bool
  private let state = Locked(State())

  init(_ runtime: VirtualRuntime, remembers: Bool) {
    self.runtime = runtime
    self.remembers = remembers
  }

  func start() -> () throws -> String {
    runtime.workers.schedule { [self] in
      runtime.note("begin the request")
      if remembers, state.withLock({ $0.isCancelled }) { return }
      let handle = runtime.network("network").schedule(after: .seconds(2)) { [self] in
        runtime.note("answer")
        state.withLock { if $0.isCancelled { $0.lateAnswers += 1 } }
      }
      state.withLock { $0.handle = handle }
    }
    _ = runtime.user.schedule(after: .seconds(1)) { [self] in
      runtime.note("cancel")
      let handle = state.withLock { state in
        state.isCancelled = true
        return state.handle
      }
      handle?.cancel()
    }
    return { [self] in
      let late = state.withLock { $0.lateAnswers }
      try check(late == 0, "an answer after the cancel")
      return "\(late)"
    }
  }
}
