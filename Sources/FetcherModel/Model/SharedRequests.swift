import Bytes
import EventBus
import Foundation

/// The membership of a fetch in a shared request. Belongs to one fetch of one image.
struct JoinedRequest: Sendable {
  let request: Int
  let waiter: Int
  /// The strategy that runs the request, which may have begun before the present selection.
  let strategy: StrategyName
  /// Whether the holder has to start the request.
  let isFirst: Bool
}

/// What a request reports to its waiters.
enum FetchUpdate: Sendable {
  case progress(received: Int, expected: Int?)
  case finished(Result<Picture, FetchError>)
}

/// The requests under way, one per address, each with those who wait for it.
///
/// Strategies, validation and those who wait run outside the lock.
final class SharedRequests: Sendable {
  typealias Notify = @Sendable (FetchUpdate) -> Void

  private struct Entry {
    let key: UTF8String?
    let address: String
    let strategy: any FetchStrategy
    let strategyName: StrategyName
    let responded: (@Sendable (NetworkResponse) -> Void)?
    var waiters: [(id: Int, notify: Notify)]
    var isRunning = false
    var attempt = 0
    var queuedEntry: (any Cancellation)?
    var deadline: (any Cancellation)?
    /// The present attempt, or the wait before the next.
    var work: (any Cancellation)?
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var byKey: [UTF8String: Int] = [:]
    var last = 0

    mutating func remove(_ id: Int) -> Entry? {
      guard let entry = entries.removeValue(forKey: id) else { return nil }
      if let key = entry.key { byKey[key] = nil }
      return entry
    }
  }

  /// In bytes. To validate so many takes 30 µs at most, no more than to wake another thread for it.
  private static let smallBody = 64 << 10
  private let state = Locked(State())
  private let schedulers: ModelSchedulers
  private let policy: TransportPolicy
  private let limits: FetchLimits
  private let deadlines: Deadlines
  private let cache: ImageCache?
  private let shares: Bool
  private let limiter: Limiter?
  /// What requests send from now on, beside what every one sends.
  let headers = Locked<[(name: String, value: String)]>([])

  init(
    schedulers: ModelSchedulers, policy: TransportPolicy, limits: FetchLimits, deadlines: Deadlines, cache: ImageCache?,
    shares: Bool
  ) {
    self.schedulers = schedulers
    self.policy = policy
    self.limits = limits
    self.deadlines = deadlines
    self.cache = cache
    self.shares = shares
    limiter = limits.maximumInFlight.map { Limiter($0) }
  }

  /// The number of requests under way or waiting.
  var count: Int { state.withLock { $0.entries.count } }

  /// The picture of an address if it is in the cache and `strategy` would be allowed to fetch it.
  func cached(_ address: String, _ strategy: any FetchStrategy, named name: StrategyName) -> Picture? {
    guard let picture = cache?.picture(for: address), (try? admit(address, strategy, named: name)) != nil else {
      return nil
    }
    return picture
  }

  private func admit(
    _ address: String, _ strategy: any FetchStrategy, named name: StrategyName
  ) throws(FetchError) -> URL {
    let url = try policy.url(address)
    try policy.validate(strategy.capabilities, of: name)
    return url
  }

  /// Joins the request for `address`, a new one if there is none. Starts nothing and calls nobody, not even
  /// the strategy for its name.
  ///
  /// - Parameter responded: called with the head of each answer, if the request is a new one.
  func join(
    _ address: String, _ strategy: any FetchStrategy, named name: StrategyName,
    _ responded: (@Sendable (NetworkResponse) -> Void)? = nil, _ notify: @escaping Notify
  ) -> JoinedRequest {
    state.withLock { state in
      state.last += 1
      let waiter = state.last
      let key = shares ? UTF8String(address) : nil
      if let key, let id = state.byKey[key], let running = state.entries[id]?.strategyName {
        state.entries[id]?.waiters.append((waiter, notify))
        return JoinedRequest(request: id, waiter: waiter, strategy: running, isFirst: false)
      }
      state.entries[waiter] = Entry(
        key: key, address: address, strategy: strategy, strategyName: name, responded: responded,
        waiters: [(waiter, notify)])
      if let key { state.byKey[key] = waiter }
      return JoinedRequest(request: waiter, waiter: waiter, strategy: name, isFirst: true)
    }
  }

