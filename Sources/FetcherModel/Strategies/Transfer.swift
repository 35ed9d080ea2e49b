import EventBus
import Foundation

/// One exchange with the network, from the start of its task to its one completion.
///
/// Rules that all delegate-based strategies share live here: the status decides before the body, redirects keep the
/// policy, the size limit holds while streaming, and the task is cancelled at most once and never after its end.
final class Transfer: NetworkTaskDelegate, Cancellation {
  typealias Completion = @Sendable (Result<FetchedBody, FetchError>) -> Void

  private struct State {
    /// What the end of the task will mean, decided before it. The task runs out by itself: that keeps the connection,
    /// and cancelling it in that moment can crash Foundation.
    var verdict: FetchError?
    var body = Data()
    var received = 0
    var redirects = 0
    var response: NetworkResponse?
  }

  // URLSession on Linux follows a loop for ever.
  private static let mostRedirects = 16
  private static let shortPage = 64 << 10
  private let request: FetchRequest
  private let followsRedirects: Bool
  private let outcome = OneShot<Result<FetchedBody, FetchError>>(cancelled: .failure(.cancelled))
  private let state = Locked(State())

  /// - Parameter followsRedirects: not for a request with a body: Foundation on Linux sends what follows without it.
  init(_ request: FetchRequest, followsRedirects: Bool = true) {
    self.request = request
    self.followsRedirects = followsRedirects
  }

  /// Starts the task that `open` makes. Once. After an early cancel nothing is started.
  func start(_ completion: @escaping Completion, open: (any NetworkTaskDelegate) -> any Cancellation) {
    if outcome.start(completion) { outcome.hold(open(self)) }
  }

  func cancel() {
    outcome.cancel()
    state.withLock { $0.body = Data() }
  }

  /// Whether bytes still matter.
  private var isOpen: Bool { outcome.isOpen && state.withLock { $0.verdict } == nil }

  /// The fetch has failed, and the task is about to end by itself. A cancel or a deadline may still come first.
  private func runOut(_ error: FetchError) {
    state.withLock { state in
      state.verdict = state.verdict ?? error
      state.body = Data()
    }
  }

  /// Completes, if that has not happened, and calls off the task, if that still runs.
  private func end(_ result: Result<FetchedBody, FetchError>) {
    outcome.complete(result)
    state.withLock { $0.body = Data() }
  }

  func received(_ response: NetworkResponse) {
    // A data task is shown an early head in place of the one that follows it: what the server says in the end is unknown.
    guard !(100..<200).contains(response.status) || response.status == 101 else { return }
    request.responded?(response)
    // Of a redirect that was not followed the page comes after the verdict.
    let verdict = state.withLock { $0.verdict }
    guard verdict == nil, (200..<300).contains(response.status) else {
      let error = verdict ?? .badStatus(response.status)
      let isShort = response.expectedLength.map { $0 <= Self.shortPage } ?? false
      return isShort ? runOut(error) : end(.failure(error))
    }
    if let length = response.expectedLength, length > request.limits.maximumBytes {
      return end(.failure(.tooLarge))
    }
    state.withLock { $0.response = response }
  }

  func received(_ bytes: Data) {
    guard isOpen else { return }
    let total = state.withLock { state in
      state.received += bytes.count
      if state.received <= request.limits.maximumBytes { state.body.append(bytes) }
      return state.received
    }
    advance(to: total)
  }

  func progressed(_ received: Int) {
    state.withLock { $0.received = received }
    if isOpen { advance(to: received) }
  }

  private func advance(to total: Int) {
    guard total <= request.limits.maximumBytes else { return end(.failure(.tooLarge)) }
    request.progress?(total, state.withLock { $0.response?.expectedLength })
  }

  func downloaded(_ file: DownloadedFile) {
    defer { file.remove() }
    guard isOpen else { return }
    guard let bytes = try? file.read() else { return end(.failure(.transport(-3001))) }
    guard bytes.count <= request.limits.maximumBytes else { return end(.failure(.tooLarge)) }
    state.withLock { $0.body = bytes }
  }

  func shouldFollow(_ target: URL, status: Int) -> Bool {
    guard followsRedirects else {
      runOut(.badStatus(status))
      return false
    }
    do {
      try request.policy.check(target)
    } catch {
      runOut(.blockedByTransportPolicy)
      return false
    }
    let count = state.withLock { state in
      state.redirects += 1
      return state.redirects
    }
    guard count <= Self.mostRedirects else {
      runOut(.transport(-1007))
      return false
    }
    return true
  }

  func challenged(status: Int) { runOut(.badStatus(status)) }

  func finished(_ error: NetworkError?) {
    outcome.workEnded()
    let last = state.withLock { state in
      defer { state.body = Data() }
      return state
    }
    if let verdict = last.verdict {
      end(.failure(verdict))
    } else if let error {
      // Foundation says no more than "unknown" when a body stops before its announced length; a download does not
      // even have its response then, only bytes.
      let isCutShort = error.code == -1 && (last.response != nil || last.received > 0)
      end(.failure(isCutShort ? .truncated : error.asFetchError))
    } else {
      let response = last.response
      end(.success(FetchedBody(bytes: last.body, status: response?.status, contentType: response?.contentType)))
    }
  }
}
