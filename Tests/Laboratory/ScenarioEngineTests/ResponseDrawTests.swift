import FetcherModel
import Foundation
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

@Suite struct ResponseDrawTests {
  private func draws(_ response: Scenario.Response, seed: Int, path: String = "/a", count: Int = 2000) -> [ResponseDraw]
  {
    (0..<count).map { ResponseDraw(response, seed: seed, path: path, number: $0) }
  }

  @Test("The seed and the path determine every draw")
  func seeds() {
    var response = Scenario.Response()
    response.latency = .uniform(.zero, .seconds(1))
    let first = draws(response, seed: 1)
    #expect(first == draws(response, seed: 1))
    #expect(first != draws(response, seed: 2))
    #expect(first != draws(response, seed: 1, path: "/b"))
    #expect(Set(first.map(\.latency)).count > 1990)
  }

  @Test("Uniform latencies cover their range and stay within it")
  func uniform() {
    var response = Scenario.Response()
    response.latency = .uniform(.milliseconds(10), .milliseconds(20))
    let latencies = draws(response, seed: 3).map(\.latency)
    #expect(latencies.allSatisfy { $0 >= .milliseconds(10) && $0 <= .milliseconds(20) })
    let mean = latencies.reduce(.zero, +) / latencies.count
    #expect(abs(mean.inSeconds - 0.015) < 0.0003)
  }

  @Test("Lognormal latencies have the specified median and do not exceed the limit")
  func lognormal() {
    var response = Scenario.Response()
    response.latency = .lognormal(.init(median: .milliseconds(20), sigma: 1, max: .milliseconds(100)))
    let latencies = draws(response, seed: 4).map(\.latency)
    #expect(latencies.allSatisfy { $0 > .zero && $0 <= .milliseconds(100) })
    #expect((900...1100).contains(latencies.count { $0 < .milliseconds(20) }))
    // About 5 % of the standard normal distribution lies above ln 5.
    #expect((50...170).contains(latencies.count { $0 == .milliseconds(100) }))
  }

  @Test("A fault occurs as often as its probability states")
  func probability() {
    var response = Scenario.Response()
    response.fault = .reset
    #expect(draws(response, seed: 5).allSatisfy { $0.fault == .reset })
    response.probability = 0.25
    #expect((420...580).contains(draws(response, seed: 5).count { $0.fault == .reset }))
    response.probability = 0
    #expect(draws(response, seed: 5).allSatisfy { $0.fault == nil })
  }

  @Test("After its last response, a route repeats it, starts over or returns an error")
  func continuations() {
    let answers = [404, 200].map { Scenario.Response(status: $0) }
    let statuses = { (then: Scenario.Route.Continuation) in
      var route = Scenario.Route(path: "/", responses: answers)
      route.then = then
      return (0..<5).map { [route] in route.response($0).status }
    }
    #expect(statuses(.repeatLast) == [404, 200, 200, 200, 200])
    #expect(statuses(.cycle) == [404, 200, 404, 200, 404])
    #expect(statuses(.error) == [404, 200, 500, 500, 500])
  }
}
