import EventBus
import Foundation
import PlainText

/// The membership of one fetch in a shared request.
struct JoinedRequest: Sendable {
  let request: Int
  let waiter: Int
  /// The request's strategy, which may differ from the current selection if the request started earlier.
  let strategy: StrategyName
  /// Whether the holder must start the request.
  let isFirst: Bool
}

/// A report from a request to its fetches.
enum FetchUpdate: Sendable {
  case progress(received: Int, expected: Int?)
  case finished(Result<Picture, FetchError>)
}

/// The requests in flight, one for equal addresses, header fields and limits, each with the fetches waiting for it.
///
/// Performs the actions that ``RequestLife`` returns, outside its lock. Strategies, validation and notifications also
/// run outside the lock.
final class SharedRequests: Sendable {
  /// Receives updates for a fetch, with the generation of that fetch.
  typealias Notify = @Sendable (_ generation: Int, FetchUpdate) -> Void

  private struct Waiter {
    let id: Int
    let generation: Int
    let notify: Notify

    func report(_ update: FetchUpdate) { notify(generation, update) }
  }

  private struct Entry {
    let request: PictureRequest
    /// Whether the picture must come from the network, because a caller reloads it.
    var ignoresCache: Bool
    let strategy: any FetchStrategy
    let strategyName: StrategyName
    let responded: (@Sendable (NetworkResponse) -> Void)?
    var waiters: [Waiter]
    var life = RequestLife()
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    /// The requests that further fetches join. Empty if fetches do not share requests.
    var joinable: [PictureRequest: Int] = [:]
    var last = 0

    mutating func remove(_ id: Int) -> Entry? {
      guard let entry = entries.removeValue(forKey: id) else { return nil }
      joinable[entry.request] = nil
      return entry
    }
  }

  /// The maximum size, in bytes, of a body that is validated without switching threads. Validating such a small picture
  /// takes at most 30 µs, about as long as waking another thread.
  static let smallBody = 64 << 10
  private let state = Locked(State())
  private let schedulers: ModelSchedulers
  private let policy: TransportPolicy
  private let cache: ImageCache?
  private let shares: Bool
  private let limiter: Limiter?

  init(
    schedulers: ModelSchedulers, policy: TransportPolicy, maximumInFlight: Int?, cache: ImageCache?, shares: Bool
  ) {
    self.schedulers = schedulers
    self.policy = policy
    self.cache = cache
    self.shares = shares
    limiter = maximumInFlight.map { Limiter($0) }
  }

  /// The number of running and waiting requests.
  var count: Int { state.withLock { $0.entries.count } }

  /// Returns the picture for an address, if it is cached and `strategy` may fetch that address.
  func cached(_ request: PictureRequest, _ strategy: any FetchStrategy, named name: StrategyName) -> Picture? {
    guard let picture = fitting(request), (try? admit(request, strategy, named: name)) != nil
    else { return nil }
    return picture
  }

  /// Returns the cached picture, if it is not larger than the request allows.
  private func fitting(_ request: PictureRequest) -> Picture? {
    cache?.picture(for: request.picture).flatMap { $0.bytes.count <= request.limits.maximumBytes ? $0 : nil }
  }

  private func admit(
    _ request: PictureRequest, _ strategy: any FetchStrategy, named name: StrategyName
  ) throws(FetchError) -> URL {
    let url = try policy.url(request.picture.address.text)
    try policy.validate(url, hasHeaders: !request.picture.headers.isEmpty, strategy.capabilities, of: name)
    return url
  }

