import EventBus

/// The connections to one endpoint, a few at once. Confined to the queue of its loader.
///
/// A task with a permit takes a connection that rests, or makes one where none does: so there are never more connections than
/// permits.
///
/// Unchecked because of that confinement.
final class ConnectionPool: @unchecked Sendable {
  private let permits: Limiter
  private var idle: [SocketConnection] = []
  private var tasks = 0

  init(permits: Int) { self.permits = Limiter(permits) }

  /// Whether nothing is left of it.
  var isUnused: Bool { tasks == 0 && idle.isEmpty }

  /// The connection that rested last, which is the likeliest to be open still.
  func takeIdle() -> SocketConnection? { idle.popLast() }

  func keep(_ connection: SocketConnection) { idle.append(connection) }

  func forget(_ connection: SocketConnection) { idle.removeAll { $0 === connection } }

  /// Calls `entry` when a permit is free, maybe inside this call. The task leaves once, in the end, and not inside `entry`.
  fileprivate func enter(_ entry: @escaping @Sendable () -> Void) -> any Cancellation {
    tasks += 1
    return permits.enter(entry)
  }

  fileprivate func leave(isTaken: Bool, _ wait: any Cancellation) {
    tasks -= 1
    if isTaken { permits.leave() } else { wait.cancel() }
  }

  /// The permit of a task, or its wait for one.
  final class Permit: @unchecked Sendable {
    let endpoint: Endpoint
    private let pool: ConnectionPool
    private var wait: (any Cancellation)?
    private var isTaken = false

    init(_ pool: ConnectionPool, at endpoint: Endpoint) {
      self.pool = pool
      self.endpoint = endpoint
    }

    func enter(_ entry: @escaping @Sendable () -> Void) {
      wait = pool.enter { [self] in
        isTaken = true
        entry()
      }
    }

    func leave() {
      guard let wait = wait.take() else { return }
      pool.leave(isTaken: isTaken, wait)
    }
  }
}
