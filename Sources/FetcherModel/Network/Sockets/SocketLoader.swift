import Dispatch
import EventBus
import Foundation
import HTTPWire

/// HTTP/1.1 over sockets that do not block, on one serial queue. Plain http only.
///
/// Connections are kept and used again. While nothing comes, nothing runs: an open connection is watched for what there is to
/// read, and for room to send only as long as there is something to be sent.
///
/// Unchecked because its state is confined to its queue.
final class SocketLoader: @unchecked Sendable {
  /// The loader of the process.
  static let shared = SocketLoader()

  let queue = DispatchQueue(label: "fetcher.socket", qos: .userInitiated)
  let lookup: HostLookup
  /// One buffer for whatever connection is being read.
  let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
  let attemptDelay: Duration
  private let mostConnections: Int
  private let idleTime: Duration
  private let timer: any DispatchSourceTimer
  /// When the timer comes, if it is set.
  private var wake: ContinuousClock.Instant?
  private var pools: [Endpoint: ConnectionPool] = [:]
  /// All that are open or being opened.
  private var connections: [ObjectIdentifier: SocketConnection] = [:]

  /// - Parameters:
  ///   - mostConnections: how many connections there are at once to one host and port; further requests wait.
  ///   - idleTime: how long a connection is kept without a request.
  ///   - attemptDelay: how long one address may be silent before the next is tried as well.
  ///   - resolve: how names are looked up.
  init(
    mostConnections: Int = 6, idleTime: Duration = .seconds(30), attemptDelay: Duration = .milliseconds(250),
    resolve: @escaping HostLookup.Resolver = { SocketAddress.all(of: $0, port: $1, isNumber: false) }
  ) {
    self.mostConnections = mostConnections
    self.idleTime = idleTime
    self.attemptDelay = attemptDelay
    lookup = HostLookup(on: queue, resolve: resolve)
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .distantFuture)
    timer.setEventHandler { [weak self] in self?.timeIsUp() }
    timer.activate()
  }

  deinit {
    timer.cancel()
    // No task is left, or it would keep the loader: these rest.
    queue.async { [connections] in for connection in connections.values { connection.abandon() } }
    scratch.deallocate()
  }

  /// Starts an exchange. Its delegate is called on the queue of the loader, never inside this call.
  func task(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    let task = SocketTask(request, delegate, self)
    queue.async { task.start() }
    return task
  }

  // MARK: For tasks

  func permit(at endpoint: Endpoint) -> ConnectionPool.Permit { ConnectionPool.Permit(pool(endpoint), at: endpoint) }

  func leave(_ permit: ConnectionPool.Permit) {
    permit.leave()
    tidy(permit.endpoint)
  }

  /// A connection that rests, or a new one that is to be opened.
  func connection(to endpoint: Endpoint) -> SocketConnection {
    while let resting = pool(endpoint).takeIdle() {
      if resting.stillRests() { return resting }
    }
    return newConnection(to: endpoint)
  }

  func newConnection(to endpoint: Endpoint) -> SocketConnection {
    let connection = SocketConnection(to: endpoint, self)
    connections[ObjectIdentifier(connection)] = connection
    return connection
  }

  private func pool(_ endpoint: Endpoint) -> ConnectionPool {
    if let pool = pools[endpoint] { return pool }
    let pool = ConnectionPool(permits: mostConnections)
    pools[endpoint] = pool
    return pool
  }

  private func tidy(_ endpoint: Endpoint) {
    if pools[endpoint]?.isUnused == true { pools[endpoint] = nil }
  }

  // MARK: For connections

  /// Lets a connection rest until the next request.
  func keep(_ connection: SocketConnection) {
    let deadline = ContinuousClock.now + idleTime
    connection.rest(until: deadline)
    watch(deadline)
    pool(connection.endpoint).keep(connection)
  }

  /// The connection is closed.
  func forget(_ connection: SocketConnection) {
    connections[ObjectIdentifier(connection)] = nil
    pools[connection.endpoint]?.forget(connection)
    tidy(connection.endpoint)
  }

  /// Looks at the connections at that time, at the latest.
  func watch(_ deadline: ContinuousClock.Instant) {
    guard wake.map({ deadline < $0 }) ?? true else { return }
    wake = deadline
    timer.schedule(deadline: .now() + (deadline - .now).dispatchInterval)
  }

  private func timeIsUp() {
    wake = nil
    let now = ContinuousClock.now
    for connection in Array(connections.values) { connection.timeIsUp(now) }
    if let next = connections.values.compactMap(\.wake).min() { watch(next) }
  }
}