  /// Joins an equal request, or creates one. Does not start the request or call `notify` or the strategy.
  ///
  /// - Parameters:
  ///   - ignoresCache: whether the picture must come from the network.
  ///   - responded: a closure called with the head of each response, if this call creates the request.
  ///   - generation: the generation to pass to `notify`, so that the caller can create `notify` before the generation
  ///     is known.
  func join(
    _ request: PictureRequest, _ strategy: any FetchStrategy, named name: StrategyName, ignoresCache: Bool,
    _ responded: (@Sendable (NetworkResponse) -> Void)?, for generation: Int, _ notify: @escaping Notify
  ) -> JoinedRequest {
    state.withLock { state in
      state.last += 1
      let waiter = Waiter(id: state.last, generation: generation, notify: notify)
      if shares, let id = state.joinable[request], let running = state.entries[id]?.strategyName {
        state.entries[id]?.waiters.append(waiter)
        if ignoresCache { state.entries[id]?.ignoresCache = true }
        return JoinedRequest(request: id, waiter: waiter.id, strategy: running, isFirst: false)
      }
      state.entries[waiter.id] = Entry(
        request: request, ignoresCache: ignoresCache, strategy: strategy, strategyName: name,
        responded: responded, waiters: [waiter])
      if shares { state.joinable[request] = waiter.id }
      return JoinedRequest(request: waiter.id, waiter: waiter.id, strategy: name, isFirst: true)
    }
  }

  /// Starts the request asynchronously if this fetch created it.
  func start(_ joined: JoinedRequest) {
    guard joined.isFirst else { return }
    guard let limiter else { return launch(joined) }
    let entry = limiter.acquire { self.launch(joined) }
    if update(joined.request, { $0.life.keep(entry: entry) }) == nil { entry.cancel() }
  }

  /// Leaves a request. When the last fetch leaves, the request stops its work.
  func leave(_ joined: JoinedRequest) {
    let (abandoned, waiter) = state.withLock { state -> (Entry?, Waiter?) in
      guard let index = state.entries[joined.request]?.waiters.firstIndex(where: { $0.id == joined.waiter }) else {
        return (nil, nil)
      }
      let waiter = state.entries[joined.request]?.waiters.remove(at: index)
      guard state.entries[joined.request]?.waiters.isEmpty == true else { return (nil, waiter) }
      return (state.remove(joined.request), waiter)
    }
    withExtendedLifetime(waiter) {}
    if let abandoned { close(abandoned) { $0.cancel() } }
  }

  /// Ends every request with `cancelled`.
  func cancelAll() {
    let entries = state.withLock { state in
      defer {
        state.entries = [:]
        state.joinable = [:]
      }
      return state.entries.sorted { $0.key < $1.key }.map(\.value)
    }
    for entry in entries { close(entry, .failure(.cancelled)) { $0.cancel() } }
  }

  /// Ends an entry that has been removed: cancels its work, reports to its waiters, and only then releases its permit.
  /// Once the permit is free, the next request may end immediately, and must not overtake this request.
  private func close(
    _ entry: Entry, _ result: Result<Picture, FetchError>? = nil, cancelWork: (any Cancellation) -> Void
  ) {
    let end = entry.life.end()
    switch end {
    case .releasePermit(let entry):
      entry?.cancel()
    case .stop(let work, let deadline):
      if let work { cancelWork(work) }
      deadline?.cancel()
    }
    if let result {
      for waiter in entry.waiters { waiter.report(.finished(result)) }
    }
    if case .stop = end { limiter?.release() }
  }

  /// Changes or reads an entry. Returns nil if no fetch is waiting for the request any longer.
  private func update<T>(_ id: Int, _ change: (inout Entry) -> T) -> T? {
    state.withLock { state in
      guard let index = state.entries.index(forKey: id) else { return nil }
      return change(&state.entries.values[index])
    }
  }

  /// Starts a request asynchronously, or releases its permit if no fetch is waiting for it any longer.
  ///
  /// Releasing a permit must not call a strategy, because main may be cancelling a thousand images.
  private func launch(_ joined: JoinedRequest) {
    let id = joined.request
    let limits = update(id) { entry in
      entry.life.receivePermit()
      return entry.request.limits
    }
    guard let limits else { return schedulers.ends.schedule { self.limiter?.release() } }
    if let limit = limits.deadline {
      let deadline = schedulers.timers.schedule(after: limit) { [weak self] in self?.settle(id, .failure(.timedOut)) }
      if update(id, { $0.life.keep(deadline: deadline) }) == nil { deadline.cancel() }
    }
    schedulers.calls.enter(joined.strategy) { self.attempt(id) }
  }

