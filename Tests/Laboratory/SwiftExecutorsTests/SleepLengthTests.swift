import Testing

@testable import ScheduleExplorer

@Suite("The length of a sleep") struct SleepLengthTests {
  @Test(
    "A sleep length does not depend on elapsed real time",
    arguments: [
      Duration.seconds(3600), .seconds(1), .milliseconds(300), .milliseconds(250), .milliseconds(125),
      .milliseconds(16),
      .milliseconds(15), .milliseconds(1), .microseconds(300),
    ])
  func roundLengths(_ length: Duration) {
    // From the beginning of the item to the clock, and from there to the executor.
    for (before, after) in [(0, 0), (0, 30), (30, 0), (30, 30), (1, 60)] {
      let sleep = SleepLength(
        remaining: length - .microseconds(after), elapsed: .microseconds(before + after))
      #expect(sleep.duration == length)
      #expect(!sleep.isDisturbed)
    }
  }

  @Test("Odd lengths round to three digits, short ones to 0.1 ms")
  func oddLengths() {
    for microseconds in [0, 3, 9] {
      let elapsed = Duration.microseconds(microseconds)
      #expect(SleepLength(remaining: .seconds(1) / 60 - elapsed, elapsed: elapsed).duration == .microseconds(16_700))
      #expect(SleepLength(remaining: .microseconds(42) - elapsed, elapsed: elapsed).duration == .microseconds(100))
      #expect(SleepLength(remaining: .zero - elapsed, elapsed: elapsed).duration == .zero)
    }
  }

  @Test("More real time than the length can bear disturbs the run")
  func disturbance() {
    #expect(SleepLength(remaining: .milliseconds(9), elapsed: .milliseconds(6)).isDisturbed)
    #expect(SleepLength(remaining: .milliseconds(296), elapsed: .milliseconds(6)).isDisturbed)
    #expect(!SleepLength(remaining: .milliseconds(5990), elapsed: .milliseconds(10)).isDisturbed)
  }

  @Test("A sleep for ever is a long one")
  func longest() {
    #expect(SleepLength(remaining: .seconds(Int64.max), elapsed: .zero).duration >= .seconds(3_000_000_000))
  }
}
