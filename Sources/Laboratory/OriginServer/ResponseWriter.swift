import HTTPWire

/// Produces the bytes of one response that can be sent now. The writer is a pure value, so the caller passes in the
/// time.
struct ResponseWriter {
  enum Step: Equatable {
    /// Bytes were appended, and more may follow.
    case more
    /// The next bytes are due after this time.
    case wait(Duration)
    /// All bytes were appended.
    case finished(ResponsePlan.Ending)
  }

  private enum Pace {
    case none
    case rate(bytesPerSecond: Int)
    case drip(Duration)
  }

  private static let pieceBytes = 64 * 1024
  private static let tick = Duration.milliseconds(5)

  private var head: [UInt8]
  private let body: BodyReader
  /// The number of body bytes to send, which some faults reduce.
  private let limit: Int
  private let chunkSize: Int?
  private let framedCount: Int
  private let tail: [UInt8]
  private let ending: ResponsePlan.Ending
  private let pace: Pace
  private var position = 0
  private var chunkEnd = 0
  private var start: ContinuousClock.Instant?

  init(_ plan: ResponsePlan) {
    head = plan.head
    body = plan.body
    limit = plan.limit
    chunkSize = plan.chunkSize
    framedCount = plan.framedCount
    tail = plan.tail
    ending = plan.ending
    if let interval = plan.dripInterval {
      pace = .drip(max(interval, .microseconds(1)))
    } else if let rate = plan.bytesPerSecond {
      pace = .rate(bytesPerSecond: max(1, rate))
    } else {
      pace = .none
    }
  }

  /// Appends the bytes that can be sent at `now`.
  mutating func next(_ output: inout [UInt8], now: @autoclosure () -> ContinuousClock.Instant) -> Step {
    if !head.isEmpty {
      output.append(contentsOf: head)
      head = []
      // Paced bytes are sent one by one, and the head must not wait for the first paced byte.
      if case .none = pace {} else { return .more }
    }
    guard position < limit else { return finish(&output) }

    var count = min(Self.pieceBytes, limit - position)
    if case .none = pace {
    } else {
      let now = now()
      let start = start ?? now
      self.start = start
      let due = allowance(after: now - start)
      guard due > position else { return .wait(timeUntilNext(after: now - start)) }
      count = min(count, due - position)
    }
    guard append(count, to: &output) else { return .finished(.reset) }
    return position < limit ? .more : finish(&output)
  }

  private func finish(_ output: inout [UInt8]) -> Step {
    output.append(contentsOf: tail)
    return .finished(ending)
  }

  /// Returns the number of bytes that can be sent within this time after the start.
  private func allowance(after elapsed: Duration) -> Int {
    let allowed: Double
    switch pace {
    case .none: return limit
    case .rate(let bytesPerSecond): allowed = (elapsed / .seconds(1)) * Double(bytesPerSecond)
    case .drip(let interval): return min(position + 1, Int(min(elapsed / interval, Double(limit))))
    }
    return Int(min(allowed, Double(limit)))
  }

  private func timeUntilNext(after elapsed: Duration) -> Duration {
    switch pace {
    case .none: .zero
    case .rate(let bytesPerSecond):
      max(Self.tick, .seconds(Double(position + 1) / Double(bytesPerSecond)) - elapsed)
    case .drip(let interval): max(.microseconds(1), interval * (position + 1) - elapsed)
    }
  }

  /// Appends body bytes, in chunks if necessary. Returns false if the body cannot be read.
  private mutating func append(_ count: Int, to output: inout [UInt8]) -> Bool {
    let end = position + count
    while position < end {
      var pieceEnd = end
      if let chunkSize {
        if position == chunkEnd {
          chunkEnd = min(position + max(1, chunkSize), framedCount)
          output.append(contentsOf: ChunkedCoding.head(chunkEnd - position))
        }
        pieceEnd = min(end, chunkEnd)
      }
      guard body.append(position..<pieceEnd, to: &output) else { return false }
      position = pieceEnd
      if chunkSize != nil, position == chunkEnd { output.append(contentsOf: ChunkedCoding.lineEnd) }
    }
    return true
  }
}