  private func attempt(_ id: Int) {
    let entry = update(id) { entry in
      entry.life.callStrategy()
      return entry
    }
    guard let entry else { return }
    let (strategy, name, responded) = (entry.strategy, entry.strategyName, entry.responded)
    let url: URL
    do throws(FetchError) {
      url = try admit(entry.request, strategy, named: name)
    } catch {
      return settleLater(id, .failure(error))
    }
    // The reader found no cached picture, but another request may have stored one in the meantime.
    if !entry.ignoresCache, let picture = fitting(entry.request) {
      return settleLater(id, .success(picture))
    }
    let attempt = OneShot<Result<FetchedBody, FetchError>>()
    let retryAfter = Locked<Duration?>(nil)
    let isWanted = attempt.start { [self] result in
      let retryAfter = retryAfter.withLock { $0 }
      // Validation takes time proportional to the number of bytes, and would block this queue, which may be the
      // network's only one. A strategy can report a failure from within `fetch`, and settling there could start the
      // next request.
      if case .success(let body) = result, body.bytes.count <= Self.smallBody {
        complete(id, result, retryAfter)
      } else {
        schedulers.ends.schedule { self.complete(id, result, retryAfter) }
      }
    }
    guard isWanted, update(id, { $0.life.startFetch(attempt) }) != nil else { return }
    // Compressing a picture saves nothing, and a decompressed body has no announced length.
    let plain: HTTPHeaders = ["Accept-Encoding": "identity"]
    let headers = plain.overridden(by: entry.request.picture.headers)
    var request = FetchRequest(url: url, headers: headers, policy: policy, limits: entry.request.limits) {
      [weak self] received, expected in
      if attempt.isOpen { self?.progress(id, received, expected) }
    }
    request.responded = { response in
      if let wait = response.retryAfter { retryAfter.withLock { $0 = wait } }
      if let responded, attempt.isOpen { responded(response) }
    }
    attempt.hold(strategy.fetch(request) { attempt.endWork($0) })
  }

  private func progress(_ id: Int, _ received: Int, _ expected: Int?) {
    // Copy the array, because the entry's array must not leave the lock: the next fetch to join can change it. Swift
    // would copy the array at that point, but the thread sanitizer cannot detect such a copy.
    let waiters = state.withLock { $0.entries[id]?.waiters.map { $0 } ?? [] }
    for waiter in waiters { waiter.report(.progress(received: received, expected: expected)) }
  }

  private func complete(_ id: Int, _ result: Result<FetchedBody, FetchError>, _ retryAfter: Duration?) {
    var rest: OneShot<Void>?
    if case .failure(let error) = result, error.isWorthRetrying { rest = OneShot<Void>() }
    let next = update(id) { entry in
      (entry.life.endAttempt(restingWith: rest, after: retryAfter, entry.request.limits), entry.strategyName)
    }
    guard let (action, strategy) = next else { return }
    if case .retry(let delay) = action, let rest {
      let isWanted = rest.start { [self] in schedulers.calls.enter(strategy) { self.attempt(id) } }
      if isWanted { rest.hold(schedulers.timers.schedule(after: delay) { rest.endWork(()) }) }
      return
    }
    // An invalid picture is not retried, because a retry would return the same bytes.
    settle(id, result.flatMap { body in Result { () throws(FetchError) in try Picture(validating: body.bytes) } })
  }

  /// Settles the request asynchronously. Releasing the permit here would start the next request inside this call, and
  /// the calls would nest ever deeper.
  private func settleLater(_ id: Int, _ result: Result<Picture, FetchError>) {
    schedulers.ends.schedule { self.settle(id, result) }
  }

  private func settle(_ id: Int, _ result: Result<Picture, FetchError>) {
    // Store the picture first, so a reader either finds it in the cache or joins the request.
    if case .success(let picture) = result, let key = update(id, { $0.request.picture }) {
      cache?.store(picture, for: key)
    }
    guard let entry = state.withLock({ $0.remove(id) }) else { return }
    // Cancelling calls the strategy, which must not block this scheduler.
    close(entry, result) { work in schedulers.calls.enter(entry.strategyName) { work.cancel() } }
  }
}
