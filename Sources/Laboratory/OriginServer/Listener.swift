import Dispatch
import Foundation
import HTTPWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Accepts connections and distributes them over the event loops.
///
/// `Sendable` is unchecked, because Dispatch does not declare its sources `Sendable`. The other properties are constant
/// or confined to the queue.
final class Listener: @unchecked Sendable {
  private let queue = DispatchQueue(label: "origin.accept")
  private let timeoutTimer: any DispatchSourceTimer
  private var socket: ListeningSocket
  /// The event source for new connections, and the group that the listening socket leaves when it closes. Nil while
  /// connections are refused.
  private var accepting: (source: any DispatchSourceRead, closed: DispatchGroup)?
  private var isStopped = false
  private let loops: [EventLoop]
  /// A group that contains all open sockets: the listening socket and each connection.
  private let open = DispatchGroup()
  private var next = 0

  /// - Parameter other: a listener whose event loops also serve the connections of this one.
  init(socket: ListeningSocket, core: ServerCore, sharing other: Listener? = nil) {
    let open = open
    // A limit on the number of connections needs a single loop, which knows all of them.
    let count = core.policy.connections != nil ? 1 : min(4, max(2, ProcessInfo.processInfo.activeProcessorCount))
    loops = other?.loops ?? (0..<count).map { EventLoop(number: $0, core: core, open: open) }
    // One timer serves all connections. Create the timer before the connections can use up the descriptors, because all
    // Dispatch timers share the first timer's descriptor.
    timeoutTimer = DispatchSource.makeTimerSource(queue: queue)
    self.socket = socket
    let interval = max(.milliseconds(10), min(.seconds(1), min(core.policy.headTimeout, core.policy.idleTimeout) / 4))
    timeoutTimer.schedule(deadline: .now() + interval.dispatchInterval, repeating: interval.dispatchInterval)
    timeoutTimer.setEventHandler { [loops] in for loop in loops { loop.endLateConnections() } }
    timeoutTimer.activate()

    queue.sync { accept() }
  }

  /// Closes all sockets and waits until they are closed.
  func stop() {
    queue.sync {
      guard !isStopped else { return }
      isStopped = true
      if let accepting { accepting.source.cancel() } else { System.closeDescriptor(socket.descriptor) }
    }
    timeoutTimer.cancel()
    for loop in loops { loop.stop() }
    open.wait()
  }

  /// Refuses connections, or accepts them again. The change is complete when this method returns. Open connections stay
  /// open. On Linux, the port remains in use.
  ///
  /// - Throws: an error if the system cannot provide another socket, or if this socket cannot listen. In that case,
  ///   nothing changes.
  func setRefusing(_ isRefusing: Bool) throws(OriginError) {
    let result = queue.sync { () -> Result<DispatchGroup?, OriginError> in
      guard !isStopped, isRefusing == (accepting != nil) else { return .success(nil) }
      return Result { () throws(OriginError) in
        if isRefusing { return try refuse() }
        socket = try socket.listening()
        accept()
        return nil
      }
    }
    try result.get()?.wait()
  }

  /// - Returns: a group that is left when the socket no longer listens.
  private func refuse() throws(OriginError) -> DispatchGroup? {
    // A client that is already connected gets a response.
    acceptAll()
    let successor = try socket.successor()
    let closed = accepting?.closed
    accepting?.source.cancel()
    (accepting, socket) = (nil, successor)
    return closed
  }

  /// Accepts connections from the listening socket.
  private func accept() {
    let descriptor = socket.descriptor
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    let closed = DispatchGroup()
    closed.enter()
    open.enter()
    source.setEventHandler { [weak self] in self?.acceptAll() }
    source.setCancelHandler { [open] in
      System.closeListener(descriptor)
      closed.leave()
      open.leave()
    }
    source.activate()
    accepting = (source, closed)
  }

  private func acceptAll() {
    // The number of clients per event is limited, so a flood of clients does not delay stopping the server.
    for _ in 0..<1024 {
      if let connection = System.acceptConnection(socket.descriptor) {
        loops[next].add(connection)
        next = (next + 1) % loops.count
        continue
      }
      switch System.error {
      case EINTR, ECONNABORTED: continue
      case EAGAIN: return
      default:
        // Sleep, because while no descriptor is free, the waiting connection triggers the event again immediately. A
        // timer cannot replace the sleep: on Linux, Dispatch needs a descriptor for its first timer.
        usleep(20_000)
        return
      }
    }
  }
}
