import Dispatch
import Foundation
import ScheduleExplorerTesting
import TestMachine
import Testing
import VirtualTime

// snippet
@MainActor final class ForecastModel {
  private(set) var city = ""
  private(set) var forecast = ""
  private let service: any ForecastService

  init(service: any ForecastService) { self.service = service }

  func select(_ city: String) {
    self.city = city
    Task(name: "load \(city)") { forecast = await service.forecast(for: city) }
  }
}
// end

// snippet
protocol ForecastService: Sendable {
  func forecast(for city: String) async -> String
}

struct SlowService: ForecastService {
  func forecast(for city: String) async -> String {
    try? await Task.sleep(for: .milliseconds(200))
    return "sunny in \(city)"
  }
}
// end

@Suite("The test from the guide finds the race", .exploresSwift, .findsRaceOfPage) struct ExploredViewModelExample {
  // snippet
  @Test(.explored) @MainActor func lastSelectionWins() async throws {
    let model = ForecastModel(service: SlowService())
    model.select("Oslo")
    model.select("Rome")
    try await Task.sleep(for: .milliseconds(500))
    #expect(model.forecast == "sunny in Rome")
  }
  // end
}

// snippet
@Suite(.explored(schedules: 500)) struct SelectionTests {
  @Test @MainActor func emptySelection() async {
    let model = ForecastModel(service: SlowService())
    #expect(model.forecast.isEmpty)
  }

  @Test(.virtualTime) func onceADay() async throws { try await Task.sleep(for: .seconds(86_400)) }
}
// end

@Suite("The test from the page about closures finds the race", .childProcesses, .exploresSwift, .findsRace)
struct ViewModelExample {
  // snippet
  @Test("The forecast matches the selected city") func forecastOfSelection() async {
    await #expect(processExitsWith: .success) {
      exploringSwift(timing: .any) { @MainActor in
        let model = ForecastModel(service: SlowService())
        model.select("Oslo")
        model.select("Rome")
        await untilIdle()
        try check(model.forecast == "sunny in \(model.city)", "\(model.city): \(model.forecast)")
      }
    }
  }
  // end
}

@MainActor final class CarefulForecastModel {
  private(set) var city = ""
  private(set) var forecast = ""
  private let service: any ForecastService

  init(service: any ForecastService) { self.service = service }

  // snippet
  func select(_ city: String) {
    self.city = city
    Task(name: "load \(city)") {
      let forecast = await service.forecast(for: city)
      if self.city == city { self.forecast = forecast }
    }
  }
  // end
}

@Suite("The repaired view model from the guide", .childProcesses, .exploresSwift) struct RepairedViewModelExample {
  @Test("The repaired view model passes its explored test", .explored(schedules: 200)) @MainActor func repaired()
    async throws
  {
    let model = CarefulForecastModel(service: SlowService())
    model.select("Oslo")
    model.select("Rome")
    try await Task.sleep(for: .milliseconds(500))
    #expect(model.forecast == "sunny in Rome")
  }

  @Test("The repaired view model passes the search of a closure") func repair() async {
    await #expect(processExitsWith: .success) {
      let exploration = exploringSwift(timing: .any) { @MainActor in
        let model = CarefulForecastModel(service: SlowService())
        model.select("Oslo")
        model.select("Rome")
        await untilIdle()
        try check(model.forecast == "sunny in \(model.city)")
      }
      #expect(exploration?.statistics.bound?.description == "all 335 orders of jobs")
    }
  }

  @Test("The examples in the guide and in the comments behave as documented") func comments() async {
    await #expect(processExitsWith: .success) {
      #expect(throws: ExplorationFailure.self) {
        // snippet
        try exploreSwift { @MainActor in
          let cart = Cart()
          async let one: Void = cart.add("tea")
          async let two: Void = cart.add("tea")
          _ = await (one, two)
          try check(cart.lines == 1, "\(cart.lines) lines for one product")
        }
        // end
      }
      try exploreSwift { @MainActor in
        let basket = ["tea"]
        // snippet
        exploredRuntime.note("tap, \(basket.count) in the basket")
        // end
      }
      try exploreSwift {
        // snippet
        let bytes: Int = try await External.call("measure") { answer in
          DispatchQueue.global().async { answer.resume(returning: 1024) }
        }
        // end
        try check(bytes == 1024)
      }
    }
  }
}

@MainActor private final class Cart {
  private var counts: [String: Int] = [:]
  private(set) var lines = 0

  func add(_ article: String) async {
    let isNew = counts[article] == nil
    await Task.yield()
    if isNew { lines += 1 }
    counts[article, default: 0] += 1
  }
}

/// A trait that expects that the tests of the suite find the race from the guide.
private struct FindsRace: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    try await withKnownIssue {
      try await function()
    } matching: { issue in
      "\(issue)".contains("Rome: sunny in Oslo")
        && "\(issue)".contains("\nwhat the search does not vary: ScheduleExplorer.docc/")
    }
  }
}

extension Trait where Self == FindsRace {
  fileprivate static var findsRace: Self { Self() }
}

/// A trait that expects that the test finds the race from the guide, with the values and the pair that the page shows.
private struct FindsRaceOfPage: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  /// The parent process records the issue for the whole function. The child process must not treat it as known.
  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    let isChild = ProcessInfo.processInfo.environment["EXPLORED_CHILD"] != nil
    return test.isSuite || testCase != nil || isChild ? nil : self
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let page = try Page("FindTheRaceInYourViewModel")
    try await withKnownIssue {
      try await function()
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      let lines = text.split(separator: "\n").filter { $0.hasPrefix("Expectation failed") || $0.hasPrefix("Fails if") }
      // The second run of the tests replays the order that the first run stored, and does not determine the pair.
      let isComplete = lines.count == 2 || text.contains("This order is stored in .explored")
      return isComplete && page.contains(lines.joined(separator: "\n"))
    }
  }
}

extension Trait where Self == FindsRaceOfPage {
  fileprivate static var findsRaceOfPage: Self { Self() }
}
