import TestMachine
import Testing

@testable import OriginServer

/// The pure logic of a delay line. The test passes the time as a value.
@Suite struct DelayLinkTests {
  private typealias Link = DelayLink<String>

  /// Transmits pieces for connections that always have more bytes, until `end`. The caller is late by `late` each time.
  private func saturate(
    _ link: inout Link, _ flows: [String], until end: Duration, late: Duration = .zero
  ) -> [(flow: String, arrives: Duration)] {
    var arrivals: [(String, Duration)] = []
    for flow in flows { link.wait(flow, at: .zero) }
    while let grant = link.nextGrant, grant < end {
      guard let (flow, start) = link.next(at: grant + late) else { break }
      arrivals.append((flow, link.transmit(link.pieceSize, from: start)))
      link.wait(flow, at: grant + late)
    }
    return arrivals
  }

  @Test("Without a rate, a piece arrives after half a round trip") func delay() {
    var link = Link(delay: .milliseconds(20))
    link.wait("a", at: .milliseconds(5))
    #expect(link.next(at: .milliseconds(4)) == nil)
    #expect(link.next(at: .milliseconds(5))?.start == .milliseconds(5))
    #expect(link.transmit(64_000, from: .milliseconds(5)) == .milliseconds(25))
    #expect(link.nextGrant == nil)
  }

  @Test("A saturated link keeps its rate even if its timer is late", arguments: [0, 100, 1900])
  func rate(lateness: Int) {
    var link = Link(delay: .milliseconds(20), bytesPerSecond: 1_250_000)
    let arrivals = saturate(&link, ["a"], until: .seconds(1), late: .microseconds(lateness))
    #expect(arrivals.count == 500)
    #expect(arrivals.last?.arrives == .milliseconds(1020))
  }

  @Test("Connections take turns, so each gets an equal share of the rate") func shares() {
    var link = Link(delay: .zero, bytesPerSecond: 1_000_000)
    let arrivals = saturate(&link, ["a", "b", "c"], until: .milliseconds(600))
    #expect(arrivals.prefix(6).map(\.flow) == ["a", "b", "c", "a", "b", "c"])
    for flow in ["a", "b", "c"] { #expect(arrivals.count { $0.flow == flow } == 100) }
    #expect(zip(arrivals, arrivals.dropFirst()).allSatisfy { $0.arrives < $1.arrives })
  }

  @Test("A small response waits for at most one piece of a large one") func small() {
    var link = Link(delay: .zero, bytesPerSecond: 1_000_000)
    link.wait("large", at: .zero)
    let grant = link.next(at: .zero)
    _ = link.transmit(link.pieceSize, from: grant?.start ?? .zero)
    link.wait("large", at: .zero)
    link.wait("small", at: .microseconds(100))
    var order: [String] = []
    while let next = link.nextGrant, let (flow, start) = link.next(at: next) {
      order.append(flow)
      _ = link.transmit(link.pieceSize, from: start)
    }
    #expect(order == ["large", "small"])
  }

  @Test("A connection that leaves receives no grant") func forget() {
    var link = Link(delay: .zero)
    link.wait("a", at: .zero)
    link.wait("b", at: .zero)
    link.forget("a")
    #expect(link.next(at: .zero)?.flow == "b")
    #expect(link.next(at: .zero) == nil)
  }

  @Test("A delayed stream delivers its bytes in order when they are due, and then its end") func order() {
    var stream = DelayedStream()
    stream.append([1, 2], due: .milliseconds(10))
    stream.append([3], due: .milliseconds(12))
    stream.end(due: .milliseconds(12))
    stream.append([4], due: .milliseconds(13))
    #expect(stream.next(at: .milliseconds(9), isBlocked: false) == nil)
    #expect(stream.nextDue(isBlocked: false) == .milliseconds(10))
    #expect(stream.next(at: .milliseconds(12), isBlocked: false) == .bytes([1, 2], from: 0))
    stream.delivered(upTo: 1)
    #expect(stream.next(at: .milliseconds(12), isBlocked: false) == .bytes([1, 2], from: 1))
    stream.delivered(upTo: 2)
    #expect(stream.held == 1)
    #expect(stream.next(at: .milliseconds(12), isBlocked: false) == .bytes([3], from: 0))
    stream.delivered(upTo: 1)
    #expect(stream.next(at: .milliseconds(12), isBlocked: false) == .end)
    #expect(stream.isOver)
    #expect(stream.next(at: .seconds(9), isBlocked: false) == nil)
    #expect(stream.nextDue(isBlocked: false) == nil)
  }

  @Test("A reset follows earlier bytes, but replaces bytes that are blocked") func reset() {
    for isBlocked in [false, true] {
      var stream = DelayedStream()
      stream.append([1], due: .milliseconds(10))
      stream.reset(due: .milliseconds(11))
      #expect(stream.next(at: .milliseconds(10), isBlocked: isBlocked) == (isBlocked ? nil : .bytes([1], from: 0)))
      if !isBlocked { stream.delivered(upTo: 1) }
      #expect(stream.nextDue(isBlocked: isBlocked) == .milliseconds(11))
      #expect(stream.next(at: .milliseconds(11), isBlocked: isBlocked) == .reset)
      #expect(stream.held == 0)
      #expect(stream.isOver)
    }
  }

  @Test("A stream holds at most its window plus one piece") func bound() {
    var stream = DelayedStream()
    let piece = [UInt8](repeating: 0, count: Link.largestPiece)
    var count = 0
    while stream.hasRoom {
      stream.append(piece, due: .zero)
      count += 1
    }
    #expect(stream.held <= DelayedStream.window + piece.count)
    #expect(count == 64)
    stream.delivered(upTo: piece.count)
    #expect(stream.hasRoom)
  }

  @Test(
    "A piece lasts 2 ms, but has at least one segment and at most 64 KiB",
    arguments: [(1_250_000, 2500), (10_000, 1448), (.max, 65536)])
  func pieces(rate: Int, size: Int) { #expect(Link(delay: .zero, bytesPerSecond: rate).pieceSize == size) }
}
