import EventBus
import Foundation

/// One exchange with the network, from the start of its task to its one completion.
///
/// Rules that all delegate-based strategies share live here: the status decides before the body, redirects keep the
/// policy, the size limit holds while streaming, and the task is cancelled at most once and never after its end.
final class Transfer: NetworkTaskDelegate, Cancellation {
  typealias Completion = @Sendable (Result<FetchedBody, FetchError>) -> Void

  private enum Work {
    /// Not started yet, or started and not yet known here.
    case idle
    case running(any Cancellation)
    /// Called off before the task was known: it is cancelled as soon as it is.
    case cancelledEarly
    case finished
  }

  private struct State {
    var task = Work.idle
    var completion: Completion?
    /// What the end of the task will mean, decided before it. The task runs out by itself: that keeps the connection,
    /// and cancelling it in that moment can crash Foundation.
    var verdict: FetchError?
    var body = Data()
    var received = 0
    var redirects = 0
    var response: NetworkResponse?

    /// Whether bytes still matter.
    var isOpen: Bool { completion != nil && verdict == nil }
  }

  // URLSession on Linux follows a loop for ever.
  private static let mostRedirects = 16
  private static let shortPage = 64 << 10
  private let request: FetchRequest
  private let followsRedirects: Bool
  private let state = Locked(State())

  /// - Parameter followsRedirects: not for a request with a body: Foundation on Linux sends what follows without it.
  init(_ request: FetchRequest, followsRedirects: Bool = true) {
    self.request = request
    self.followsRedirects = followsRedirects
  }

  /// Starts the task that `open` makes. Once. After an early cancel nothing is started.
  func start(_ completion: @escaping Completion, open: (any NetworkTaskDelegate) -> any Cancellation) {
    let isCancelled = state.withLock { state in
      guard case .idle = state.task else { return true }
      state.completion = completion
      return false
    }
    if isCancelled { return completion(.failure(.cancelled)) }
    let task = open(self)
    let unwanted = state.withLock { state -> Bool in
      switch state.task {
      case .idle:
        state.task = .running(task)
        return false
      case .cancelledEarly:
        state.task = .finished
        return true
      case .running, .finished:
        return false
      }
    }
    if unwanted { task.cancel() }
  }

  func cancel() { end(.failure(.cancelled)) }

  /// The fetch has failed, and the task is about to end by itself. A cancel or a deadline may still come first.
  private func runOut(_ error: FetchError) {
    state.withLock { state in
      state.verdict = state.verdict ?? error
      state.body = Data()
    }
  }

  /// Completes, if that has not happened, and calls off the task, if that still runs.
  private func end(_ result: Result<FetchedBody, FetchError>) {
    let (completion, task) = state.withLock { state -> (Completion?, (any Cancellation)?) in
      let completion = state.completion
      state.completion = nil
      state.body = Data()
      switch state.task {
      case .idle:
        state.task = .cancelledEarly
        return (completion, nil)
      case .running(let task):
        state.task = .finished
        return (completion, task)
      case .cancelledEarly, .finished:
        return (completion, nil)
      }
    }
    task?.cancel()
    completion?(result)
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
    let total = state.withLock { state -> Int? in
      guard state.isOpen else { return nil }
      state.received += bytes.count
      if state.received <= request.limits.maximumBytes { state.body.append(bytes) }
      return state.received
    }
    if let total { advance(to: total) }
  }

  func progressed(_ received: Int) {
    let isOpen = state.withLock { state in
      state.received = received
      return state.isOpen
    }
    if isOpen { advance(to: received) }
  }

  private func advance(to total: Int) {
    guard total <= request.limits.maximumBytes else { return end(.failure(.tooLarge)) }
    request.progress?(total, state.withLock { $0.response?.expectedLength })
  }

  func downloaded(_ file: DownloadedFile) {
    defer { file.remove() }
    guard state.withLock({ $0.isOpen }) else { return }
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
    let last = state.withLock { state in
      defer {
        state.task = .finished
        state.body = Data()
      }
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
