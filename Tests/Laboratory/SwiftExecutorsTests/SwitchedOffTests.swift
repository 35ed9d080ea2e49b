import ScheduleExplorer
import ScheduleExplorerTesting
import Testing

@Suite("exploreSwift without the experimental interface", .enabled(if: !ExploresSwift.isAvailable))
struct SwitchedOffTests {
  @Test("exploreSwift throws an error that names the required trait of the package")
  func error() {
    let error = #expect(throws: ExploringSwiftUnavailable.self) { try exploreSwift {} }
    #expect(error?.description.contains("the package's trait SwiftExecutors") == true)
  }
}
