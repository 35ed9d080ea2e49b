import Dispatch
import HTTPWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One connection through a delay line. The connection consists of a socket to the client, a socket to the server, and
/// the bytes in flight between them.
///
/// `Sendable` is unchecked, because the state is confined to the line's queue.
final class DelayedConnection: @unchecked Sendable {
  typealias Side = DelayLineCore.Side

  /// The state of the bytes that one side sends.
  private struct Direction {
    var stream = DelayedStream()
    /// Whether the direction is waiting in its link's queue. Meanwhile, its socket does not report bytes.
    var isWaiting = false
    /// Whether the receiving socket has no room.
    var isBlocked = false
    /// Whether reading is paused because the stream was full.
    var isPaused = false
  }

  /// The size of the kernel's receive buffer for the server's socket, if the line has a rate. Without this limit, the
  /// server could send a whole image before the client receives the first byte.
  private static let receiveBuffer: Int32 = 64 * 1024

  private unowned let line: DelayLineCore
  /// The socket of each side, or nil before the connection is opened and after it is closed.
  private var sockets: [ConnectionSocket?]
  private var directions = [Direction(), Direction()]
  /// The time at which the client's first packet reaches the server.
  private var connectsAt: Duration?
  /// The time after which the client can send.
  private var opensAt: Duration?
  private(set) var isClosed = false

  init(_ accepted: Int32, in line: DelayLineCore) {
    self.line = line
    let now = line.now
    connectsAt = now + line.delay
    opensAt = now + line.delay * 2
    sockets = [nil, nil]
    sockets[0] = Self.socket(accepted, line)
  }

  private static func socket(_ descriptor: Int32, _ line: DelayLineCore) -> ConnectionSocket {
    line.open.enter()
    return ConnectionSocket(descriptor, queue: line.queue) { [open = line.open] in open.leave() }
  }

  func close(reset: Bool = false) {
    isClosed = true
    for socket in sockets { socket?.close(reset: reset) }
    sockets = [nil, nil]
  }

  /// The time of the next call to ``advance(_:)``, or nil if only a socket event changes the state.
  var nextEvent: Duration? {
    ([connectsAt, opensAt] + directions.map { $0.stream.nextDue(isBlocked: $0.isBlocked) }).compactMap(\.self).min()
  }

  /// Performs all work that is due.
  func advance(_ now: Duration) {
    if let time = connectsAt, time <= now { connect() }
    if let time = opensAt, time <= now {
      opensAt = nil
      startReading(.client)
    }
    for side in [Side.client, .server] where !isClosed { deliver(side, now) }
    if !isClosed, directions.allSatisfy(\.stream.isOver) { close() }
  }

  // MARK: Connecting

  private func connect() {
    connectsAt = nil
    guard let descriptor = System.openConnection(to: line.server) else { return lose(.server) }
    if line.isLimited { System.setOption(descriptor, level: SOL_SOCKET, SO_RCVBUF, Self.receiveBuffer) }
    let socket = Self.socket(descriptor, line)
    sockets[Side.server.rawValue] = socket
    // The socket cannot send until it is connected.
    directions[Side.client.rawValue].isBlocked = true
    socket.whenWritable { [weak self] in
      guard let self, let socket = sockets[Side.server.rawValue] else { return }
      directions[Side.client.rawValue].isBlocked = false
      if socket.hasConnected { startReading(.server) } else { lose(.server) }
      line.run()
    }
  }

  private func startReading(_ side: Side) {
    sockets[side.rawValue]?.startReading { [weak self] in
      self?.requestGrant(side)
      self?.line.run()
    }
  }

  // MARK: Reading

  private func requestGrant(_ side: Side) {
    guard !isClosed, !directions[side.rawValue].isWaiting, directions[side.rawValue].stream.isOpen else { return }
    sockets[side.rawValue]?.setReading(false)
    directions[side.rawValue].isPaused = !directions[side.rawValue].stream.hasRoom
    guard !directions[side.rawValue].isPaused else { return }
    directions[side.rawValue].isWaiting = true
    line.wait(DelayLineCore.Flow(connection: ObjectIdentifier(self), from: side))
  }

  /// Reads one chunk from the side that was granted the link, and transmits it.
  func transmit(_ side: Side, from start: Duration, atMost size: Int) {
    directions[side.rawValue].isWaiting = false
    guard let socket = sockets[side.rawValue] else { return }
    let buffer = UnsafeMutableRawBufferPointer(rebasing: line.scratch[..<size])
    var received = socket.receive(into: buffer)
    if case .nothing = received {
      socket.setReading(true)
      // The socket may have closed while its events were not reported.
      received = socket.receive(into: buffer)
    }
    switch received {
    case .nothing: break
    case .bytes(let bytes):
      let due = line.transmit(bytes.count, from: side, start)
      directions[side.rawValue].stream.append(Array(bytes), due: due)
      requestGrant(side)
    case .end:
      socket.setReading(false)
      directions[side.rawValue].stream.end(due: line.transmit(0, from: side, start))
    case .failed: lose(side)
    }
  }

  // MARK: Delivering

  /// Delivers the bytes that have arrived from one side to the other side.
  private func deliver(_ side: Side, _ now: Duration) {
    let receiver = side == .client ? Side.server : .client
    while let output = directions[side.rawValue].stream.next(at: now, isBlocked: directions[side.rawValue].isBlocked) {
      switch output {
      case .bytes(let bytes, var offset):
        guard let socket = sockets[receiver.rawValue] else {
          // The receiver has closed the connection, and its reset is in flight.
          directions[side.rawValue].stream.delivered(upTo: bytes.count)
          continue
        }
        switch socket.send(bytes, from: &offset) {
        case .all: break
        case .blocked:
          directions[side.rawValue].isBlocked = true
          socket.whenWritable { [weak self] in
            self?.directions[side.rawValue].isBlocked = false
            self?.line.run()
          }
        case .failed:
          lose(receiver)
          continue
        }
        directions[side.rawValue].stream.delivered(upTo: offset)
      case .end: sockets[receiver.rawValue]?.endSending()
      case .reset: return close(reset: true)
      }
    }
    if directions[side.rawValue].isPaused, directions[side.rawValue].stream.hasRoom { requestGrant(side) }
  }

  /// Closes a side that was reset or cannot be reached, and sends a reset to the other side.
  private func lose(_ side: Side) {
    sockets[side.rawValue]?.close()
    sockets[side.rawValue] = nil
    let other = side == .client ? Side.server : .client
    directions[other.rawValue].isBlocked = false
    directions[side.rawValue].stream.reset(due: line.now + line.delay)
  }
}
