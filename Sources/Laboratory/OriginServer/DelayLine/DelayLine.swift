/// A delay line for TCP, which simulates a network in front of a server on this machine.
///
/// A client connects to ``port`` instead of the server's port. Each byte then arrives half a round trip later, in both
/// directions. A connection becomes usable one round trip after it is accepted, because the client's kernel has already
/// completed the handshake. If a rate is given, all connections share one link in each direction, and take turns
/// sending pieces. The line also forwards connection closes, resets and refusals.
///
/// The line does not simulate packet loss, reordering or TCP slow start. Each direction of a connection holds at most 4
/// MB. Every method can be called from any thread.
public final class DelayLine: Sendable {
  /// The port on 127.0.0.1 that clients connect to.
  public let port: UInt16

  private let core: DelayLineCore

  /// Listens on a free port and connects each client to the server.
  ///
  /// - Parameters:
  ///   - server: The server's port on 127.0.0.1.
  ///   - roundTrip: The total time for a byte to reach the server and for the response to return.
  ///   - bytesPerSecond: The rate of each direction. If nil, transmission takes no time.
  /// - Throws: `OriginError.cannotListen`.
  public init(to server: UInt16, roundTrip: Duration, bytesPerSecond: Int? = nil) throws(OriginError) {
    let socket = try ListeningSocket(port: 0)
    port = socket.port
    core = DelayLineCore(socket, server: server, delay: roundTrip / 2, bytesPerSecond: bytesPerSecond)
  }

  deinit { stop() }

  /// Closes the port and all connections, and returns when the last connection is closed. Later calls do nothing.
  public func stop() { core.stop() }
}
