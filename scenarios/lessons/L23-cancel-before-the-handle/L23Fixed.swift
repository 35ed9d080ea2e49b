import Synchronization

/// Loads pictures for tasks. Cancelling a task ends its request.
final class TaskLoader: Sendable {
  typealias Cancel = @Sendable () -> Void
  typealias Completion = @Sendable (String?) -> Void

  /// Starts a request, and returns a closure that cancels it.
  private let start: @Sendable (String, @escaping Completion) -> Cancel

  init(
    start: @escaping @Sendable (String, @escaping Completion) -> Cancel
  ) {
    self.start = start
  }

  func picture(_ name: String) async -> String? {
    let handle = RequestHandle()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Task {
          let cancel = start(name) { continuation.resume(returning: $0) }
          handle.store(cancel)
        }
      }
    } onCancel: {
      handle.cancel()
    }
  }
}

/// Holds the request in flight, so that it can be cancelled.
private final class RequestHandle: Sendable {
  private struct State {
    var cancel: TaskLoader.Cancel?
    var isCancelled = false
  }

  private let state = Mutex(State())

  func store(_ cancel: @escaping TaskLoader.Cancel) {
    let isTooLate = state.withLock { state in
      state.cancel = cancel
      return state.isCancelled
    }
    if isTooLate { cancel() }
  }

  func cancel() {
    let cancel = state.withLock { state in
      state.isCancelled = true
      return state.cancel
    }
    cancel?()
  }
}
