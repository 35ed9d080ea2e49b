import RunPages
import ScheduleExplorer
import Testing
import VirtualTime

/// The rows and bars of explored runs.
@Suite struct ScheduleRunTests {
  private static let file = PageFile(path: "folder/Page.swift", lines: ["one", "two", "three"])

  /// Runs a program in which two responses race to a screen.
  private static func program(_ schedule: Schedule) -> Verdict {
    let runtime = VirtualRuntime(timing: .any, policy: schedule.policy, observer: schedule.observer)
    defer { runtime.close() }
    return judge(runtime) { runtime in
      let network = runtime.network("network")
      for (number, picture) in ["A", "B"].enumerated() {
        _ = runtime.user.schedule(after: .milliseconds(number)) {
          runtime.note("tap \(picture)")
          runtime.mark(
            RunMark(.begins(.request, number: UInt64(number), name: "GET \(picture)"), fileID: "M/Page.swift", line: 2))
          _ = network.schedule(after: .milliseconds(10)) {
            runtime.note("answer \(picture)")
            runtime.mark(RunMark(.ends(.request, number: UInt64(number), error: nil)))
            runtime.mark(RunMark(.shows(picture, view: "screen")))
          }
        }
      }
      return { "shown" }
    }
  }

  private static func page(_ deviations: String) throws -> PageRun {
    let deviations = try #require(Deviations(deviations))
    return ScheduleRun.page(
      id: "E1.\(deviations)", name: "", RecordedRun(deviations, of: program), files: [file])
  }

  @Test("Each item has a row in its lane, with the line that scheduled it") func rows() throws {
    let run = try Self.page("-")
    #expect(run.rows.map(\.text).contains("tap A"))
    let step = try #require(run.rows.first { $0.text == "tap A" })
    #expect(step.lane == .user)
    #expect(step.source?.line == 2)
    #expect(run.rows.first { $0.text == "answer A" }?.lane == .network)
    #expect(run.isPassed)
    #expect(!run.hasTimes)
  }

  @Test("A request has a bar from its step to its response") func bars() throws {
    let run = try Self.page("-")
    #expect(run.bars.map(\.label) == ["GET A", "GET B"])
    for bar in run.bars {
      let end = try #require(bar.end)
      #expect(run.rows[bar.start].text == "tap \(bar.subject ?? "")")
      #expect(run.rows[end].text == "answer \(bar.subject ?? "")")
    }
  }

  @Test("A row that deviates from the default order names the items that it overtook") func deviations() throws {
    let run = try Self.page("0:1")
    let marked = run.rows.filter { $0.deviation != nil }
    #expect(marked.count == 1)
    #expect(marked.first?.deviation?.contains("“tap") == true || marked.first?.deviation?.contains("“answer") == true)
    #expect((marked.first?.ready.count ?? 0) > 1)
  }

  @Test("Flipping the last pair of a schedule lowers its last deviation by one") func flipping() {
    #expect(Deviations("0:1,3:2")?.withLastPairFlipped == Deviations("0:1,3:1"))
    #expect(Deviations("0:1,3:1")?.withLastPairFlipped == Deviations("0:1"))
    #expect(Deviations("-")?.withLastPairFlipped == nil)
  }
}
