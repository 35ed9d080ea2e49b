import EventBus
import FetcherModel
import Foundation

/// A request to a server, together with its response. Reads the response on a thread other than main, and completes on
/// main.
///
/// The response, the deadline or a cancellation ends the exchange, whichever comes first; later results are dropped.
/// The environment's policy and size limit apply. A failed request is not retried; the caller decides whether to retry.
final class ServiceExchange<Value: Sendable, Failure: Error>: Cancellation {
  typealias Completion = @Sendable (Result<Value, Failure>) -> Void
  typealias Read = @Sendable (Result<FetchedBody, FetchError>) -> Result<Value, Failure>

  private let environment: FetchEnvironment
  private let read: Read
  private let arrived: (@Sendable (Value) -> Void)?
  private let outcome: OneShot<Result<Value, Failure>>
  private let answer = OneShot<Result<FetchedBody, FetchError>>(cancelled: .failure(.cancelled))

  /// - Parameters:
  ///   - read: a closure that creates the result from the response or error. After a cancellation, it is called on the
  ///     cancelling thread, and otherwise on the scheduler on which fetches end.
  ///   - arrived: a closure called on main. The completion receives the value only after the events that this closure
  ///     posts.
  init(
    in environment: FetchEnvironment, read: @escaping Read, arrived: (@Sendable (Value) -> Void)? = nil
  ) {
    self.environment = environment
    self.read = read
    self.arrived = arrived
    outcome = OneShot(cancelled: read(.failure(.cancelled)), on: environment.runtime.main)
  }

  /// Sends the request. Calls `completion` exactly once, on main, and never synchronously. Call this method once per
  /// exchange.
  func start(_ request: ServiceRequest, _ completion: @escaping Completion) {
    let isWanted = outcome.start { [arrived, main = environment.runtime.main] result in
      guard let arrived, case .success(let value) = result else { return completion(result) }
      arrived(value)
      main.schedule { completion(result) }
    }
    guard isWanted else { return }
    let limit = request.deadline(environment.limits.deadline)
    let deadline = limit.map { limit in
      environment.schedulers.timers.schedule(after: limit) { [answer] in
        answer.completeAndCancelWork(.failure(.timedOut))
      }
    }
    _ = answer.start { [self] answer in
      deadline?.cancel()
      environment.schedulers.ends.schedule { [self] in
        let result = read(answer)
        environment.runtime.main.scheduleBehindEvents { self.outcome.completeAndCancelWork(result) }
      }
    }
    outcome.hold(answer)
    do throws(FetchError) {
      let fetch = FetchRequest(
        url: try environment.policy.url(request.address), headers: environment.headers(at: request.address),
        policy: environment.policy,
        limits: environment.limits,
        responded: { [outcome, environment] response in
          environment.runtime.main.schedule {
            // After a cancellation, the result may already have been reported. Post no event after the result.
            if outcome.isOpen { environment.bus.post(ServiceResponded(response, hiding: request.secret)) }
          }
        })
      try begin(request, fetch)
    } catch {
      answer.endWork(.failure(error))
    }
  }

  /// Sends the request and waits for the response. Cancelling the calling task calls ``cancel()``.
  func answer(to request: ServiceRequest) async throws(Failure) -> Value {
    try await OneShot.value(cancelled: read(.failure(.cancelled))) { completion in
      start(request, completion)
      return self
    }.get()
  }

  /// Stops the work if possible. The result is `cancelled`, unless another result has already reached main.
  func cancel() { outcome.cancel() }

  private func begin(_ request: ServiceRequest, _ fetch: FetchRequest) throws(FetchError) {
    let ended: @Sendable (Result<FetchedBody, FetchError>) -> Void = { [answer] in answer.endWork($0) }
    switch request {
    case .get:
      let strategy = environment.strategy
      let name = strategy.name
      try environment.policy.validate(
        fetch.url, hasHeaders: !fetch.headers.isEmpty, strategy.capabilities, of: name)
      environment.schedulers.calls.enter(name) { [answer] in
        if answer.isOpen { answer.hold(strategy.fetch(fetch, completion: ended)) }
      }
    case .post(_, let body, let headers):
      let transfer = Transfer(fetch, timers: environment.schedulers.timers, followsRedirects: false)
      var headers = fetch.headers.overridden(by: headers)
      // Without this header field, curl would send the request again if the server closes a reused connection without
      // responding.
      headers["Connection"] = "close"
      transfer.start(ended) { [environment, headers] delegate in
        environment.loader.dataTask(
          NetworkRequest(
            url: fetch.url, method: "POST", headers: headers, body: body,
            idleTimeout: fetch.limits.idleTimeout, pool: "upload"),
          delegate: delegate)
      }
      answer.hold(transfer)
    }
  }
}

/// A request from a service.
enum ServiceRequest: Sendable {
  /// A request sent with the strategy that is selected when the exchange starts. If there is a secret, the address
  /// contains it.
  case get(String, secret: String? = nil)
  /// A request that is always sent with a data task, because the other strategies cannot send a body.
  case post(String, body: Data, headers: HTTPHeaders)

  var address: String {
    switch self {
    case .get(let address, _), .post(let address, _, _): address
    }
  }

  var secret: String? { if case .get(_, let secret) = self { secret } else { nil } }

  /// Returns the maximum time for the response. An upload always has a limit, because curl may wait forever for a
  /// server that drops the upload.
  ///
  /// - Parameter limit: the deadline of the environment's requests.
  func deadline(_ limit: Duration?) -> Duration? {
    if case .post = self { limit ?? FetchLimits.longestUpload } else { limit }
  }
}
