import ScheduleExplorer
import ScheduleExplorerTesting
import Testing

@Suite("Without the experimental interface", .enabled(if: !ExploresSwift.isAvailable)) struct SwitchedOffTests {
  @Test("exploreSwift throws one error, which says what it needs")
  func error() {
    let error = #expect(throws: ExploringSwiftUnavailable.self) { try exploreSwift {} }
    #expect(error?.description.contains("the package's trait SwiftExecutors") == true)
  }
}
