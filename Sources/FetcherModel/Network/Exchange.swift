import Dispatch
import EventBus
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One running task of a session. Cancels it at most once and never after its end: Foundation can crash on either.
final class Exchange: Cancellation {
  private struct State {
    var task: URLSessionTask?
    /// Foundation waits for an answer to a question about the task.
    var isAsked = false
    var isCancelWanted = false

    mutating func takeTask() -> URLSessionTask? {
      defer { task = nil }
      return task
    }
  }
  /// Foundation blocks the caller of a cancel until its work queue has time, and all sessions share that queue.
  private static let cancels = DispatchQueue(label: "fetcher.cancels", qos: .userInitiated)
  private let state: Locked<State>
  private let hasResponse = Atomic(false)
  let delegate: any NetworkTaskDelegate

  init(_ task: URLSessionTask, _ delegate: any NetworkTaskDelegate) {
    state = Locked(State(task: task))
    self.delegate = delegate
  }

  func cancel() {
    let isOpen = state.withLock { state in
      defer { state.isCancelWanted = true }
      return state.task != nil && !state.isCancelWanted
    }
    guard isOpen else { return }
    Self.cancels.async { [self] in state.withLock { $0.isAsked ? nil : $0.takeTask() }?.cancel() }
  }

  /// Gives Foundation its answer, unless the task is cancelled. A cancel that comes meanwhile waits.
  ///
  /// Foundation traps on an answer about a task that was cancelled after the question.
  func answer(_ answer: () -> Void) {
    let isOpen = state.withLock { state in
      state.isAsked = state.task != nil
      return state.isAsked
    }
    guard isOpen else { return }
    answer()
    let task = state.withLock { state -> URLSessionTask? in
      state.isAsked = false
      return state.isCancelWanted ? state.takeTask() : nil
    }
    task?.cancel()
  }

  /// Releases the task, which has ended and must not be cancelled.
  func close() { withExtendedLifetime(state.withLock { $0.takeTask() }) {} }

  /// Reports the head once. A download task has no callback for it, so every later callback tries.
  func announce(_ response: URLResponse?) {
    guard let response = response as? HTTPURLResponse, let url = response.url,
      !hasResponse.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    // Foundation unpacks a packed body, and announces the length of the package.
    let isPacked = response.value(forHTTPHeaderField: "Content-Encoding").map { $0 != "identity" } ?? false
    let length = isPacked ? -1 : response.expectedContentLength
    delegate.received(
      NetworkResponse(
        url: url, status: response.statusCode, expectedLength: length >= 0 ? Int(length) : nil,
        contentType: response.value(forHTTPHeaderField: "Content-Type"),
        headers: response.allHeaderFields.map { (name: "\($0.key)", value: "\($0.value)") }
          .sorted { $0.name < $1.name }))
  }
}
