import Scheduling

/// One direction of a simulated network, which all connections share. The link is a pure value, so the caller passes in
/// the time.
///
/// The link transmits one piece at a time. A piece arrives half a round trip after its transmission. Connections
/// alternate, so a small response waits for one piece of a large response instead of the whole response.
struct DelayLink<Flow: Equatable> {
  private typealias Waiting = (flow: Flow, since: Duration)

  /// The time from the end of a transmission to the arrival of its bytes.
  let delay: Duration
  /// The rate of the link, or nil if transmission takes no time.
  let bytesPerSecond: Int?
  /// The time at which the current transmission ends.
  private var freeAt = Duration.zero
  private var waiting = RingBuffer<Waiting>()

  init(delay: Duration, bytesPerSecond: Int? = nil) {
    self.delay = delay
    self.bytesPerSecond = bytesPerSecond
  }

  /// The maximum number of bytes per piece. If there is a rate, this is the number of bytes in 2 ms, but at least one
  /// Ethernet segment and at most ``largestPiece``.
  var pieceSize: Int { bytesPerSecond.map { min(Self.largestPiece, max(1448, $0 / 500)) } ?? Self.largestPiece }

  static var largestPiece: Int { 64 * 1024 }

  /// Queues a connection that may have something to transmit.
  mutating func wait(_ flow: Flow, at now: Duration) { waiting.append((flow, now)) }

  mutating func forget(_ flow: Flow) { _ = waiting.removeAll { $0.flow == flow } }

  /// The time at which the next transmission starts, or nil if no connection is waiting.
  var nextGrant: Duration? { waiting.first.map { max(freeAt, $0.since) } }

  /// Removes the next connection from the queue if the link is free.
  ///
  /// - Returns: The connection, and the time at which it starts to transmit. A late call does not delay the start, so a
  ///   late timer does not reduce the rate.
  mutating func next(at now: Duration) -> (flow: Flow, start: Duration)? {
    guard let start = nextGrant, start <= now, let grant = waiting.popFirst() else { return nil }
    return (grant.flow, start)
  }

  /// Transmits bytes, and returns the time at which they arrive.
  mutating func transmit(_ count: Int, from start: Duration) -> Duration {
    freeAt = start + (bytesPerSecond.map { .seconds(Double(count) / Double($0)) } ?? .zero)
    return freeAt + delay
  }
}

/// The bytes that one connection has sent in one direction and that have not arrived yet, in order. The stream is a
/// pure value, so the caller passes in the time.
struct DelayedStream {
  enum Output: Equatable {
    /// Bytes to deliver, starting at the offset. The bytes stay first in line until ``delivered(upTo:)`` is called.
    case bytes([UInt8], from: Int)
    case end
    case reset
  }

  private enum Ending {
    case none
    case end(Duration)
    case reset(Duration)
    /// The stream's end or reset has already been delivered.
    case over
  }

  /// The number of bytes that a stream holds before it refuses more, like a TCP window. The last piece may exceed this
  /// limit.
  static let window = 4 << 20

  private var pieces = RingBuffer<(bytes: [UInt8], due: Duration)>()
  /// The number of bytes of the first piece that have been delivered.
  private var offset = 0
  private var ending = Ending.none
  private(set) var held = 0

  var hasRoom: Bool { held < Self.window }

  var isOpen: Bool { if case .none = ending { true } else { false } }

  var isOver: Bool { if case .over = ending { true } else { false } }

  mutating func append(_ bytes: [UInt8], due: Duration) {
    guard isOpen else { return }
    pieces.append((bytes, due))
    held += bytes.count
  }

  mutating func end(due: Duration) {
    if isOpen { ending = .end(due) }
  }

  mutating func reset(due: Duration) {
    if case .reset = ending { return }
    ending = .reset(due)
  }

  /// Returns the next output that is due. The end and the reset are returned only once.
  ///
  /// A reset is returned after all bytes before it. If the receiver does not accept these bytes, the reset replaces
  /// them.
  mutating func next(at now: Duration, isBlocked: Bool) -> Output? {
    if let piece = pieces.first, !isBlocked, piece.due <= now { return .bytes(piece.bytes, from: offset) }
    switch ending {
    case .reset(let due) where due <= now && (isBlocked || pieces.isEmpty):
      self = DelayedStream()
      ending = .over
      return .reset
    case .end(let due) where due <= now && pieces.isEmpty:
      ending = .over
      return .end
    case .none, .end, .reset, .over: return nil
    }
  }

  /// Records how many bytes of the first piece have been delivered.
  mutating func delivered(upTo offset: Int) {
    guard let piece = pieces.first else { return }
    self.offset = offset
    guard offset == piece.bytes.count else { return }
    _ = pieces.popFirst()
    held -= offset
    self.offset = 0
  }

  /// Returns the time at which the next output is due, or nil if there will be none.
  func nextDue(isBlocked: Bool) -> Duration? {
    if let piece = pieces.first, !isBlocked { return piece.due }
    switch ending {
    case .end(let due): return pieces.isEmpty ? due : nil
    case .reset(let due): return due
    case .none, .over: return nil
    }
  }
}
