import EventBus
import Foundation
import Synchronization

/// A place in a request. Belongs to one fetch of one image.
struct FetchTicket: Sendable {
  let request: Int
  let waiter: Int
  /// The strategy that runs the request, which may have begun before the present selection.
  let strategy: String
  /// Whether the holder has to start the request.
  let isFirst: Bool
}

/// What a request tells those who wait for it.
enum FetchNotice: Sendable {
  case progress(received: Int, expected: Int?)
  case finished(Result<Picture, FetchError>)
}

/// The requests under way, one per address, each with those who wait for it.
///
/// Strategies, checks and those who wait run outside the lock.
final class SharedRequests: Sendable {
  typealias Notify = @Sendable (FetchNotice) -> Void

  private struct Entry {
    let key: UTF8Key?
    let address: String
    let strategy: any FetchStrategy
    let strategyName: String
    var waiters: [(id: Int, notify: Notify)]
    var isRunning = false
    var attempt = 0
    var work: (any Cancellation)?
    var deadline: (any Cancellation)?
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var byKey: [UTF8Key: Int] = [:]
    var last = 0

    mutating func remove(_ id: Int) -> Entry? {
      guard let entry = entries.removeValue(forKey: id) else { return nil }
      if let key = entry.key { byKey[key] = nil }
      return entry
    }
  }

  private let state = Locked(State())
  private let runtime: any Runtime
  private let policy: TransportPolicy
  private let limits: FetchLimits
  private let cache: ImageCache?
  private let shares: Bool
  /// Strategies start here, so that reading an image costs the reader nothing, and in the order of the reads.
  private let lane: any Scheduler
  private let limiter: Limiter?

  init(runtime: any Runtime, policy: TransportPolicy, limits: FetchLimits, cache: ImageCache?, shares: Bool) {
    self.runtime = runtime
    self.policy = policy
    self.limits = limits
    self.cache = cache
    self.shares = shares
    lane = runtime.serial("fetch starts")
    limiter = limits.maximumInFlight.map { Limiter($0) }
  }

  /// The number of requests under way or waiting.
  var count: Int { state.withLock { $0.entries.count } }

  /// Takes a place in the request for `address`, a new one if there is none. Starts nothing and calls nobody, not even
  /// the strategy for its name.
  func join(
    _ address: String, _ strategy: any FetchStrategy, named name: String, _ notify: @escaping Notify
  ) -> FetchTicket {
    state.withLock { state in
      state.last += 1
      let waiter = state.last
      let key = shares ? UTF8Key(address) : nil
      if let key, let id = state.byKey[key], let running = state.entries[id]?.strategyName {
        state.entries[id]?.waiters.append((waiter, notify))
        return FetchTicket(request: id, waiter: waiter, strategy: running, isFirst: false)
      }
      state.entries[waiter] = Entry(
        key: key, address: address, strategy: strategy, strategyName: name, waiters: [(waiter, notify)])
      if let key { state.byKey[key] = waiter }
      return FetchTicket(request: waiter, waiter: waiter, strategy: name, isFirst: true)
    }
  }

  /// Starts the request of a first ticket, soon.
  func start(_ ticket: FetchTicket) {
    guard ticket.isFirst else { return }
    guard let limiter else { return lane.schedule { self.launch(ticket.request) } }
    // Who gives a place back only passes it on, and starts nothing: that may be main, cancelling a thousand images.
    limiter.enter { [self] in
      lane.schedule { self.launch(ticket.request) }
      return true
    }
  }

  /// Gives a place up. The last one to leave stops the work.
  func leave(_ ticket: FetchTicket) {
    let (abandoned, waiter) = state.withLock { state -> (Entry?, Notify?) in
      guard let index = state.entries[ticket.request]?.waiters.firstIndex(where: { $0.id == ticket.waiter }) else {
        return (nil, nil)
      }
      let waiter = state.entries[ticket.request]?.waiters.remove(at: index).notify
      guard state.entries[ticket.request]?.waiters.isEmpty == true else { return (nil, waiter) }
      return (state.remove(ticket.request), waiter)
    }
    withExtendedLifetime(waiter) {}
    if let abandoned { close(abandoned, nil) }
  }

  /// Ends every request with `cancelled`.
  func cancelAll() {
    let entries = state.withLock { state in
      defer {
        state.entries = [:]
        state.byKey = [:]
      }
      return state.entries.sorted { $0.key < $1.key }.map(\.value)
    }
    for entry in entries {
      close(entry, .failure(.cancelled))
    }
  }

