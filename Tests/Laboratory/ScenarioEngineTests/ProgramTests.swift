import EventBus
import FetcherModel
import Foundation
import ScenarioSamples
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// Custom programs in the engine. The judges report the failures of a careless program.
@Suite struct ProgramTests {
  /// A page that draws every selection, visible or not, on the thread that delivers the answer.
  private final class Careless: Program {
    private let context: ProgramContext

    init(_ context: ProgramContext) { self.context = context }

    func perform(_ action: Scenario.Action) {
      guard case .select(let image, let view) = action else { return }
      context.runtime.workers.schedule { [context] in
        context.recorder.record(.uiUpdate, [.view: view, .image: image, .shown: "placeholder"])
      }
    }

    var isIdle: Bool { true }
    var finalState: RunRecord.Final { RunRecord.Final() }
    func close() {}
    var livingModels: Int { 0 }
  }

  private static let programs = ProgramRegistry()
    .adding(Scenario.standardProgram) { ListAndPicture($0) }
    .adding("pages") { ListAndPicture($0) }
    .adding("pages", variant: "careless") { Careless($0) }

  private static let scenario = #"""
    {"scenario": 1, "name": "x", "program": "pages", "variants": ["careless", "fixed"],
     "images": [{"id": "A", "path": "/a.png"}],
     "steps": [{"at": "0ms", "do": "select", "image": "A"}, {"at": "50ms", "do": "note", "text": "end"}]}
    """#

  @Test("A scenario runs each variant that it names, and only the careless variant fails")
  func variants() throws {
    let file = SampleScenario.file(Self.scenario, vocabulary: Self.programs.vocabulary(["dataTask"]))
    let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
    let failures = try scenario.variants.map { variant in
      let program = try #require(Self.programs.make(scenario.program, variant: variant))
      let record = VirtualScenarioRunner(scenario: scenario, folder: packageRoot, program: program).run("dataTask")
      return ScenarioOutcome(
        of: scenario, file.source, strategy: "dataTask", variant: variant, clock: .virtual, record
      ).failures.map(\.expectation)
    }
    #expect(failures == [["ui-off-main", "update-after-disappear"], []])
  }

  @Test("The registry returns nil for an unknown name, and lists a variant once if it is added twice")
  func names() {
    #expect(Self.programs.make("pages", variant: "other") == nil)
    #expect(Self.programs.make("other", variant: "fixed") == nil)
    let twice = Self.programs.adding("pages", variant: "careless") { ListAndPicture($0) }
    #expect(twice.vocabulary([]).programs.map(\.variants) == [["fixed"], ["fixed", "careless"]])
  }
}
