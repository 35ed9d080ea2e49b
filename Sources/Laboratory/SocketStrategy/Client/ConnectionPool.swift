import EventBus
import FetcherModel

/// The connections to one endpoint, up to a limit. The pool is confined to its loader's queue.
///
/// A task that has a permit takes an idle connection, or opens a new one if none is idle. The number of connections
/// therefore never exceeds the number of permits.
///
/// `Sendable` is unchecked, because the state is confined to the loader's queue.
final class ConnectionPool: @unchecked Sendable {
  private let permits: Limiter
  private var idle: [SocketConnection] = []
  private var tasks = 0

  init(permits: Int) { self.permits = Limiter(permits) }

  /// Whether the pool has no idle connections and no tasks.
  var isUnused: Bool { tasks == 0 && idle.isEmpty }

  /// Returns the most recently used idle connection, because it is the most likely to still be open.
  func takeIdle() -> SocketConnection? { idle.popLast() }

  func keep(_ connection: SocketConnection) { idle.append(connection) }

  func forget(_ connection: SocketConnection) { idle.removeAll { $0 === connection } }

  /// Calls `entry` when a permit is free, possibly synchronously. Each task must release its permit exactly once, after
  /// `entry` has returned.
  fileprivate func acquire(_ entry: @escaping @Sendable () -> Void) -> any Cancellation {
    tasks += 1
    return permits.acquire(entry)
  }

  fileprivate func release(isTaken: Bool, _ wait: any Cancellation) {
    tasks -= 1
    if isTaken { permits.release() } else { wait.cancel() }
  }

  /// A task's permit, or its wait for one.
  final class Permit: @unchecked Sendable {
    let endpoint: Endpoint
    private let pool: ConnectionPool
    private var wait: (any Cancellation)?
    private var isTaken = false

    init(_ pool: ConnectionPool, at endpoint: Endpoint) {
      self.pool = pool
      self.endpoint = endpoint
    }

    func acquire(_ entry: @escaping @Sendable () -> Void) {
      wait = pool.acquire { [self] in
        isTaken = true
        entry()
      }
    }

    func release() {
      guard let wait = wait.take() else { return }
      pool.release(isTaken: isTaken, wait)
    }
  }
}