  /// Starts the request if this fetch is its first, soon.
  func start(_ joined: JoinedRequest) {
    guard joined.isFirst else { return }
    guard let limiter else { return launch(joined) }
    let queuedEntry = limiter.enter { self.launch(joined) }
    if !update(joined.request, { $0.queuedEntry = queuedEntry }) { queuedEntry.cancel() }
  }

  /// Leaves a request. The last one to leave stops the work.
  func leave(_ joined: JoinedRequest) {
    let (abandoned, waiter) = state.withLock { state -> (Entry?, Notify?) in
      guard let index = state.entries[joined.request]?.waiters.firstIndex(where: { $0.id == joined.waiter }) else {
        return (nil, nil)
      }
      let waiter = state.entries[joined.request]?.waiters.remove(at: index).notify
      guard state.entries[joined.request]?.waiters.isEmpty == true else { return (nil, waiter) }
      return (state.remove(joined.request), waiter)
    }
    withExtendedLifetime(waiter) {}
    guard let abandoned else { return }
    abandoned.work?.cancel()
    close(abandoned)
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
      entry.work?.cancel()
      close(entry, .failure(.cancelled))
    }
  }

  /// Reports to the waiters of a removed entry, and only then makes room for the next: its end may be reported at any time from
  /// then on, and must not overtake this one.
  private func close(_ entry: Entry, _ result: Result<Picture, FetchError>? = nil) {
    entry.deadline?.cancel()
    entry.queuedEntry?.cancel()
    if let result {
      for waiter in entry.waiters { waiter.notify(.finished(result)) }
    }
    if entry.isRunning { limiter?.leave() }
  }

  /// Changes an entry. Returns false when nobody wants it any more.
  private func update(_ id: Int, _ change: (inout Entry) -> Void) -> Bool {
    state.withLock { state in
      guard let index = state.entries.index(forKey: id) else { return false }
      change(&state.entries.values[index])
      return true
    }
  }

  /// Starts a request soon, or releases its permit if nobody wants it any more.
  ///
  /// Releasing a permit only passes it on, and calls no strategy: that may be main, cancelling a thousand images.
  private func launch(_ joined: JoinedRequest) {
    let id = joined.request
    let address = state.withLock { state in
      state.entries[id]?.isRunning = true
      return state.entries[id]?.address
    }
    guard let address else { return schedulers.ends.schedule { self.limiter?.leave() } }
    if let limit = deadlines.deadline(of: address) {
      let deadline = schedulers.timers.schedule(after: limit) { [weak self] in self?.settle(id, .failure(.timedOut)) }
      if !update(id, { $0.deadline = deadline }) { deadline.cancel() }
    }
    schedulers.calls.enter(joined.strategy) { self.attempt(id) }
  }

  private func attempt(_ id: Int) {
    let entry = state.withLock { state in
      state.entries[id].map { ($0.strategy, $0.strategyName, $0.address, $0.responded) }
    }
    guard let (strategy, name, address, responded) = entry else { return }
    let url: URL
    do throws(FetchError) {
      url = try admit(address, strategy, named: name)
    } catch {
      return settleLater(id, .failure(error))
    }
    // It may have come since the reader looked, by a request that ended in that moment.
    if let picture = cache?.picture(for: address) { return settleLater(id, .success(picture)) }
    let attempt = OneShot<Result<FetchedBody, FetchError>>()
    let isWanted = attempt.start { [self] result in
      // Validating a picture takes time in proportion to its bytes, and this may be the network's only queue. A failure can come
      // from inside `fetch`, and might start the next request there.
      if case .success(let body) = result, body.bytes.count <= Self.smallBody {
        complete(id, result)
      } else {
        schedulers.ends.schedule { self.complete(id, result) }
      }
    }
    guard isWanted, update(id, { $0.work = attempt }) else { return }
    // Packing a picture buys nothing, and what it unpacks to has no announced length.
    let headers = [(name: "Accept-Encoding", value: "identity")] + headers.withLock { $0 }
    var request = FetchRequest(url: url, headers: headers, policy: policy, limits: limits) {
      [weak self] received, expected in
      if attempt.isOpen { self?.progress(id, received, expected) }
    }
    if let responded { request.responded = { if attempt.isOpen { responded($0) } } }
    attempt.hold(strategy.fetch(request) { attempt.end($0) })
  }

  private func progress(_ id: Int, _ received: Int, _ expected: Int?) {
    // A list of its own: that of the entry must not leave the lock, as the next to join may change it. Swift
    // would see that it is shared, but the thread sanitizer cannot.
    let waiters = state.withLock { $0.entries[id]?.waiters.map(\.notify) ?? [] }
    for notify in waiters { notify(.progress(received: received, expected: expected)) }
  }

  private func complete(_ id: Int, _ result: Result<FetchedBody, FetchError>) {
    guard update(id, { $0.work = nil }) else { return }
    if case .failure(let error) = result, error.isWorthRetrying, let (strategy, delay) = takeRetry(id) {
      let wait = OneShot<Void>()
      _ = wait.start { [self] in schedulers.calls.enter(strategy) { self.attempt(id) } }
      guard update(id, { $0.work = wait }) else { return }
      return wait.hold(schedulers.timers.schedule(after: delay) { wait.end(()) })
    }
    // Half a picture that came whole would come so again: that is no reason for another attempt.
    settle(id, result.flatMap { body in Result { () throws(FetchError) in try Picture(validating: body.bytes) } })
  }

  /// Returns the name of the strategy if there is an attempt left, and how long to wait for it.
  private func takeRetry(_ id: Int) -> (StrategyName, Duration)? {
    state.withLock { state in
      guard let entry = state.entries[id], entry.attempt < limits.retries else { return nil }
      state.entries[id]?.attempt += 1
      return (entry.strategyName, limits.wait(beforeRetry: entry.attempt + 1))
    }
  }

  /// Not at once: releasing the permit would launch the next in line inside this call, and so on, one inside the other.
  private func settleLater(_ id: Int, _ result: Result<Picture, FetchError>) {
    schedulers.ends.schedule { self.settle(id, result) }
  }

  private func settle(_ id: Int, _ result: Result<Picture, FetchError>) {
    // Into the cache first: whoever reads now finds the picture there, or still joins the request.
    if case .success(let picture) = result, let address = state.withLock({ $0.entries[id]?.address }) {
      cache?.store(picture, for: address)
    }
    guard let entry = state.withLock({ $0.remove(id) }) else { return }
    // Foreign code, which must not block this scheduler.
    if let work = entry.work { schedulers.calls.enter(entry.strategyName) { work.cancel() } }
    close(entry, result)
  }
}

/// The time limits of an environment's requests, each measured from the start of its request.
final class Deadlines: Sendable {
  private struct State {
    var exception: (@Sendable (_ address: String) -> Duration?)?
  }

  private let common: Duration?
  private let state = Locked(State())

  init(_ common: Duration?) { self.common = common }

  /// Called with the address of each request that starts. A nil result means the common deadline.
  var exception: (@Sendable (_ address: String) -> Duration?)? {
    get { state.withLock { $0.exception } }
    set { state.withLock { $0.exception = newValue } }
  }

  /// The deadline of a request that starts now.
  func deadline(of address: String) -> Duration? { exception?(address) ?? common }
}
