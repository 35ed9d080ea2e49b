import Testing

@testable import ScheduleExplorer

@Suite("The length of a sleep") struct SleepLengthTests {
  @Test(
    "The length of a sleep does not depend on the real time that has elapsed",
    arguments: [
      Duration.seconds(3600), .seconds(1), .milliseconds(300), .milliseconds(250), .milliseconds(125),
      .milliseconds(16),
      .milliseconds(15), .milliseconds(1), .microseconds(300),
    ])
  func roundLengths(_ length: Duration) {
    // Microseconds from the start of the item to the reading of the clock, and from there to the executor.
    for (before, after) in [(0, 0), (0, 30), (30, 0), (30, 30), (1, 60)] {
      let sleep = SleepLength(
        remaining: length - .microseconds(after), elapsed: .microseconds(before + after))
      #expect(sleep.duration == length)
      #expect(!sleep.isDisturbed)
    }
  }

  @Test("A length is rounded to three digits, and a short one to 0.1 ms")
  func oddLengths() {
    for microseconds in [0, 3, 9] {
      let elapsed = Duration.microseconds(microseconds)
      #expect(SleepLength(remaining: .seconds(1) / 60 - elapsed, elapsed: elapsed).duration == .microseconds(16_700))
      #expect(SleepLength(remaining: .microseconds(42) - elapsed, elapsed: elapsed).duration == .microseconds(100))
      #expect(SleepLength(remaining: .zero - elapsed, elapsed: elapsed).duration == .zero)
    }
  }

  @Test("If too much real time elapses to determine the length of a sleep, the run is disturbed")
  func disturbance() {
    #expect(SleepLength(remaining: .milliseconds(9), elapsed: .milliseconds(6)).isDisturbed)
    #expect(SleepLength(remaining: .milliseconds(296), elapsed: .milliseconds(6)).isDisturbed)
    #expect(!SleepLength(remaining: .milliseconds(5990), elapsed: .milliseconds(10)).isDisturbed)
  }

  @Test("The length of the longest possible sleep does not overflow")
  func longest() {
    #expect(SleepLength(remaining: .seconds(Int64.max), elapsed: .zero).duration >= .seconds(3_000_000_000))
  }
}
