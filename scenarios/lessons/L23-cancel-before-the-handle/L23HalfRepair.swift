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
    guard !Task.isCancelled else { return nil }
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
  private let request = Mutex<TaskLoader.Cancel?>(nil)

  func store(_ cancel: @escaping TaskLoader.Cancel) {
    request.withLock { $0 = cancel }
  }

  func cancel() {
    request.withLock { $0 }?()
  }
}
