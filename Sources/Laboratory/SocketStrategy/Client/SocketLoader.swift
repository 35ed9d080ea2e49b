import Dispatch
import EventBus
package import FetcherModel
import Foundation
import HTTPWire

/// An HTTP/1.1 client that uses non-blocking sockets on one serial queue. The client supports only plain http.
///
/// Connections are kept open and reused. While no bytes arrive, no code runs. An open connection is always watched for
/// reading, but for writing only while bytes are waiting to be sent.
///
/// `Sendable` is unchecked, because the state is confined to the queue.
package final class SocketLoader: SocketTasks, @unchecked Sendable {
  /// The shared loader of this process.
  package static let shared = SocketLoader()

  let queue = DispatchQueue(label: "fetcher.socket", qos: .userInitiated)
  let lookup: HostLookup
  /// The read buffer, which all connections share.
  let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
  let attemptDelay: Duration
  private let maximumConnections: Int
  private let idleTime: Duration
  private let timer: any DispatchSourceTimer
  /// The time at which the timer fires, or nil if it is not set.
  private var wake: ContinuousClock.Instant?
  private var pools: [Endpoint: ConnectionPool] = [:]
  /// All connections that are open or being opened.
  private var connections: [ObjectIdentifier: SocketConnection] = [:]
  /// The connections that have more to read, by server. The queue contains one read for each server, however many
  /// connections it has.
  private var reads: [Endpoint: [SocketConnection]] = [:]

  /// - Parameters:
  ///   - maximumConnections: the maximum number of connections to one host and port. Further requests wait.
  ///   - idleTime: the maximum time that a connection may stay idle.
  ///   - attemptDelay: the time to wait for a silent address before trying the next one.
  ///   - resolve: the name resolver.
  init(
    maximumConnections: Int = 6, idleTime: Duration = .seconds(30), attemptDelay: Duration = .milliseconds(250),
    resolve: @escaping HostLookup.Resolver = { SocketAddress.all(of: $0, port: $1, isNumber: false) }
  ) {
    self.maximumConnections = maximumConnections
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
    // No tasks are left, because each task retains the loader. The remaining connections are idle.
    queue.async { [connections] in for connection in connections.values { connection.abandon() } }
    scratch.deallocate()
  }

  /// Starts an exchange. Calls `delegate` on the loader's queue, and never synchronously.
  package func socketTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    let task = SocketTask(request, delegate, self)
    queue.async { task.start() }
    return task
  }

  // MARK: For tasks

  func permit(at endpoint: Endpoint) -> ConnectionPool.Permit { ConnectionPool.Permit(pool(endpoint), at: endpoint) }

  func leave(_ permit: ConnectionPool.Permit) {
    permit.release()
    tidy(permit.endpoint)
  }

  /// Returns an idle connection, or a new one that still has to be opened.
  func connection(to endpoint: Endpoint) -> SocketConnection {
    while let resting = pool(endpoint).takeIdle() {
      if resting.isReusable() { return resting }
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
    let pool = ConnectionPool(permits: maximumConnections)
    pools[endpoint] = pool
    return pool
  }

  private func tidy(_ endpoint: Endpoint) {
    if pools[endpoint]?.isUnused == true { pools[endpoint] = nil }
  }

  // MARK: For connections

  /// Keeps a connection idle for the next request.
  func keep(_ connection: SocketConnection) {
    let deadline = ContinuousClock.now + idleTime
    connection.rest(until: deadline)
    watch(deadline)
    pool(connection.endpoint).keep(connection)
  }

  /// Removes a closed connection.
  func forget(_ connection: SocketConnection) {
    connections[ObjectIdentifier(connection)] = nil
    pools[connection.endpoint]?.forget(connection)
    tidy(connection.endpoint)
  }

  /// Lets a connection read after all work that is in the queue. Connections to the same server read one at a time, in
  /// order of these calls.
  func queueRead(of connection: SocketConnection) {
    let endpoint = connection.endpoint
    let isFirst = reads[endpoint] == nil
    reads[endpoint, default: []].append(connection)
    if isFirst { queueRead(at: endpoint) }
  }

  private func queueRead(at endpoint: Endpoint) {
    queue.async { [weak self] in
      guard let self, let connection = reads[endpoint]?.first else { return }
      connection.takeTurn()
      reads[endpoint]?.removeFirst()
      if reads[endpoint]?.isEmpty == true { reads[endpoint] = nil } else { queueRead(at: endpoint) }
    }
  }

  /// Sets the timer to check the connections at `deadline` or earlier.
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
