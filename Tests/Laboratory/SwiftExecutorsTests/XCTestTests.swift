import ScheduleExplorer
import ScheduleExplorerTesting
import XCTest

/// Tests that `exploreSwift` works in a test of XCTest, in the process that runs the tests.
final class XCTestTests: XCTestCase {
  func testExploringSwift() throws {
    try XCTSkipUnless(ExploresSwift.isAvailable)
    let statistics = try exploreSwift {
      await withTaskGroup(of: Int.self) { group in
        for number in 1...2 { group.addTask { number } }
        return await group.reduce(into: "") { $0 += "\($1)" }
      }
    }.statistics
    XCTAssertEqual(Set(statistics.outcomes.keys), ["12", "21"])
  }
}
