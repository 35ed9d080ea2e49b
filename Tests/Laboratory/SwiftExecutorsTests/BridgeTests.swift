import Dispatch
import EventBus
import FetcherModel
import Foundation
import OriginServer
import ScheduleExplorer
import ScheduleExplorerTesting
import TestMachine
import Testing
import VirtualTime

@testable import ScenarioEngine

@Suite("Calls that leave Swift concurrency", .childProcesses) struct BridgeTests {
  @Test("A search finds both orders in which two external calls return", .exploresSwift)
  func orders() async {
    await #expect(processExitsWith: .success) {
      let statistics = try exploreSwift(schedules: 300, timing: .any) {
        let order = Order()
        async let one: Void = order.add(External.call("one") { answer in answerFromQueue(answer, "one") })
        async let two: Void = order.add(External.call("two") { try await outside("two") })
        _ = try await (one, two)
        return await order.names
      }.statistics
      #expect(Set(statistics.outcomes.keys) == [#"["one", "two"]"#, #"["two", "one"]"#])
    }
  }

  @Test("An external call can throw, and the report names a call that never returns", .exploresSwift)
  func failures() async {
    await #expect(processExitsWith: .success) {
      let thrown = finding {
        let _: Int = try await External.call("GET /user") { $0.resume(throwing: Refused()) }
      }
      #expect(thrown?.message == "refused")
      let silent = finding(timeout: .seconds(1)) {
        let _: Int = try await External.call("GET /user") { _ in }
      }
      #expect(silent?.kind == .deadlock)
      #expect(silent?.message.contains("the external call “GET /user” has not returned") == true)
    }
  }

  @Test("Outside of a search, an external call returns its answer like a continuation")
  func outsideSearch() async throws {
    #expect(try await External.call("one") { answer in answerFromQueue(answer, "one") } == "one")
    #expect(try await External.call("two") { try await outside("two") } == "two")
  }

  @Test("A search runs the unmodified async strategy on a simulated network", .exploresSwift)
  func asyncStrategy() async {
    await #expect(processExitsWith: .success) {
      let statistics = try exploreSwift(schedules: 300, timing: .any) {
        let runtime = exploredRuntime
        let network = SimulatedLoader(runtime, completions: runtime.network("network")) { url, _ in
          SimulatedAnswer(OriginResponse(status: 200), body: Data(url.lastPathComponent.utf8), timeout: .seconds(60))
        }
        let strategy = AsyncStrategy(runtime: runtime, loader: network)
        let order = Order()
        async let one: Void = order.add(strategy.name(of: "one"))
        async let two: Void = order.add(strategy.name(of: "two"))
        _ = try await (one, two)
        return await order.names
      }.statistics
      #expect(Set(statistics.outcomes.keys) == [#"["one", "two"]"#, #"["two", "one"]"#])
    }
  }
}

private actor Order {
  private(set) var names: [String] = []

  func add(_ name: String) { names.append(name) }
}

private struct Refused: Error, CustomStringConvertible {
  let description = "refused"
}

private func answerFromQueue(_ answer: External<String>, _ name: String) {
  DispatchQueue.global().async { answer.resume(returning: name) }
}

private func outside(_ name: String) async throws -> String {
  try await Task.sleep(for: .microseconds(10))
  return name
}

extension AsyncStrategy {
  fileprivate func name(of path: String) async throws -> String {
    guard let url = URL(string: "http://127.0.0.1/\(path)") else { throw Refused() }
    return String(decoding: try await body(for: FetchRequest(url: url)).bytes, as: UTF8.self)
  }
}
