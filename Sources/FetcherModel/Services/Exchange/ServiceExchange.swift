import EventBus
import Foundation

/// One question to a server and its one answer, read away from main and handed over on main.
///
/// The first of answer, deadline and cancel wins; what comes later is dropped. Addresses keep the environment's policy,
/// bodies its size limit. A failure is not tried again: who asked decides.
final class ServiceExchange<Value: Sendable, Failure: Error>: Cancellation {
  typealias Completion = @Sendable (Result<Value, Failure>) -> Void
  typealias Read = @Sendable (Result<FetchedBody, FetchError>) -> Result<Value, Failure>

  private let environment: FetchEnvironment
  private let read: Read
  private let arrived: (@Sendable (Value) -> Void)?
  private let outcome: OneShot<Result<Value, Failure>>
  private let answer = OneShot<Result<FetchedBody, FetchError>>(cancelled: .failure(.cancelled))

  /// - Parameters:
  ///   - read: makes the result of an answer, or of its absence. Called where fetches end, and here for a cancel.
  ///   - arrived: called on main; the value is handed over behind the events that it posts.
  init(
    in environment: FetchEnvironment, read: @escaping Read, arrived: (@Sendable (Value) -> Void)? = nil
  ) {
    self.environment = environment
    self.read = read
    self.arrived = arrived
    outcome = OneShot(cancelled: read(.failure(.cancelled)), on: environment.runtime.main)
  }

  /// Asks, and calls `completion` exactly once, on main, never inside this call. Once in the life of an exchange.
  func start(_ question: ServiceQuestion, _ completion: @escaping Completion) {
    let isWanted = outcome.start { [arrived, main = environment.runtime.main] result in
      guard let arrived, case .success(let value) = result else { return completion(result) }
      arrived(value)
      main.schedule { completion(result) }
    }
    guard isWanted else { return }
    let limit = question.deadline(environment.deadlines.deadline(of: question.address))
    let deadline = limit.map { limit in
      environment.schedulers.timers.schedule(after: limit) { [answer] in answer.complete(.failure(.timedOut)) }
    }
    _ = answer.start { [self] answer in
      deadline?.cancel()
      environment.schedulers.ends.schedule { [self] in
        let result = read(answer)
        environment.runtime.main.scheduleBehindEvents { self.outcome.complete(result) }
      }
    }
    outcome.hold(answer)
    do throws(FetchError) {
      let request = FetchRequest(
        url: try environment.policy.url(question.address), headers: environment.headers, policy: environment.policy,
        limits: environment.limits,
        responded: { [outcome, environment] response in
          environment.runtime.main.schedule {
            // After a cancel the result may be there already, and nothing comes after it.
            if outcome.isOpen { environment.bus.post(ServiceResponded(response, hiding: question.secret)) }
          }
        })
      try begin(question, request)
    } catch {
      answer.end(.failure(error))
    }
  }

  /// Asks and waits for the answer. Cancelling the calling task is ``cancel()``.
  func answer(to question: ServiceQuestion) async throws(Failure) -> Value {
    try await OneShot.value(cancelled: read(.failure(.cancelled))) { completion in
      start(question, completion)
      return self
    }.get()
  }

  /// Stops the work where that can be stopped. The result is that of `cancelled`, unless main has another one already.
  func cancel() { outcome.cancel() }

  private func begin(_ question: ServiceQuestion, _ request: FetchRequest) throws(FetchError) {
    let ended: Transfer.Completion = { [answer] in answer.end($0) }
    switch question {
    case .get:
      let strategy = environment.strategy
      let name = strategy.name
      try environment.policy.validate(strategy.capabilities, of: name)
      environment.schedulers.calls.enter(name) { [answer] in
        if answer.isOpen { answer.hold(strategy.fetch(request, completion: ended)) }
      }
    case .post(_, let body, let headers):
      let transfer = Transfer(request, timers: environment.schedulers.timers, followsRedirects: false)
      transfer.start(ended) { [environment] delegate in
        environment.loader.dataTask(
          NetworkRequest(
            // On a connection that was used before, curl sends a request again when the server closes without an answer.
            url: request.url, method: "POST", headers: headers + request.headers + [("Connection", "close")],
            body: body,
            timeoutSeconds: request.limits.timeoutSeconds, pool: "upload"),
          delegate: delegate)
      }
      answer.hold(transfer)
    }
  }
}

/// What a service asks of its server.
enum ServiceQuestion: Sendable {
  /// Fetched with the strategy that is selected when the exchange starts. The secret, if any, stands in the address.
  case get(String, secret: String? = nil)
  /// Sent with a data task, whatever the strategy: the other ways to fetch cannot send a body.
  case post(String, body: Data, headers: [(name: String, value: String)])

  var address: String {
    switch self {
    case .get(let address, _), .post(let address, _, _): address
    }
  }

  var secret: String? { if case .get(_, let secret) = self { secret } else { nil } }

  /// How long the answer may take. Of an upload always a time: a server that drops it may leave curl waiting for ever.
  ///
  /// - Parameter limit: the deadline of a request for its address.
  func deadline(_ limit: Duration?) -> Duration? {
    if case .post = self { limit ?? FetchLimits.longestUpload } else { limit }
  }
}
