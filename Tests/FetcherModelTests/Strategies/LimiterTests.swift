import EventBus
import FetcherModel
import Testing

@Suite struct LimiterTests {
  private final class Token: Sendable {}

  @Test("The limiter serves waiters in order and skips cancelled ones")
  func order() {
    let limiter = Limiter(1)
    let served = Locked<[Int]>([])
    let permits = (0..<5).map { number in limiter.acquire { served.withLock { $0.append(number) } } }
    #expect(served.withLock { $0 } == [0])
    permits[0].cancel()
    permits[2].cancel()
    permits[2].cancel()
    for _ in 0..<5 { limiter.release() }
    #expect(served.withLock { $0 } == [0, 1, 3, 4])
  }

  @Test("Cancelling a waiter releases it before a permit is free")
  func letGo() {
    let limiter = Limiter(1)
    _ = limiter.acquire {}
    weak var released: Token?
    var permits: [any Cancellation] = []
    for _ in 0..<1000 {
      let token = Token()
      released = token
      permits.append(limiter.acquire { withExtendedLifetime(token) {} })
    }
    #expect(released != nil)
    for permit in permits { permit.cancel() }
    #expect(released == nil)
    let last = Locked(false)
    _ = limiter.acquire { last.withLock { $0 = true } }
    limiter.release()
    #expect(last.withLock { $0 })
  }
}
