import EventBus

/// One question to a server and its one answer, read on a worker and handed over on main.
///
/// The first of answer, deadline and cancel wins; what comes later is dropped. Addresses keep the environment's policy,
/// bodies its size limit. A failure is not tried again: who asked decides.
final class ServiceExchange<Value: Sendable, Failure: Error>: Cancellation {
  typealias Completion = @Sendable (Result<Value, Failure>) -> Void
  typealias Read = @Sendable (Result<FetchedBody, FetchError>) -> Result<Value, Failure>

  private struct State {
    var completion: Completion?
    var work: (any Cancellation)?
    var deadline: (any Cancellation)?
    var isAnswered = false
    var isOver = false
  }

  private let state = Locked(State())
  private let environment: FetchEnvironment
  private let read: Read
  private let arrived: @Sendable (Value) -> Void

  /// - Parameters:
  ///   - read: makes the result of an answer, or of its absence. Called on a worker, or by ``cancel()``.
  ///   - arrived: called on main just before the value is handed over.
  init(
    in environment: FetchEnvironment, read: @escaping Read, arrived: @escaping @Sendable (Value) -> Void = { _ in }
  ) {
    self.environment = environment
    self.read = read
    self.arrived = arrived
  }

  /// Asks, and calls `completion` exactly once, on main, never inside this call. Once in the life of an exchange.
  func start(_ question: ServiceQuestion, _ completion: @escaping Completion) {
    let isCalledOff = state.withLock { state in
      if !state.isOver { state.completion = completion }
      return state.isOver
    }
    guard !isCalledOff else { return handOver(read(.failure(.cancelled)), to: completion) }
    do throws(FetchError) {
      let request = FetchRequest(
        url: try environment.policy.url(question.address), policy: environment.policy, limits: environment.limits,
        responded: { [weak self, environment] response in
          environment.runtime.main.schedule { [weak self] in
            // After a cancel the result may be there already, and nothing comes after it.
            guard let self, !self.state.withLock({ $0.isOver }) else { return }
            environment.bus.post(ServiceResponded(response, hiding: question.secret))
          }
        })
      keep(try work(question, request))
    } catch {
      settle(.failure(error))
    }
  }

  /// Asks and waits for the answer. Cancelling the calling task is ``cancel()``.
  func answer(to question: ServiceQuestion) async throws(Failure) -> Value {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start(question) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  /// Stops the work where that can be stopped. The result is that of `cancelled`, unless main has another one already.
  func cancel() {
    if let completion = close() { handOver(read(.failure(.cancelled)), to: completion) }
  }

  private func work(_ question: ServiceQuestion, _ request: FetchRequest) throws(FetchError) -> any Cancellation {
    if let limit = question.deadline(request.limits) {
      let deadline = environment.runtime.workers.schedule(after: limit) { self.settle(.failure(.timedOut)) }
      let isStored = state.withLock { state in
        if !state.isOver { state.deadline = deadline }
        return !state.isOver
      }
      if !isStored { deadline.cancel() }
    }
    switch question {
    case .get:
      let strategy = environment.strategy
      try environment.policy.check(strategy.capabilities)
      return strategy.fetch(request, completion: answered)
    case .post(_, let body, let headers):
      let transfer = Transfer(request, followsRedirects: false)
      transfer.start(answered) { [environment] delegate in
        environment.loader.dataTask(
          NetworkRequest(
            // On a connection that was used before, curl sends a request again when the server closes without an answer.
            url: request.url, method: "POST", headers: headers + [("Connection", "close")], body: body,
            timeoutSeconds: request.limits.timeoutSeconds, lane: "upload"),
          delegate: delegate)
      }
      return transfer
    }
  }

  @Sendable private func answered(_ answer: Result<FetchedBody, FetchError>) {
    // Nothing is left to call off: cancelling a task in the moment of its end can crash Foundation.
    let work = state.withLock { state in
      state.isAnswered = true
      defer { state.work = nil }
      return state.work
    }
    withExtendedLifetime(work) {}
    settle(answer)
  }

  private func keep(_ work: any Cancellation) {
    let isUnwanted = state.withLock { state in
      if !state.isOver, !state.isAnswered { state.work = work }
      return state.isOver && !state.isAnswered
    }
    if isUnwanted { work.cancel() }
  }

  private func settle(_ answer: Result<FetchedBody, FetchError>) {
    environment.runtime.workers.schedule { [self] in
      let result = read(answer)
      environment.runtime.main.schedule { self.finish(result) }
    }
  }

  private func finish(_ result: Result<Value, Failure>) {
    guard let completion = close() else { return }
    if case .success(let value) = result { arrived(value) }
    completion(result)
  }

  private func handOver(_ result: Result<Value, Failure>, to completion: @escaping Completion) {
    environment.runtime.main.schedule { completion(result) }
  }

  /// Calls off what still runs, and returns who asked, the first time only.
  private func close() -> Completion? {
    let old = state.withLock { state in
      defer { state = State(isAnswered: state.isAnswered, isOver: true) }
      return state
    }
    old.deadline?.cancel()
    old.work?.cancel()
    return old.completion
  }
}