  /// Stops what a removed entry still does, tells those who wait for it, and only then makes room for the next: its end
  /// may be told at any time from then on, and must not overtake this one.
  private func close(_ entry: Entry, _ result: Result<Picture, FetchError>?) {
    entry.deadline?.cancel()
    entry.work?.cancel()
    if let result {
      for waiter in entry.waiters { waiter.notify(.finished(result)) }
    }
    if entry.isRunning { limiter?.leave() }
  }

  /// Starts a request, or gives its place back if nobody wants it any more.
  private func launch(_ id: Int) {
    let isWanted = state.withLock { state in
      state.entries[id]?.isRunning = true
      return state.entries[id] != nil
    }
    guard isWanted else {
      limiter?.leave()
      return
    }
    if let limit = limits.deadline {
      let deadline = runtime.workers.schedule(after: limit) { [weak self] in self?.settle(id, .failure(.timedOut)) }
      let isStored = state.withLock { state in
        state.entries[id]?.deadline = deadline
        return state.entries[id] != nil
      }
      if !isStored { deadline.cancel() }
    }
    attempt(id)
  }

  private func attempt(_ id: Int) {
    guard let (strategy, address) = state.withLock({ state in state.entries[id].map { ($0.strategy, $0.address) } })
    else { return }
    // It may have come since the reader looked, by a request that ended in that moment.
    if let picture = cache?.picture(for: address) { return settleLater(id, .success(picture)) }
    let request: FetchRequest
    do throws(FetchError) {
      let url = try policy.url(address)
      try policy.check(strategy.capabilities)
      request = FetchRequest(url: url, policy: policy, limits: limits) { [weak self] received, expected in
        self?.progress(id, received, expected)
      }
    } catch {
      return settleLater(id, .failure(error))
    }
    let end = End()
    let work = strategy.fetch(request) { [self] result in
      forgetWork(of: id, endedBy: end)
      // Checking a picture takes time in proportion to its bytes, and this may be the network's only queue.
      runtime.workers.schedule { self.complete(id, result) }
    }
    store(work, for: id, until: end)
  }

  /// Whether a piece of work has come to its end, so that nobody cancels it any more.
  private final class End: Sendable {
    let isReached = Atomic(false)
  }

  private func forgetWork(of id: Int, endedBy end: End) {
    end.isReached.store(true, ordering: .releasing)
    let work = state.withLock { state in
      defer { state.entries[id]?.work = nil }
      return state.entries[id]?.work
    }
    withExtendedLifetime(work) {}
  }

  private func store(_ work: any Cancellation, for id: Int, until end: End) {
    let isAbandoned = state.withLock { state in
      if end.isReached.load(ordering: .acquiring) { return false }
      state.entries[id]?.work = work
      return state.entries[id] == nil
    }
    if isAbandoned { work.cancel() }
  }

  private func progress(_ id: Int, _ received: Int, _ expected: Int?) {
    let waiters = state.withLock { $0.entries[id]?.waiters ?? [] }
    for waiter in waiters { waiter.notify(.progress(received: received, expected: expected)) }
  }

  private func complete(_ id: Int, _ result: Result<FetchedBody, FetchError>) {
    guard state.withLock({ $0.entries[id] != nil }) else { return }
    if case .failure(let error) = result, error.isWorthRetrying, takeRetry(id) {
      let end = End()
      let again = runtime.workers.schedule(after: limits.retryDelay) { [weak self] in
        self?.forgetWork(of: id, endedBy: end)
        self?.attempt(id)
      }
      return store(again, for: id, until: end)
    }
    // Half a picture that came whole would come so again: that is no reason for another attempt.
    settle(id, result.flatMap { body in Result { () throws(FetchError) in try Picture(validating: body.bytes) } })
  }

  private func takeRetry(_ id: Int) -> Bool {
    state.withLock { state in
      guard let attempt = state.entries[id]?.attempt, attempt < limits.retries else { return false }
      state.entries[id]?.attempt += 1
      return true
    }
  }

  /// Not at once: giving the place back would launch the next in line inside this call, and so on, one inside the other.
  private func settleLater(_ id: Int, _ result: Result<Picture, FetchError>) {
    runtime.workers.schedule { self.settle(id, result) }
  }

  private func settle(_ id: Int, _ result: Result<Picture, FetchError>) {
    // Into the cache first: whoever reads now finds the picture there, or still joins the request.
    if case .success(let picture) = result, let address = state.withLock({ $0.entries[id]?.address }) {
      cache?.store(picture, for: address)
    }
    guard let entry = state.withLock({ $0.remove(id) }) else { return }
    close(entry, result)
  }
}
