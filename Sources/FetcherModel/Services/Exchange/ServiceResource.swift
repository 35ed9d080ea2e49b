public import EventBus

/// What a service has at one endpoint: the value that arrived last, and how the last ``load()`` ended.
///
/// The state changes on main, before ``ServiceChanged`` or ``ServiceFailed`` is posted with ``id`` as its key. A page subscribes to
/// both, calls ``load()``, and draws from the state. A caller that needs the answer itself calls ``fetch(completion:)`` or ``fetch()``.
/// Any thread.
public final class ServiceResource<Value: Sendable, Failure: Error>: Sendable {
  /// The key of its events.
  public let id: ResourceID
  private let environment: FetchEnvironment
  private let question: ServiceQuestion
  private let read: ServiceExchange<Value, Failure>.Read
  private let arrived: @Sendable (Value) -> Void
  private let state = Locked(State())

  private struct State {
    var value: Value?
    var failure: Failure?
    /// How many answers were asked for, which of them is kept, and which a load waits for.
    var asked = 0
    var kept = 0
    var awaited: Int?
    var load: (any Cancellation)?

    mutating func endLoad() { (awaited, load) = (nil, nil) }
  }

  /// - Parameter arrived: called on main with each value that is kept, before its event is posted.
  init(
    _ name: String, _ question: ServiceQuestion, in environment: FetchEnvironment,
    read: @escaping ServiceExchange<Value, Failure>.Read, arrived: @escaping @Sendable (Value) -> Void = { _ in }
  ) {
    id = ResourceID(name: name)
    self.environment = environment
    self.question = question
    self.read = read
    self.arrived = arrived
  }

  /// What arrived last; nil before that.
  public var value: Value? { state.withLock { $0.value } }
  /// Why the last load failed; nil if it did not, or is under way.
  public var failure: Failure? { state.withLock { $0.failure } }
  /// Whether a load is under way.
  public var isLoading: Bool { state.withLock { $0.awaited != nil } }

  /// Asks the service, instead of a load that is under way. Its end is an event: ``ServiceChanged`` or ``ServiceFailed``.
  public func load() {
    let (number, old) = state.withLock { state in
      state.asked += 1
      state.awaited = state.asked
      state.failure = nil
      return (state.asked, state.load.take())
    }
    old?.cancel()
    let exchange = exchange(number)
    exchange.start(question) { [weak self] result in
      if case .failure(let error) = result { self?.fail(error, number) }
    }
    let isAwaited = state.withLock { state in
      guard state.awaited == number else { return false }
      state.load = exchange
      return true
    }
    // A load of another thread may have replaced this one before it could cancel it.
    if !isAwaited { exchange.cancel() }
  }

  /// Forgets ``failure``, as a person has read it.
  public func clearFailure() { state.withLock { $0.failure = nil } }

  /// Asks the service and calls `completion` once, on main, never inside this call and behind ``ServiceChanged``.
  ///
  /// A value that arrives after one that was asked for later is handed over, and neither kept nor posted. A failure is only handed
  /// over.
  ///
  /// - Returns: a handle; cancelling it ends with the failure of a cancelled request, dropping it changes nothing.
  @discardableResult public func fetch(
    completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> any Cancellation {
    let exchange = nextExchange
    exchange.start(question, completion)
    return exchange
  }

  /// Asks the service. Cancelling the calling task ends it with the failure of a cancelled request.
  public func fetch() async throws(Failure) -> Value { try await nextExchange.answer(to: question) }

  /// Changes the value, without an event.
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
        state.asked += 1
        return state.asked
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
