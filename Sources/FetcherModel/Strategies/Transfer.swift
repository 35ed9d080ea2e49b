public import EventBus
public import Foundation

/// One exchange with the network, under the rules that all strategies above a ``NetworkLoader`` share.
///
/// - A status outside 200...299 ends it with `badStatus`, whatever the body is, and so does a challenge for credentials.
/// - https ends it with `unsupportedScheme`, at the first address or after a redirect, where the strategy does not load it.
/// - Each redirect is validated with the policy of the request; the seventeenth ends it with `transport(-1007)`.
/// - A body that is longer than the limit of the request ends it with `tooLarge`, as soon as the server announces that
///   or so many bytes have come.
/// - A body that stops before its announced length is `truncated`.
///
/// An error is reported as soon as it is known. Where a page of up to 64 KiB comes with it, the page has a second to run
/// out, which keeps the connection. The task is cancelled at most once, and never after its end.
public final class Transfer: NetworkTaskDelegate, Cancellation {
  /// Gets the result, once.
  public typealias Completion = @Sendable (Result<FetchedBody, FetchError>) -> Void

  private struct State {
    var body = Data()
    var received = 0
    var redirects = 0
    var response: NetworkResponse?
    /// Why the task was refused to go on. It is reported with the head of the answer, which comes next.
    var refusal: FetchError?
    /// Ends a task that was to run out, and does not.
    var linger: (any Cancellation)?
  }

  // URLSession on Linux follows a loop for ever.
  private static let mostRedirects = 16
  private static let shortPage = 64 << 10
  private let request: FetchRequest
  private let timers: any Scheduler
  private let followsRedirects: Bool
  private let httpOnly: StrategyName?
  private let outcome = OneShot<Result<FetchedBody, FetchError>>(cancelled: .failure(.cancelled))
  private let state = Locked(State())

  /// An exchange that has not begun.
  ///
  /// - Parameters:
  ///   - request: its policy, its limits and its callbacks are kept.
  ///   - timers: where the wait for a page runs out.
  ///   - followsRedirects: not for a request with a body: Foundation on Linux sends what follows without it.
  ///   - httpOnly: the name of the strategy whose task cannot load https; nil for one that can.
  public init(
    _ request: FetchRequest, timers: any Scheduler, followsRedirects: Bool = true, httpOnly: StrategyName? = nil
  ) {
    self.request = request
    self.timers = timers
    self.followsRedirects = followsRedirects
    self.httpOnly = httpOnly
  }

  /// Starts the task that `open` makes, with the transfer for its delegate. Once.
  ///
  /// - Parameters:
  ///   - completion: called exactly once, where the network or a cancel ends the exchange.
  ///   - open: not called after an early cancel, nor for a scheme that it cannot load.
  /// - Returns: the transfer.
  @discardableResult public func start(
    _ completion: @escaping Completion, open: (any NetworkTaskDelegate) -> any Cancellation
  ) -> Transfer {
    guard outcome.start(completion) else { return self }
    if let error = schemeError(request.url) { outcome.end(.failure(error)) } else { outcome.hold(open(self)) }
    return self
  }

  private func schemeError(_ url: URL) -> FetchError? {
    url.scheme?.lowercased() == "https" ? httpOnly.map(FetchError.unsupportedScheme(strategy:)) : nil
  }

  /// Ends with `cancelled`, unless another end came first, and calls off the task.
  public func cancel() {
    outcome.cancel()
    state.withLock { $0.body = Data() }
  }

  private func fail(_ error: FetchError) {
    outcome.complete(.failure(error))
    state.withLock { $0.body = Data() }
  }

  /// Fails, and lets the task end by itself, soon: that keeps the connection, and cancelling it in this moment can crash
  /// Foundation.
  private func failAndRunOut(_ error: FetchError) {
    outcome.settle(.failure(error))
    runOut()
  }

  private func refuse(_ error: FetchError) {
    state.withLock { $0.refusal = error }
    runOut()
  }

  private func runOut() {
    guard state.withLock({ $0.linger == nil }) else { return }
    let linger = timers.schedule(after: .seconds(1)) { [outcome] in outcome.callOff() }
    state.withLock { $0.linger = linger }
  }

  public func received(_ response: NetworkResponse) {
    // A data task is shown an early head instead of the one that follows it: what the server says in the end is unknown.
    guard !(100..<200).contains(response.status) || response.status == 101 else { return }
    request.responded?(response)
    if let refusal = state.withLock({ $0.refusal }) { return failAndRunOut(refusal) }
    guard (200..<300).contains(response.status) else {
      let isShort = response.expectedLength.map { $0 <= Self.shortPage } ?? false
      return isShort ? failAndRunOut(.badStatus(response.status)) : fail(.badStatus(response.status))
    }
    if let length = response.expectedLength, length > request.limits.maximumBytes { return fail(.tooLarge) }
    state.withLock { $0.response = response }
  }

  public func received(_ bytes: Data) {
    guard outcome.isOpen else { return }
    let total = state.withLock { state in
      state.received += bytes.count
      if state.received <= request.limits.maximumBytes { state.body.append(bytes) }
      return state.received
    }
    advance(to: total)
  }

  public func progressed(_ received: Int) {
    state.withLock { $0.received = received }
    if outcome.isOpen { advance(to: received) }
  }

  private func advance(to total: Int) {
    guard total <= request.limits.maximumBytes else { return fail(.tooLarge) }
    request.progress?(total, state.withLock { $0.response?.expectedLength })
  }

  public func downloaded(_ file: DownloadedFile) {
    defer { file.remove() }
    guard outcome.isOpen else { return }
    guard let bytes = try? file.read() else { return fail(.transport(-3001)) }
    guard bytes.count <= request.limits.maximumBytes else { return fail(.tooLarge) }
    state.withLock { $0.body = bytes }
  }

  public func shouldFollow(_ target: URL, status: Int) -> Bool {
    let count = state.withLock { state in
      state.redirects += 1
      return state.redirects
    }
    if !followsRedirects {
      refuse(.badStatus(status))
    } else if (try? request.policy.validate(target)) == nil {
      refuse(.blockedByTransportPolicy)
    } else if let error = schemeError(target) {
      refuse(error)
    } else if count > Self.mostRedirects {
      refuse(.transport(-1007))
    } else {
      return true
    }
    return false
  }

  public func challenged(status: Int) { refuse(.badStatus(status)) }

  public func finished(_ error: NetworkError?) {
    outcome.workEnded()
    let last = state.withLock { state in
      defer { state = State() }
      return state
    }
    last.linger?.cancel()
    if let refusal = last.refusal {
      outcome.settle(.failure(refusal))
    } else if let error {
      // Foundation says no more than "unknown" when a body stops before its announced length; a download does not
      // even have its response then, only bytes.
      let isCutShort = error.code == -1 && (last.response != nil || last.received > 0)
      outcome.settle(.failure(isCutShort ? .truncated : error.asFetchError))
    } else {
      outcome.settle(
        .success(
          FetchedBody(bytes: last.body, status: last.response?.status, contentType: last.response?.contentType)))
    }
  }
}
