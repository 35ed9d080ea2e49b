package import Foundation
package import Scheduling

/// One exchange with the network, following the rules that all strategies on a ``NetworkLoader`` share.
///
/// - A status outside 200...299 fails with `badStatus`, whatever the body contains. A response that requires
///   credentials fails in the same way.
/// - If the strategy cannot load https, an https address fails with `unsupportedScheme`, even as the target of a
///   redirect.
/// - The request's policy validates each redirect. The seventeenth redirect fails with
///   ``NetworkError/tooManyRedirects``.
/// - A body larger than the request's limit fails with `tooLarge`. It fails as soon as the announced length or the
///   number of bytes received exceeds the limit.
/// - A body that ends before its announced length fails with `truncated`, and one that cannot be decoded with
///   `undecodable`. If the bytes received before any failure are a whole picture, the exchange succeeds with them.
///
/// An error is reported immediately. If an error page of up to 64 KiB follows, it has one second to arrive, so that the
/// connection can be reused. The task is cancelled at most once, and never after it has ended.
package final class Transfer: NetworkTaskDelegate, Cancellation {
  private struct State {
    var body = Data()
    var received = 0
    var redirects = 0
    var response: NetworkResponse?
    /// The error with which the exchange will fail. The transfer reports it when the response head arrives.
    var refusal: FetchError?
    /// Cancels the task if it does not finish draining within one second.
    var linger: (any Cancellation)?

    var fetched: FetchedBody {
      FetchedBody(bytes: body, status: response?.status, contentType: response?.contentType)
    }
  }

  // A loop of redirects would otherwise last until the deadline.
  private static let maximumRedirects = 16
  private static let shortPage = 64 << 10
  private let request: FetchRequest
  private let timers: any Scheduler
  private let followsRedirects: Bool
  private let httpOnly: StrategyName?
  private let outcome = OneShot<Result<FetchedBody, FetchError>>(cancelled: .failure(.cancelled))
  private let state = Locked(State())

  /// Creates an exchange without starting it.
  ///
  /// - Parameters:
  ///   - request: the request, which provides the policy, the limits and the callbacks.
  ///   - timers: the scheduler that limits the wait for an error page.
  ///   - followsRedirects: whether redirects are followed. False for an upload, which goes only to the address that the
  ///     caller chose.
  ///   - httpOnly: the name of the strategy if its tasks cannot load https, or else nil.
  package init(
    _ request: FetchRequest, timers: any Scheduler, followsRedirects: Bool = true, httpOnly: StrategyName? = nil
  ) {
    self.request = request
    self.timers = timers
    self.followsRedirects = followsRedirects
    self.httpOnly = httpOnly
  }

  /// Starts the task that `open` creates, with the transfer as its delegate. Call it once.
  ///
  /// - Parameters:
  ///   - completion: a closure called exactly once, on the thread on which the network or a cancellation ends the
  ///     exchange.
  ///   - open: a closure that creates the task. It is not called if the exchange has already been cancelled or the
  ///     scheme is unsupported.
  /// - Returns: this transfer.
  @discardableResult package func start(
    _ completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void,
    open: (any NetworkTaskDelegate) -> any Cancellation
  ) -> Transfer {
    guard outcome.start(completion) else { return self }
    if let error = schemeError(request.url) { outcome.endWork(.failure(error)) } else { outcome.hold(open(self)) }
    return self
  }

  private func schemeError(_ url: URL) -> FetchError? {
    url.scheme?.lowercased() == "https" ? httpOnly.map(FetchError.unsupportedScheme(strategy:)) : nil
  }

  /// Completes with `cancelled`, unless the exchange has already ended, and cancels the task.
  package func cancel() {
    outcome.cancel()
    state.withLock { $0.body = Data() }
  }

  private func fail(_ error: FetchError) {
    outcome.completeAndCancelWork(.failure(error))
    state.withLock { $0.body = Data() }
  }

  /// Fails, but lets the task drain for up to one second, so that the connection can be reused. Cancelling the task at
  /// this point could also crash Foundation.
  private func failAndRunOut(_ error: FetchError) {
    outcome.complete(.failure(error))
    runOut()
  }

  private func refuse(_ error: FetchError) {
    state.withLock { $0.refusal = error }
    runOut()
  }

  private func runOut() {
    guard state.withLock({ $0.linger == nil }) else { return }
    let linger = timers.schedule(after: .seconds(1)) { [outcome] in outcome.cancelWork() }
    state.withLock { $0.linger = linger }
  }

  package func received(_ response: NetworkResponse) {
    request.responded?(response)
    if let refusal = state.withLock({ $0.refusal }) { return failAndRunOut(refusal) }
    guard (200..<300).contains(response.status) else {
      let isShort = response.expectedLength.map { $0 <= Self.shortPage } ?? false
      return isShort ? failAndRunOut(.badStatus(response.status)) : fail(.badStatus(response.status))
    }
    if let length = response.expectedLength, length > request.limits.maximumBytes { return fail(.tooLarge) }
    state.withLock { $0.response = response }
  }

  package func received(_ bytes: Data) {
    guard outcome.isOpen else { return }
    let total = state.withLock { state in
      state.received += bytes.count
      if state.received <= request.limits.maximumBytes { state.body.append(bytes) }
      return state.received
    }
    advance(to: total)
  }

  package func progressed(_ received: Int) {
    state.withLock { $0.received = received }
    if outcome.isOpen { advance(to: received) }
  }

  private func advance(to total: Int) {
    guard total <= request.limits.maximumBytes else { return fail(.tooLarge) }
    request.progress?(total, state.withLock { $0.response?.expectedLength })
  }

  package func downloaded(_ file: DownloadedFile) {
    defer { file.remove() }
    guard outcome.isOpen else { return }
    guard let bytes = try? file.read() else { return fail(.transport(.unreadableFile)) }
    guard bytes.count <= request.limits.maximumBytes else { return fail(.tooLarge) }
    state.withLock { $0.body = bytes }
  }

  package func shouldFollow(_ target: URL, status: Int) -> Bool {
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
    } else if count > Self.maximumRedirects {
      refuse(.transport(.tooManyRedirects))
    } else {
      return true
    }
    return false
  }

  package func challenged(status: Int) { refuse(.badStatus(status)) }

  package func finished(_ error: NetworkError?) {
    outcome.endWork()
    let last = state.withLock { state in
      defer { state = State() }
      return state
    }
    last.linger?.cancel()
    if let refusal = last.refusal {
      outcome.complete(.failure(refusal))
    } else if let error {
      settle(last, after: error)
    } else if last.response == nil {
      // Foundation on Linux can lose the head of a response. Without a status, the body may be an error page.
      outcome.complete(.failure(NetworkError.unusableAnswer.asFetchError))
    } else {
      outcome.complete(.success(last.fetched))
    }
  }

  private func settle(_ last: State, after error: NetworkError) {
    let failure: FetchError =
      switch error {
      // After a close, libcurl's message is not that of the first failure. An encoded body whose decoder delivered
      // nothing counts as undecodable.
      case .packed,
        .cutShort where last.received == 0 && last.response?.encoding != nil:
        .undecodable(encoding: last.response?.encoding)
      // Foundation reports only "unknown" if a body ends before its announced length. In that case a download has
      // received bytes, but no response.
      case .cutShort where last.response != nil || last.received > 0: .truncated
      default: error.asFetchError
      }
    // Without a response, the status is unknown.
    guard last.response != nil, !last.body.isEmpty else { return outcome.complete(.failure(failure)) }
    let judge = { @Sendable [outcome] in
      let isWhole = (try? Picture(validating: last.body, isCutPossible: true)) != nil
      outcome.complete(isWhole ? .success(last.fetched) : .failure(failure))
    }
    // Validation takes time proportional to the number of bytes, and would block the network's queue.
    if last.body.count <= SharedRequests.smallBody { judge() } else { timers.schedule(judge) }
  }
}
