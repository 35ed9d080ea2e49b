import Dispatch
public import Foundation

/// An HTTP/1.1 server on the loopback interface, with scripted delays and faults.
///
/// It supports GET, HEAD and POST, keeps connections alive, and responds to pipelined requests in order. No thread
/// waits for a connection: sockets do not block, and a few serial queues share them. Any thread can call every method.
///
/// A client that closes or half-closes while its response is delayed is treated as disconnected. Meanwhile it may send
/// one megabyte of further requests; beyond that, the connection is reset. ``OriginPolicy`` limits the time of clients
/// and the names of this machine.
///
/// If the process has no descriptors left, new connections wait until it has some again.
public final class OriginServer: Sendable {
  /// The port of the server.
  public let port: UInt16

  private let core: ServerCore
  private let listener: Listener

  /// Binds 127.0.0.1 and listens.
  ///
  /// - Parameters:
  ///   - port: The port, or 0 for any free one.
  ///   - content: The content of the server.
  ///   - policy: The limits for clients.
  /// - Throws: `OriginError.portInUse`, or `cannotListen` for anything else.
  public init(port: UInt16 = 0, content: OriginContent, policy: OriginPolicy = OriginPolicy()) throws(OriginError) {
    let socket = try ListeningSocket(port: port)
    let core = ServerCore(content: content, policy: policy)
    self.core = core
    self.port = socket.port
    self.listener = Listener(socket: socket, core: core)
  }

  deinit { stop() }

  /// `http://127.0.0.1:port/`
  public var baseURL: URL { URL(string: "http://127.0.0.1:\(port)/")! }

  /// A snapshot of the counters.
  public var counters: OriginCounters { core.counters }

  /// Serves other content from the next request on. The routes restart with their first responses.
  public func replace(_ content: OriginContent) { core.replace(content) }

  /// Refuses connections as a port without a server does, or accepts them again. Open connections stay open, and the
  /// server keeps the port.
  ///
  /// - Throws: `cannotListen` if the system has no more sockets. Then nothing has changed.
  package func setRefusing(_ isRefusing: Bool) throws(OriginError) { try listener.setRefusing(isRefusing) }

  /// Blocks the calling thread until the counters satisfy a condition, which is checked after every change. Returns
  /// false after ten seconds.
  package func wait(until isWanted: (OriginCounters) -> Bool) -> Bool {
    core.wait(until: .now() + 10, isWanted)
  }

  /// Resets all counters except the number of open connections.
  public func resetCounters() { core.resetCounters() }

  /// Closes the port and all connections in any state, and returns when the last one is closed. A second call has no
  /// effect.
  public func stop() { listener.stop() }
}
