import Testing

@testable import Harness

@Suite struct RowTests {
  @Test("Contenders take turns, and each round starts with another")
  func turns() {
    let log = Log()
    let row = Row(
      "row", "work",
      ["a", "b", "c"].map { name in .peer(name) { { _ in log.entries.append(name) } } })

    // Calibration runs one repetition, because the turn has no duration. Then the rounds follow.
    let reading = row.measure(Effort(rounds: 4, turn: .zero))

    #expect(log.entries.joined() == "abcabcbcacababc")
    #expect(reading.readings.map(\.name) == ["a", "b", "c"])
  }

  @Test("Repetitions increase until they fill a turn")
  func calibration() throws {
    let log = Log()
    let row = Row(
      "row", "work",
      [
        .ours("a") {
          { repetitions in
            log.repetitions.append(repetitions)
            let end = ContinuousClock.now + .microseconds(100) * repetitions
            while ContinuousClock.now < end {}
          }
        }
      ])

    _ = row.measure(Effort(rounds: 2, turn: .milliseconds(2)))

    let final = try #require(log.repetitions.last)
    #expect(log.repetitions.first == 1)
    #expect(log.repetitions.suffix(3) == [final, final, final])
    #expect(final > 1)
  }

  @Test("A row in milliseconds has its figures and goal in milliseconds", arguments: [(1.0, false), (60_000, true)])
  func milliseconds(bound: Double, isMet: Bool) throws {
    let slow = Contender.ours("a", atMost: bound) {
      { _ in
        let end = ContinuousClock.now + .milliseconds(2)
        while ContinuousClock.now < end {}
      }
    }

    let reading = Row("row", "work", unit: .milliseconds, [slow]).measure(Effort(rounds: 3, turn: .zero)).readings[0]

    let median = try #require(reading.spread?.median)
    #expect((2..<60_000).contains(median))
    #expect(reading.isMet == isMet)
  }

  @Test("The time excludes unmeasured parts of the work")
  func unmeasuredPart() throws {
    let work = Contender.ours("a") {
      { _ in
        unmeasured {
          let end = ContinuousClock.now + .milliseconds(20)
          while ContinuousClock.now < end {}
        }
      }
    }

    let reading = Row("row", "work", unit: .milliseconds, [work]).measure(Effort(rounds: 3, turn: .microseconds(1)))
      .readings[0]

    #expect(try #require(reading.spread?.median) < 10)
  }

  @Test("A count is read once and not compared")
  func counting() {
    let log = Log()
    func count(_ name: String, _ value: Double) -> Contender {
      .count(name, atMost: 2) {
        log.entries.append(name)
        return value
      }
    }

    let reading = Row("row", "work", unit: .calls, [count("a", 2), count("b", 3)]).measure(.quick)

    #expect(log.entries == ["a", "b"])
    #expect(reading.readings.map(\.isMet) == [true, false])
    #expect(reading.readings.allSatisfy { $0.ratio == nil })
  }
}

private final class Log {
  var entries: [String] = []
  var repetitions: [Int] = []
}
