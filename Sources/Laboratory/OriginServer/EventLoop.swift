import Dispatch
import Foundation
import HTTPWire

/// A serial queue that serves some of the connections.
///
/// `Sendable` is unchecked, because the state is confined to the queue.
final class EventLoop: @unchecked Sendable {
  let queue: DispatchQueue
  let core: ServerCore
  /// One read buffer, which all connections share.
  let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

  let open: DispatchGroup
  private var connections: [ObjectIdentifier: Connection] = [:]
  private var isStopped = false

  init(number: Int, core: ServerCore, open: DispatchGroup) {
    queue = DispatchQueue(label: "origin.\(number)")
    self.core = core
    self.open = open
  }

  deinit { scratch.deallocate() }

  /// Takes over a new connection, which enters the group.
  func add(_ descriptor: Int32) {
    open.enter()
    queue.async { [self] in
      core.connectionOpened()
      let socket = ConnectionSocket(descriptor, queue: queue) { [core, open] in
        core.connectionClosed()
        open.leave()
      }
      let connection = Connection(socket, loop: self)
      let isFull = core.policy.connections.map { connections.count >= $0 } == true && !removeSlowest()
      connections[ObjectIdentifier(connection)] = connection
      if isStopped || isFull { connection.close() } else { connection.start() }
    }
  }

  /// Closes the connection that has waited for its client for the longest time. Returns false if no connection waits.
  private func removeSlowest() -> Bool {
    let waiting = connections.values.compactMap { connection in
      connection.awaitsClientSince.map { (connection, $0) }
    }
    guard let slowest = waiting.min(by: { $0.1 < $1.1 })?.0 else { return false }
    slowest.close()
    return true
  }

  func forget(_ connection: Connection) { connections[ObjectIdentifier(connection)] = nil }

  /// Closes the connections of clients that exceed a time limit.
  func endLateConnections() {
    // Read the clock here, not in the block. A client is not late if its bytes are still waiting in this busy queue.
    let now = ContinuousClock.now
    queue.async { [self] in
      for connection in Array(connections.values) { connection.endIfLate(now) }
    }
  }

  func stop() {
    queue.async { [self] in
      isStopped = true
      for connection in Array(connections.values) { connection.close() }
    }
  }
}
