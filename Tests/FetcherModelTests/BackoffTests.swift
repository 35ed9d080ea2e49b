import ModelFixtures
import Testing

@testable import FetcherModel

@Suite struct BackoffTests {
  private func waits(_ delay: Duration, _ backoff: Int) -> [Duration] {
    let limits = FetchLimits(retries: 10, retryDelay: delay, backoff: backoff)
    return [1, 2, 3, 30, Int.max].map { limits.wait(beforeRetry: $0) }
  }

  @Test("The delay before each retry grows by the backoff factor, up to one hour")
  func growth() {
    let hour = Duration.seconds(3600)
    #expect(waits(.milliseconds(100), 2) == [.milliseconds(100), .milliseconds(200), .milliseconds(400), hour, hour])
  }

  @Test(
    "Even the largest backoff factor never delays a retry by more than one hour",
    arguments: [Duration.nanoseconds(1), .seconds(3599)])
  func huge(_ delay: Duration) {
    #expect(waits(delay, .max) == [delay] + Array(repeating: .seconds(3600), count: 4))
  }

  @Test(
    "Unless the backoff factor exceeds 1, every retry waits equally long, even longer than one hour",
    arguments: [-1, 0, 1])
  func constant(_ backoff: Int) {
    #expect(Set(waits(.seconds(7200), backoff)) == [.seconds(7200)])
    #expect(Set(waits(.zero, 2)) == [.zero])
  }
}
