import Foundation
import ModelFixtures
import OriginServer
import SocketStrategy
import Testing

@testable import FetcherModel

@Suite("The Retry-After header field") struct RetryAfterTests {
  @Test(
    "Retry-After is a number of seconds or a date, and applies only to the statuses 429 and 503",
    arguments: [
      ("2", Duration.seconds(2)), (" 0 ", .zero), ("-1", nil), ("soon", nil), ("99999999999", .seconds(1 << 31)),
      ("Wed, 21 Oct 2015 07:28:10 GMT", .seconds(10)), ("Wed, 21 Oct 2015 07:27:00 GMT", .zero),
    ])
  func field(_ text: String, _ wait: Duration?) throws {
    let url = try #require(URL(string: "https://example.org"))
    for status in [429, 503, 500] {
      let response = NetworkResponse(
        url: url, status: status,
        headers: ["date": "Wed, 21 Oct 2015 07:28:00 GMT", "retry-after": text])
      #expect(response.retryAfter == (status == 500 ? nil : wait))
    }
    #expect(
      NetworkResponse(url: url, status: 429, headers: ["Retry-After": "Wed, 21 Oct 2015 07:28:10 GMT"]).retryAfter
        == nil)
  }

  @Test("A retry waits as long as the server asks, and a wait above the limit prevents the retry")
  func life() {
    struct Nothing: Cancellation { func cancel() {} }
    let limits = FetchLimits(retries: 3, retryDelay: .seconds(1), maximumRetryAfter: .seconds(5))
    func action(_ wait: Duration?) -> RequestLife.AttemptAction {
      var life = RequestLife()
      life.receivePermit()
      life.callStrategy()
      life.startFetch(Nothing())
      return life.endAttempt(restingWith: Nothing(), after: wait, limits)
    }
    #expect(action(nil) == .retry(after: .seconds(1)))
    #expect(action(.zero) == .retry(after: .seconds(1)))
    #expect(action(.seconds(5)) == .retry(after: .seconds(5)))
    #expect(action(.seconds(6)) == .finish)
  }
}

extension NetworkSuite {
  @Suite struct RetryAfterNetworkTests {
    @Test("A retry starts no sooner than the server asks", arguments: Workbench.seeing)
    func obeyed(_ strategy: StrategyName) async throws {
      let busy = OriginResponse(status: 503, headers: [("Retry-After", "1")])
      let picture = OriginResponse(body: .data(Sample.png.bytes))
      var limits = FetchLimits.patient
      limits.retries = 1
      limits.retryDelay = .zero
      let workbench = try Workbench(
        strategy, [OriginRoute(path: "/busy", responses: [busy, picture])], limits: limits)
      let start = ContinuousClock.now
      let (image, _) = await workbench.fetch("/busy")
      #expect(image.image.format == .png)
      #expect(ContinuousClock.now - start >= .seconds(1))
    }

    @Test("A fetch does not retry if the server asks for a wait above the limit", arguments: Workbench.seeing)
    func refused(_ strategy: StrategyName) async throws {
      let busy = OriginResponse(status: 429, headers: [("Retry-After", "31")])
      var limits = FetchLimits.patient
      limits.retries = 3
      let workbench = try Workbench(strategy, [OriginRoute(path: "/busy", busy)], limits: limits)
      let (image, _) = await workbench.fetch("/busy")
      #expect(image.state == .failed(.badStatus(429)))
      #expect(workbench.origin.counters.requests == 1)
    }
  }
}
