import Dispatch
import HTTPWire

/// Accepts a delay line's connections, and lets them take turns on the link in each direction, one piece at a time.
///
/// `Sendable` is unchecked, because the state is confined to the queue.
final class DelayLineCore: @unchecked Sendable {
  /// A side of a connection, which also identifies the direction from that side.
  enum Side: Int { case client, server }

  struct Flow: Equatable {
    let connection: ObjectIdentifier
    let from: Side
  }

  /// The maximum number of pieces that one call to ``run()`` grants before it delivers due bytes.
  private static let grantsAtOnce = 16

  let queue = DispatchQueue(label: "delay-line", qos: .userInteractive)
  /// One buffer, for the connection that is currently being read.
  let scratch = UnsafeMutableRawBufferPointer.allocate(
    byteCount: DelayLink<Flow>.largestPiece, alignment: 16)
  /// A group that contains all open sockets: the listening socket and both sockets of each connection.
  let open = DispatchGroup()
  let server: SocketAddress
  let delay: Duration
  let isLimited: Bool

  private let start = ContinuousClock.now
  private let listening: any DispatchSourceRead
  private let timer: any DispatchSourceTimer
  /// The link from the client and the link from the server.
  private var links: [DelayLink<Flow>]
  private var connections: [DelayedConnection] = []
  private var isStopped = false

  init(_ socket: ListeningSocket, server: UInt16, delay: Duration, bytesPerSecond: Int?) {
    self.server = SocketAddress.all(of: "127.0.0.1", port: server, isNumber: true)[0]
    self.delay = delay
    isLimited = bytesPerSecond != nil
    links = [Side.client, .server].map { _ in DelayLink(delay: delay, bytesPerSecond: bytesPerSecond) }
    listening = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
    timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
    open.enter()
    listening.setEventHandler { [weak self] in self?.accept(socket.descriptor) }
    listening.setCancelHandler { [open] in
      System.closeListener(socket.descriptor)
      open.leave()
    }
    timer.setEventHandler { [weak self] in self?.run() }
    timer.schedule(deadline: .distantFuture)
    timer.activate()
    listening.activate()
  }

  deinit { scratch.deallocate() }

  func stop() {
    queue.sync {
      guard !isStopped else { return }
      isStopped = true
      listening.cancel()
      timer.cancel()
      for connection in connections { connection.close() }
      connections = []
    }
    open.wait()
  }

  /// The time since the line started.
  var now: Duration { .now - start }

  private func accept(_ descriptor: Int32) {
    while !isStopped, let accepted = System.acceptConnection(descriptor) {
      connections.append(DelayedConnection(accepted, in: self))
    }
    run()
  }

  func wait(_ flow: Flow) { links[flow.from.rawValue].wait(flow, at: now) }

  func transmit(_ count: Int, from side: Side, _ start: Duration) -> Duration {
    links[side.rawValue].transmit(count, from: start)
  }

  /// Delivers due bytes, grants the links while they are free, and sets the timer for the next event.
  func run() {
    guard !isStopped else { return }
    for connection in connections { connection.advance(now) }
    let closed = connections.filter(\.isClosed)
    for connection in closed {
      for side in [Side.client, .server] {
        links[side.rawValue].forget(Flow(connection: ObjectIdentifier(connection), from: side))
      }
    }
    if !closed.isEmpty { connections.removeAll(where: \.isClosed) }
    for side in [Side.client, .server] {
      for _ in 0..<Self.grantsAtOnce {
        guard let grant = links[side.rawValue].next(at: now) else { break }
        let connection = connections.first { ObjectIdentifier($0) == grant.flow.connection }
        connection?.transmit(side, from: grant.start, atMost: links[side.rawValue].pieceSize)
      }
    }
    let next = (links.map(\.nextGrant) + connections.map(\.nextEvent)).compactMap(\.self).min()
    timer.schedule(
      deadline: next.map { .now() + ($0 - now).dispatchInterval } ?? .distantFuture, leeway: .nanoseconds(0))
  }
}
