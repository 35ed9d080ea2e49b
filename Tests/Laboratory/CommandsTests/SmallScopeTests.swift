import CommandLineTool
import EventBus
import Foundation
import ScenarioSamples
import ScheduleExplorer
import TestMachine
import Testing

@testable import Commands
@testable import ScenarioEngine
@testable import ScenarioFormat

/// The search through all short sequences of a scenario's steps.
@Suite struct SmallScopeTests {
  /// A program that continues to draw after its page has disappeared.
  private final class Deaf: Program {
    private let page: ListAndPicture

    init(_ context: ProgramContext) { page = ListAndPicture(context) }

    func perform(_ action: Scenario.Action) {
      if case .disappear = action { return }
      page.perform(action)
    }

    var isIdle: Bool { page.isIdle }
    var finalState: RunRecord.Final { page.finalState }
    func close() { page.close() }
    var livingModels: Int { page.livingModels }
  }

  /// A scenario that repeats one selection. Its page disappears only after the picture has arrived.
  private static let calm = #"""
    {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
     "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"},
      {"at": "1ms", "do": "wait-idle", "id": "rest"}, {"after": "rest", "plus": "100ms", "do": "disappear"},
      {"at": "1s", "do": "select", "image": "A"}],
     "expect": [{"count": {"event": "fetch.start", "equals": 1}}]}
    """#

  private func search(_ words: String..., program: @escaping ProgramRegistry.Make) throws -> ExplorationOutcome {
    let parser = CommandLineParser(commands: LaboratoryCommands.all, fallback: RunCommand.command)
    guard case .run(_, let arguments) = try parser.parse(["explore", "calm.json"] + words) else {
      fatalError("This is no call of explore.")
    }
    let options = try ExploreOptions(arguments)
    let file = SampleScenario.file(Self.calm, vocabulary: .shipped)
    let programs = ProgramRegistry.shipped.adding(Scenario.standardProgram, program)
    let search = try #require(ScenarioSearch.all(file, options, of: programs).first)
    let runtime = DispatchRuntime.shared
    let line = ProgressLine(runtime, expected: 1)
    return try SmallScopeSearch(search, upTo: try #require(options.smallScope), options, runtime).run(StopSignal()) {
      SearchProgress($0, on: line, runtime, schedules: $1, time: $2)
    }
  }

  @Test("The scope generates every sequence once, the shortest first")
  func sequences() {
    let scope = SmallScope(SampleScenario.file(Self.calm, vocabulary: .shipped).source)
    #expect(scope.count(upTo: 2) == 12)
    #expect(Array(scope.sequences(upTo: 2).prefix(5)) == [[0], [1], [2], [0, 0], [0, 1]])
    #expect(Set(scope.sequences(upTo: 3)).count == scope.count(upTo: 3))
    #expect(scope.lines([1]) == [#"{"at":"0ms","do":"select","image":"A"}"#])
  }

  @Test("Steps in a repetition count only once, as in its first round")
  func repeatedSteps() {
    let text = #"""
      {"images": {"count": 3, "path": "/p{n}.png"},
       "steps": [{"repeat": 3, "from": 2, "steps": [{"do": "select", "image": "p{n}"}, {"do": "appear"}]}]}
      """#
    let scope = SmallScope(SourceText(path: "x.json", bytes: Array(text.utf8)))
    #expect(scope.lines([0, 1]) == [#"{"at":"0ms","do":"select","image":"p2"}"#, #"{"at":"0ms","do":"appear"}"#])
  }

  @Test("A search finds a bug that the file does not script, in the fewest steps")
  func finding() throws {
    let outcome = try search("--small-scope", "3", "--bound", "1") { Deaf($0) }
    #expect(!outcome.ok)
    #expect(outcome.failure?.message.hasPrefix("update-after-disappear") == true)
    let steps = try #require(outcome.smallScope?.failing)
    #expect(steps.count <= 3 && steps.contains { $0.contains("disappear") })
  }

  @Test("The shipped program survives the search, and a budget ends the search early")
  func surviving() throws {
    let whole = try search("--small-scope", "2", "--bound", "1") { ListAndPicture($0) }
    #expect(whole.ok && whole.smallScope?.tried == 12)
    let cut = try search("--small-scope", "6", "--budget", "10") { ListAndPicture($0) }
    #expect(cut.ok && cut.statistics.schedules == 10)
  }

  @Test("The JSON schema describes every key in the report of a failed search")
  func schema() throws {
    let schema = try #require(
      try JSONSerialization.jsonObject(with: Data(ExplorationSchema.text.utf8)) as? [String: Any])
    let results = ExplorationResults(runs: [try search("--small-scope", "3", "--bound", "1") { Deaf($0) }])
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(results))
    #expect(try SchemaCheck(schema).problems(object) == [])
  }
}
