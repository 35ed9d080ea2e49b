import Testing

@testable import Harness

@Suite struct ReadingTests {
  @Test("The median and the quartiles divide the samples into four")
  func spread() throws {
    let spread = try #require(Spread([5, 1, 4, 2, 3]))
    #expect(spread.lowerQuartile == 2)
    #expect(spread.median == 3)
    #expect(spread.upperQuartile == 4)
    #expect(try #require(Spread([1, 2])).median == 1.5)
    #expect(Spread([])?.median == nil)
  }

  @Test("A slower machine does not change the ratio of a round")
  func ratio() {
    let first = [1.0, 1, 10, 10, 10]
    let peer = [3.0, 3, 30, 30, 30]
    #expect(Reading(of: .peer("peer", unmeasured), peer, against: first).ratio == 3)
    #expect(Reading(of: .floor("floor", unmeasured), peer, against: first).ratio == 1.0 / 3)
  }

  @Test("A goal against a peer is met at or above the bound", arguments: [(2.9, false), (3, true), (3.1, true)])
  func peer(time: Double, isMet: Bool) {
    #expect(Reading(of: .peer("peer", atLeast: 3, unmeasured), [time], against: [1]).isMet == isMet)
  }

  @Test("A goal against a floor is met at or below the bound", arguments: [(1.9, true), (2, true), (2.1, false)])
  func floor(time: Double, isMet: Bool) {
    #expect(Reading(of: .floor("floor", atMost: 2, unmeasured), [1], against: [time]).isMet == isMet)
  }

  @Test("A figure that the platform does not report is not judged")
  func uncounted() {
    let reading = Reading(of: .count("count", atMost: 0) { nil }, [], against: nil)
    #expect(reading.isMet == nil)
    #expect(reading.figure(in: .calls) == "not counted here")
  }

  @Test("A count of events is compared with its bound", arguments: [(0.0, true), (0.3, false)])
  func events(late: Double, isMet: Bool) {
    let reading = Reading(of: .count("count", atMost: 0) { nil }, [late], against: nil)
    #expect(reading.isMet == isMet)
    #expect(reading.figure(in: .events) == (late == 0 ? "0 events" : "0.30 events"))
  }

  private func unmeasured() -> Contender.Work { { _ in } }
}
