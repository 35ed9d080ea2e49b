import EventBus
import FetcherModel
import Foundation
import OriginServer
import ScenarioEngine
import TestMachine
import Testing

@testable import FetcherApp

extension ViewsOverSockets {
  @Suite struct DemoWalkTests {
    @Test(arguments: Fixture.strategies)
    func thePromisesOfTheDemoHold(_ strategy: String) async throws {
      let origin = try OriginServer(content: OriginContent())
      let pictures = packageRoot.appending(path: "Sources/FetcherApp/Resources/pictures/holidayslideshow.json")
      let lines = Locked<[String]>([])
      let walk = try DemoWalk(strategy, plan: try DemoPlan(catalogue: pictures), origin: origin) { entry in
        lines.withLock { $0.append(entry.text) }
      }
      let summary = try await walk.run()
      #expect(summary.broken == [])
      // Four pictures, and the address that fails once: one event each.
      #expect(summary.fetched == DemoPlan.parts + 1)
      #expect(summary.failed == 1)
      #expect(summary.requests == DemoPlan.parts + 2)
      #expect(summary.offMain == 0)
      #expect(summary.drawnOutOfSight == 0)
      #expect(lines.withLock { $0.contains { $0.hasPrefix("list of") } })
    }

    @Test("The summary counts every fetch that the walk began, however late a worker is", arguments: 1...7)
    func everyFetchIsCounted(_ late: Int) async throws {
      // Every picture is missing: each fetch fails at once, and the fourth picture is fetched twice.
      let catalogue = packageRoot.appending(path: "Tests/CommandLine/Golden/files/lonely.json")
      let walk = try DemoWalk(
        "dataTask", plan: try DemoPlan(catalogue: catalogue), origin: try OriginServer(content: OriginContent()),
        runtime: LateRuntime(DispatchRuntime.shared, late: late, by: .milliseconds(100))
      ) { _ in }
      let summary = try await walk.run()
      #expect(summary.requests == 7)
      #expect(summary.failed == 7)
    }

    @Test func whatDoesNotHappenIsAnErrorAndNotAHang() async throws {
      let journal = Journal(DispatchRuntime.shared) { _ in }
      let environment = FetchEnvironment()
      let image = IFImage("never read", "http://127.0.0.1/", in: environment)
      await #expect(throws: CommandFailure.self) {
        try await journal.wait(for: .ended(image.id), from: 0, "an end", limit: .milliseconds(20))
      }
    }
  }
}
