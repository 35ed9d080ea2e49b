package import EventBus
package import FetcherModel
package import Foundation
package import SocketStrategy

/// A delegate that records the calls of its task.
package final class TaskListener: NetworkTaskDelegate {
  /// The outcome of a task, and the response that preceded it.
  package struct Ending: Sendable {
    /// The statuses of all response heads. More than one is an error.
    package var statuses: [Int] = []
    package var status: Int? { statuses.last }
    package var body = Data()
    /// The number of calls that delivered the body.
    package var pieces = 0
    package var error: NetworkError?
  }

  private struct State {
    var ending = Ending()
    var count = 0
    var handle: (any Cancellation)?
    var isCancelled = false
    var waiter: CheckedContinuation<Ending, Never>?
  }
  private let state = Locked(State())
  /// The action to run at each redirect, before the task follows it.
  private let atRedirect: @Sendable (TaskListener) -> Void

  package init(atRedirect: @escaping @Sendable (TaskListener) -> Void = { _ in }) { self.atRedirect = atRedirect }

  /// The number of times that the task has reported its end.
  package var count: Int { state.withLock { $0.count } }

  /// The number of body bytes that have arrived.
  package var received: Int { state.withLock { $0.ending.body.count } }

  package static func load(_ request: NetworkRequest, _ loader: SocketLoader) async -> Ending {
    let listener = TaskListener()
    listener.start(request, loader)
    return await listener.ending()
  }

  package func start(_ request: NetworkRequest, _ loader: SocketLoader) {
    start { loader.socketTask(request, delegate: $0) }
  }

  package func start(_ open: (any NetworkTaskDelegate) -> any Cancellation) {
    let handle = open(self)
    let isCancelled = state.withLock { state in
      // After the end, a stored handle would form a retain cycle with this listener.
      if state.count == 0 { state.handle = handle }
      return state.isCancelled
    }
    if isCancelled { handle.cancel() }
  }

  package func cancel() {
    let handle = state.withLock { state in
      state.isCancelled = true
      return state.handle
    }
    handle?.cancel()
  }

  package func ending() async -> Ending {
    await withCheckedContinuation { continuation in
      let ending = state.withLock { state -> Ending? in
        if state.count == 0 { state.waiter = continuation }
        return state.count > 0 ? state.ending : nil
      }
      if let ending { continuation.resume(returning: ending) }
    }
  }

  package func received(_ response: NetworkResponse) { state.withLock { $0.ending.statuses.append(response.status) } }
  package func received(_ bytes: Data) {
    state.withLock { state in
      state.ending.body += bytes
      state.ending.pieces += 1
    }
  }
  package func progressed(_ received: Int) {}

  package func downloaded(_ file: DownloadedFile) {
    let bytes = try? file.read()
    file.remove()
    state.withLock { $0.ending.body += bytes ?? Data() }
  }

  package func shouldFollow(_ target: URL, status: Int) -> Bool {
    atRedirect(self)
    return true
  }

  package func challenged(status: Int) {}

  package func finished(_ error: NetworkError?) {
    let (waiter, ending) = state.withLock { state in
      state.count += 1
      state.ending.error = error
      state.handle = nil
      defer { state.waiter = nil }
      return (state.waiter, state.ending)
    }
    waiter?.resume(returning: ending)
  }
}
