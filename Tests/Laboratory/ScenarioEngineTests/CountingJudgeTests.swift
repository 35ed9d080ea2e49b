import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// The expectations `nth`, `atOnce` and `apart`, and patterns for header fields. Events are one millisecond apart.
@Suite struct CountingJudgeTests {
  private typealias Event = (TraceKind, TraceValues)

  private func message(_ kind: Scenario.Expectation.Kind, _ events: [Event]) -> String? {
    ExpectationJudge(record: RunRecord(trace: events)).violations(of: .init(kind: kind)).first?.message
  }

  private func begin(_ path: String) -> Event { (.requestBegin, [.path: path]) }
  private func end(_ path: String, _ header: String? = nil) -> Event {
    (.requestEnd, header.map { [.path: path, .header: $0] } ?? [.path: path])
  }
  private let any = EventPattern(kind: .requestBegin)

  @Test("`nth` checks only the nth matching event")
  func nth() {
    let events = [begin("/a"), begin("/b"), begin("/a")]
    #expect(message(.nth(any, 2, has: [.path: "/b"]), events) == nil)
    #expect(message(.nth(any, 3, has: [.path: "/b"]), events) == #"expected path "/b", got "/a""#)
    #expect(message(.nth(any, 4, has: [.path: "/b"]), events) == "only 3 matched")
  }

  @Test("`atOnce` counts each request as in flight until that request ends")
  func atOnce() {
    let events = [begin("/a"), begin("/b"), end("/b"), begin("/c"), end("/a"), end("/c")]
    #expect(message(.atOnce(any, atMost: 2), events) == nil)
    #expect(message(.atOnce(any, atMost: 1), events) == "expected at most 1, got 2")
    let onlyB = EventPattern(kind: .requestBegin, values: [.path: "/b"])
    #expect(message(.atOnce(onlyB, atMost: 1), events) == nil)
    #expect(message(.atOnce(onlyB, atMost: 1), [begin("/b"), end("/a"), begin("/b")]) != nil)
    #expect(message(.atOnce(any, atMost: 1), []) == "no event matched, so nothing was tested")
  }

  @Test("The fetch of a dropped image counts as in flight until it is cancelled")
  func dropped() {
    let start: Event = (.fetchStart, [.image: "A"])
    let pattern = EventPattern(kind: .fetchStart)
    let (drop, cancel): (Event, Event) = ((.modelDrop, [.image: "A"]), (.fetchCancelled, [.image: "A"]))
    #expect(message(.atOnce(pattern, atMost: 1), [start, drop, cancel, start]) == nil)
    #expect(message(.atOnce(pattern, atMost: 1), [start, drop, start]) != nil)
  }

  @Test("`apart` checks each interval, and fails if fewer than two events match")
  func apart() {
    let events = [begin("/a"), end("/a"), begin("/a"), begin("/a")]
    #expect(message(.apart(any, atLeast: .milliseconds(1)), events) == nil)
    #expect(message(.apart(any, atLeast: .milliseconds(2)), events) == "expected at least 2ms, got 1 ms")
    #expect(message(.apart(any, atLeast: .milliseconds(1)), [begin("/a")])?.hasPrefix("fewer than two events") == true)
  }

  @Test("A header pattern matches one whole field among several")
  func headers() {
    let events = [end("/a", "etag: 1\nx-token: 2"), end("/a", "etag: 12")]
    let count = { (line: String) in
      message(.count(EventPattern(kind: .requestEnd, values: [.header: line]), in: 1...1), events)
    }
    #expect(count("etag: 1") == nil)
    #expect(count("x-token: 2") == nil)
    #expect(count("etag: 12") == nil)
    #expect(count("etag") == "expected 1, got 0")
    let always = { (line: String) in message(.always(EventPattern(kind: .requestEnd), has: [.header: line]), events) }
    #expect(always("etag: 1") == #"expected header "etag: 1", got "etag: 12""#)
  }
}
