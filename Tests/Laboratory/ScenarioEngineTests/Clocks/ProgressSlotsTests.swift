import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

@Suite struct ProgressSlotsTests {
  private func kept(_ times: some Sequence<Int>, of image: String = "A", _ slots: inout ProgressSlots) -> [Int] {
    times.filter { time in
      slots.keeps(RunEvent(kind: .fetchProgress, time: .milliseconds(time), values: [.image: image]))
    }
  }

  @Test("The slots keep the first report, and then at most one report per 50 ms")
  func slots() {
    var slots = ProgressSlots()
    #expect(kept([100, 100, 101, 149, 150, 199, 230, 249, 250, 430], &slots) == [100, 150, 230, 250, 430])
  }

  @Test("A one-minute fetch keeps about 60 reports, even if 60,000 pieces arrive")
  func longFetch() {
    var slots = ProgressSlots()
    #expect((50...70).contains(kept(0...60_000, &slots).count))
  }

  @Test("Each fetch starts with new slots, and all events other than progress are kept")
  func fetches() {
    var slots = ProgressSlots()
    #expect(kept([10, 20], of: "A", &slots) == [10])
    #expect(kept([15, 20], of: "B", &slots) == [15])
    let start = RunEvent(kind: .fetchStart, time: .milliseconds(25), values: [.image: "A"])
    #expect([start, start].allSatisfy { slots.keeps($0) })
    #expect(kept([30, 40], of: "A", &slots) == [30])
    #expect(kept([40], of: "B", &slots) == [])
  }
}
