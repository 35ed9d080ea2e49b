public import EventBus
import FetcherModel

/// A service's state at one endpoint: the last value, and the result of the last ``load()``.
///
/// The state changes on main, before ``ServiceChanged`` or ``ServiceFailed`` is posted with ``id`` as its key. A page
/// subscribes to both events, calls ``load()``, and renders the state. A caller that needs the response itself calls
/// ``fetch(completion:)`` or ``fetch()``. Safe to use from any thread.
public final class ServiceResource<Value: Sendable, Failure: Error>: Sendable {
  /// The key for the resource's events.
  public let id: ResourceID
  private let environment: FetchEnvironment
  private let request: ServiceRequest
  private let read: ServiceExchange<Value, Failure>.Read
  private let arrived: @Sendable (Value) -> Void
  private let state = Locked(State())

  private struct State {
    var value: Value?
    var failure: Failure?
    /// The number of requests so far, the number of the request whose value is kept, and the number of the load in
    /// flight.
    var started = 0
    var kept = 0
    var awaited: Int?
    var load: (any Cancellation)?

    mutating func endLoad() { (awaited, load) = (nil, nil) }
  }

  /// - Parameter arrived: a closure called on main with each value that is kept, before the event for the value is
  ///   posted.
  init(
    _ name: String, _ request: ServiceRequest, in environment: FetchEnvironment,
    read: @escaping ServiceExchange<Value, Failure>.Read, arrived: @escaping @Sendable (Value) -> Void = { _ in }
  ) {
    id = ResourceID(name: name)
    self.environment = environment
    self.request = request
    self.read = read
    self.arrived = arrived
  }

  /// The last value, or nil if none has arrived yet.
  public var value: Value? { state.withLock { $0.value } }
  /// The error from the last load, or nil if the load succeeded or is still in flight.
  public var failure: Failure? { state.withLock { $0.failure } }
  /// Whether a load is in flight.
  public var isLoading: Bool { state.withLock { $0.awaited != nil } }

  /// Sends a request, replacing any load in flight. ``ServiceChanged`` or ``ServiceFailed`` reports the end of the
  /// load.
  public func load() {
    let (number, old) = state.withLock { state in
      state.started += 1
      state.awaited = state.started
      state.failure = nil
      return (state.started, state.load.take())
    }
    old?.cancel()
    let exchange = exchange(number)
    exchange.start(request) { [weak self] result in
      if case .failure(let error) = result { self?.fail(error, number) }
    }
    let isAwaited = state.withLock { state in
      guard state.awaited == number else { return false }
      state.load = exchange
      return true
    }
    // A load on another thread may have replaced this load before its exchange was stored.
    if !isAwaited { exchange.cancel() }
  }

  /// Clears ``failure``, for example after the user has read it.
  public func clearFailure() { state.withLock { $0.failure = nil } }

  /// Sends a request. Calls `completion` once, on main, after ``ServiceChanged``, and never synchronously.
  ///
  /// If a newer request has already delivered its value, an older value is passed to `completion` but is neither kept
  /// nor posted. A failure is passed only to `completion`.
  ///
  /// - Returns: a handle. Cancelling it completes the call with the error for a cancelled request; releasing it has no
  ///   effect.
  @discardableResult public func fetch(
    completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> any Cancellation {
    let exchange = nextExchange
    exchange.start(request, completion)
    return exchange
  }

  /// Sends a request and returns its value. Cancelling the calling task throws the error for a cancelled request.
  public func fetch() async throws(Failure) -> Value { try await nextExchange.answer(to: request) }

  /// Changes the value without posting an event.
  func change<Change>(_ body: (inout Value) -> Change?) -> Change? {
    state.withLock { state in
      guard var value = state.value.take() else { return nil }
      defer { state.value = value }
      return body(&value)
    }
  }

  private var nextExchange: ServiceExchange<Value, Failure> {
    exchange(
      state.withLock { state in
        state.started += 1
        return state.started
      })
  }

  private func exchange(_ number: Int) -> ServiceExchange<Value, Failure> {
    ServiceExchange(in: environment, read: read) { [weak self] in self?.keep($0, number) }
  }

  private func keep(_ value: Value, _ number: Int) {
    let (isNews, isEnd, old) = state.withLock { state -> (Bool, Bool, Value?) in
      let isEnd = state.awaited == number
      if isEnd { state.endLoad() }
      guard number > state.kept else { return (false, isEnd, nil) }
      state.kept = number
      defer { state.value = value }
      return (true, isEnd, state.value.take())
    }
    withExtendedLifetime(old) {}
    if isNews { arrived(value) }
    if isNews || isEnd { environment.bus.post(ServiceChanged(resourceID: id)) }
  }

  private func fail(_ error: Failure, _ number: Int) {
    let isEnd = state.withLock { state in
      guard state.awaited == number else { return false }
      state.endLoad()
      state.failure = error
      return true
    }
    if isEnd { environment.bus.post(ServiceFailed(resourceID: id)) }
  }
}
