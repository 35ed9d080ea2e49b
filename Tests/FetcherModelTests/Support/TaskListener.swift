import EventBus
import Foundation

@testable import FetcherModel

/// Keeps what a task reports.
final class TaskListener: NetworkTaskDelegate {
  /// How a task ended, and what came before.
  struct Ending: Sendable {
    /// The statuses of all heads: more than one would be a mistake.
    var statuses: [Int] = []
    var status: Int? { statuses.last }
    var body = Data()
    /// The number of calls that brought the body.
    var pieces = 0
    var error: NetworkError?
  }

  private struct State {
    var ending = Ending()
    var count = 0
    var handle: (any Cancellation)?
    var isCancelled = false
    var waiter: CheckedContinuation<Ending, Never>?
  }
  private let state = Locked(State())
  /// What to do at each redirect, before it is followed.
  private let atRedirect: @Sendable (TaskListener) -> Void

  init(atRedirect: @escaping @Sendable (TaskListener) -> Void = { _ in }) { self.atRedirect = atRedirect }

  /// How often the task has ended.
  var count: Int { state.withLock { $0.count } }

  /// How much of the body has arrived.
  var received: Int { state.withLock { $0.ending.body.count } }

  static func load(_ request: NetworkRequest, _ loader: SocketLoader) async -> Ending {
    let listener = TaskListener()
    listener.start(request, loader)
    return await listener.ending()
  }

  func start(_ request: NetworkRequest, _ loader: SocketLoader) { start { loader.task(request, delegate: $0) } }

  func start(_ open: (any NetworkTaskDelegate) -> any Cancellation) {
    let handle = open(self)
    let isCancelled = state.withLock { state in
      // The two would keep each other.
      if state.count == 0 { state.handle = handle }
      return state.isCancelled
    }
    if isCancelled { handle.cancel() }
  }

  func cancel() {
    let handle = state.withLock { state in
      state.isCancelled = true
      return state.handle
    }
    handle?.cancel()
  }

  func ending() async -> Ending {
    await withCheckedContinuation { continuation in
      let ending = state.withLock { state -> Ending? in
        if state.count == 0 { state.waiter = continuation }
        return state.count > 0 ? state.ending : nil
      }
      if let ending { continuation.resume(returning: ending) }
    }
  }

  func received(_ response: NetworkResponse) { state.withLock { $0.ending.statuses.append(response.status) } }
  func received(_ bytes: Data) {
    state.withLock { state in
      state.ending.body += bytes
      state.ending.pieces += 1
    }
  }
  func progressed(_ received: Int) {}

  func downloaded(_ file: DownloadedFile) {
    let bytes = try? file.read()
    file.remove()
    state.withLock { $0.ending.body += bytes ?? Data() }
  }

  func shouldFollow(_ target: URL, status: Int) -> Bool {
    atRedirect(self)
    return true
  }

  func challenged(status: Int) {}

  func finished(_ error: NetworkError?) {
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
