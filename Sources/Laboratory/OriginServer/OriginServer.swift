import Dispatch
public import Foundation

/// An HTTP/1.1 server on the loopback interface, with scripted delays and faults.
///
/// It knows GET, HEAD and POST, keeps connections alive and answers pipelined requests in order. No thread waits for a
/// connection: sockets do not block, and a few serial queues share them. Every method may be called on any thread.
///
/// A client that closes, or half closes, while its response is being delayed is taken to be gone. Meanwhile it may send a
/// megabyte of further requests; with more, the connection is reset. ``OriginPolicy`` says how long clients may take, and
/// which names they may use for this machine.
///
/// When descriptors run out, new connections wait until there are some again.
public final class OriginServer: Sendable {
  /// The port on which it listens.
  public let port: UInt16

  private let core: ServerCore
  private let listener: Listener

  /// Binds 127.0.0.1 and listens at once.
  ///
  /// - Parameters:
  ///   - port: The port, or 0 for any free one.
  ///   - content: What to serve.
  ///   - policy: What it demands of its clients, as long as it runs.
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

  /// Serves other content from the next request on; the routes' responses start anew.
  public func replace(_ content: OriginContent) { core.replace(content) }

  /// Refuses connections from now on, as a port does on which nobody listens, or accepts them again. Connections that are open stay
  /// so, and the port stays the server's.
  ///
  /// - Throws: `cannotListen`, and nothing has changed, where the system has no further socket.
  package func setRefusing(_ isRefusing: Bool) throws(OriginError) { try listener.setRefusing(isRefusing) }

  /// Blocks the calling thread until the counters are as wanted, which is tested after every change. False if they are not
  /// after ten seconds.
  package func wait(until isWanted: (OriginCounters) -> Bool) -> Bool {
    core.wait(until: .now() + 10, isWanted)
  }

  /// Sets all counters to zero, except that of the open connections.
  public func resetCounters() { core.resetCounters() }

  /// Closes the port and all connections, whatever they are doing, and returns when the last one is closed. Stopping
  /// again does nothing.
  public func stop() { listener.stop() }
}
