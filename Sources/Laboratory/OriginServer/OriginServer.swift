import Dispatch
public import Foundation

/// An HTTP/1.1 server on the loopback interface, with scripted delays and faults.
///
/// The server supports GET, HEAD and POST, keeps connections alive, and responds to pipelined requests in order. No
/// thread waits for a connection, because the sockets are non-blocking and a few serial queues share them. Every method
/// can be called from any thread.
///
/// A client that closes or half-closes its connection while its response is delayed is treated as disconnected. During
/// the delay, the client may send up to one megabyte of further requests; beyond that, the connection is reset.
/// ``OriginPolicy`` sets the time limits for clients and the accepted host names.
///
/// If the process has no descriptors left, new connections wait until some become available.
public final class OriginServer: Sendable {
  /// The port on which the server listens.
  public let port: UInt16

  private let core: ServerCore
  private let listener: Listener
  /// The listener on [::1], if the server has one.
  private let version6: Listener?

  /// Binds 127.0.0.1 and listens.
  ///
  /// - Parameters:
  ///   - port: The port to listen on, or 0 for any free port.
  ///   - content: The content of the server.
  ///   - policy: The limits for clients.
  /// - Throws: `OriginError.portInUse`, or `cannotListen` for any other failure.
  public convenience init(
    port: UInt16 = 0, content: OriginContent, policy: OriginPolicy = OriginPolicy()
  ) throws(OriginError) {
    try self.init(port, ServerCore(content: content, policy: policy))
  }

  /// Binds 127.0.0.1, and waits before each response until `hold` releases it, instead of for its latency.
  package convenience init(
    policy: OriginPolicy = OriginPolicy(), holding hold: @escaping ResponseHold
  ) throws(OriginError) {
    try self.init(0, ServerCore(content: OriginContent(), policy: policy, hold: hold))
  }

  private init(_ port: UInt16, _ core: ServerCore) throws(OriginError) {
    let socket = try ListeningSocket(port: port)
    self.core = core
    self.port = socket.port
    self.listener = Listener(socket: socket, core: core)
    version6 = nil
  }

  /// Binds 127.0.0.1 and, if the machine has it, [::1], and calls the handler for each request.
  ///
  /// - Throws: `OriginError.portInUse`, or `cannotListen` for any other failure.
  package init(port: UInt16, policy: OriginPolicy, handler: @escaping RequestHandler) throws(OriginError) {
    let socket = try ListeningSocket(port: port)
    let core = ServerCore(content: OriginContent(), policy: policy, handler: handler)
    self.core = core
    self.port = socket.port
    let listener = Listener(socket: socket, core: core)
    self.listener = listener
    version6 = (try? ListeningSocket(port: socket.port, isVersion6: true)).map { [core] in
      Listener(socket: $0, core: core, sharing: listener)
    }
  }

  deinit { stop() }

  /// The server's base URL, `http://127.0.0.1:port/`.
  public var baseURL: URL { URL(string: "http://127.0.0.1:\(port)/")! }

  /// A snapshot of the counters.
  public var counters: OriginCounters { core.counters }

  /// Replaces the content, starting with the next request. Each route starts with its first response again.
  public func replace(_ content: OriginContent) { core.replace(content) }

  /// Refuses connections, like a port without a server, or accepts them again. Open connections stay open, and the
  /// server keeps the port.
  ///
  /// - Throws: `cannotListen` if the system cannot provide another socket. In that case, nothing changes.
  package func setRefusing(_ isRefusing: Bool) throws(OriginError) { try listener.setRefusing(isRefusing) }

  /// Blocks the calling thread until the counters satisfy a condition, which is checked after every change. Returns
  /// false after thirty seconds.
  package func wait(until isWanted: (OriginCounters) -> Bool) -> Bool {
    core.wait(until: .now() + 30, isWanted)
  }

  /// Resets all counters except the number of open connections.
  public func resetCounters() { core.resetCounters() }

  /// Closes the port and all connections, regardless of their state, and returns when the last connection is closed. A
  /// second call has no effect.
  public func stop() {
    listener.stop()
    version6?.stop()
  }
}
