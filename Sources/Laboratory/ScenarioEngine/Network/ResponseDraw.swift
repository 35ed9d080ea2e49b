import FetcherModel
import Foundation
import PlainText
import ScenarioFormat
import SeededNumbers

/// The random properties of one response, which depend on the seed, the path and the request's number.
struct ResponseDraw: Sendable, Equatable {
  let latency: Duration
  /// The fault, or nil if there is none.
  let fault: Scenario.Response.Fault?

  /// - Parameter number: the number of earlier requests for the path.
  init(_ response: Scenario.Response, seed: Int, path: String, number: Int) {
    var generator = SplitMix64(seed: UInt64(seed) ^ FNV1a.hash(path) &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
    switch response.latency {
    case .fixed(let time): latency = time
    case .uniform(let low, let high): latency = low + (high - low) * Double.random(in: 0...1, using: &generator)
    case .lognormal(let distribution):
      let factor = exp(distribution.sigma * Self.normal(&generator))
      latency = min(distribution.median * factor, distribution.max)
    }
    let isLucky = response.probability < 1 && Double.random(in: 0..<1, using: &generator) >= response.probability
    fault = isLucky ? nil : response.fault
  }

  /// Returns a random number with the standard normal distribution (Box and Muller).
  private static func normal(_ generator: inout SplitMix64) -> Double {
    let radius = (-2 * log(Double.random(in: Double.leastNonzeroMagnitude...1, using: &generator))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
  }
}

extension Scenario.Route {
  /// The response to a request: the first one whose header condition matches, or else the next one in the list.
  ///
  /// - Parameter number: the number of earlier requests.
  func response(_ number: Int, to headers: HTTPHeaders = [:]) -> Scenario.Response {
    guard responses.contains(where: { !$0.condition.isEmpty }) else { return response(number) }
    let lines = Set(headers.map { "\($0.name.lowercased()): \($0.value)" })
    let fitting = responses.first { response in
      !response.condition.isEmpty && response.condition.allSatisfy { lines.contains($0.line) }
    }
    if let fitting { return fitting }
    var plain = self
    plain.responses.removeAll { !$0.condition.isEmpty }
    return plain.response(number)
  }

  /// The response at index `number`, counted from zero. After the last response, a route with `then: .error` returns an
  /// empty response with status 500.
  private func response(_ number: Int) -> Scenario.Response {
    switch then {
    case .repeatLast: responses[min(number, responses.count - 1)]
    case .cycle: responses[number % responses.count]
    case .error: number < responses.count ? responses[number] : Scenario.Response(status: 500, body: .bytes(0))
    }
  }
}
