/// How a body arrives: in which pieces, and when. Pure.
///
/// A paced body comes as ``OriginServer`` sends it, every few milliseconds, and later in larger pieces: a run has only so many
/// steps.
struct BodyPieces: Sendable {
  /// How often a server sends what is due, as its timers are no finer.
  private static let tick = Duration.milliseconds(5)
  /// A later piece takes this part of the time since the beginning.
  private static let growth = 16
  /// A run has only so many steps, and TCP joins small pieces as well.
  private static let mostUnpaced = 64

  /// How many bytes there are in all.
  let count: Int
  /// Bytes per second; nil for as fast as possible.
  let rate: Int?
  private let size: Int

  /// - Parameter size: how many bytes an unpaced piece has at least.
  init(count: Int, rate: Int?, size: Int) {
    self.count = count
    self.rate = rate
    self.size = max(size, (count + Self.mostUnpaced - 1) / Self.mostUnpaced, 1)
  }

  /// From the first byte to the last.
  var duration: Duration { time(of: count) }

  /// The piece after the first `received` bytes: where it ends, and how long it takes. Nil where nothing is left.
  func next(after received: Int) -> (end: Int, wait: Duration)? {
    guard received < count else { return nil }
    guard let rate else { return (min(received + size, count), .zero) }
    let now = time(of: received)
    let due = Int((now + max(Self.tick, now / Self.growth)).inSeconds * Double(rate))
    let end = min(max(due, received + 1), count)
    return (end, time(of: end) - now)
  }

  private func time(of bytes: Int) -> Duration {
    rate.map { .seconds(Double(bytes) / Double($0)) } ?? .zero
  }
}
