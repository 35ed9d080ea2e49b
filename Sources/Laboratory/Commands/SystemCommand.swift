import CommandLineTool
import Foundation
import OriginServer
import PlainText
import ScenarioEngine
import ScenarioFormat

/// `fetcher system`: runs one of the five example systems against its own origin or the user's server.
enum SystemCommand {
  static let strategy = CommandOption(
    "--strategy", "A,B", "the strategy: \(StrategyOption.program.all.joined(separator: ", ")), or `all`",
    alias: "--strategies")
  static let clock = CommandOption(
    "--clock", "NAME",
    "`real`, or `virtual`, where waiting takes no time; by default real, but virtual for `blocking` with --fault stall")
  static let fault = CommandOption(
    "--fault", "NAME", "make the first response for each address fail: \(SystemFault.names.joined(separator: ", "))")

  static let command = Command(
    name: "system", summary: "runs one of five programs modeled on published tutorials; without NAME, lists them",
    arguments: "[NAME]",
    options: [strategy, clock, fault] + OwnData.options,
    example: "fetcher system photorama --strategy async --fault truncate", endsWithItsReader: true, run: run)

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let strategies = try StrategyOption.program.several(arguments) ?? [StrategyOption.program.standard]
    let fault = try arguments[fault].map { (name) throws(UsageError) in try SystemFault.named(name) }
    let clock = try clock(arguments[clock])
    guard let name = arguments.arguments.first else {
      if let option = command.options.first(where: arguments.has) {
        throw UsageError(
          "\(option.name) applies to one system; add its name, as in `fetcher system slideshow --fault html`; "
            + "choose from " + SystemExample.all.map(\.name).joined(separator: ", "))
      }
      list(context)
      return .success
    }
    if arguments.arguments.count > 1 {
      throw UsageError("system takes one name, but also got \"\(arguments.arguments[1])\"")
    }
    let example = try SystemExample.named(name)
    let file = try example.scenario(in: context.resources)
    let shipped = try file.valid(context.notes)
    let show = { (play: (String) async -> RunRecord, judge: (String, RunRecord) -> [String]) in
      await self.show(example, strategies, context, play, judge)
    }
    if let own = try OwnData(example, arguments, context) {
      if fault != nil || clock == .virtual {
        throw UsageError("--fault and --clock virtual do not work with your own server; remove them")
      }
      return await show({ await own.run(shipped, $0) }, { own.failures(in: $1) })
    }
    let scenario = fault?.spoil(shipped) ?? shipped
    // A deadline does not interrupt a blocking read, which waits for each response until Foundation times out after one
    // minute.
    let waitsLong = fault == .stall && strategies.contains("blocking")
    let usedClock = clock ?? (waitsLong ? .virtual : .real)
    if waitsLong, usedClock == .real { context.notes.line("`blocking` cannot cancel, so each stall lasts one minute") }
    let folder = try context.resources.folder("pictures")
    let origin = usedClock == .real ? try context.startOrigin() : nil
    let program = example.system.program(deadline: fault?.deadline)
    return await show(
      { strategy in
        guard let origin else {
          return VirtualScenarioRunner(
            scenario: scenario, folder: folder, program: program, showsBus: true
          ).run(strategy)
        }
        return await ScenarioRunner(
          scenario: scenario, folder: folder, origin: origin, program: program,
          timeout: .seconds(waitsLong ? 90 : 10), showsBus: true
        ).run(strategy)
      },
      { strategy, record in
        ScenarioOutcome(of: scenario, file.source, strategy: strategy, clock: usedClock, record).failures.map(\.message)
      })
  }

  /// Runs a system with each strategy. Narrates a single run, or compares the costs of several runs.
  private static func show(
    _ example: SystemExample, _ strategies: [String], _ context: CommandContext,
    _ play: (String) async -> RunRecord, _ judge: (String, RunRecord) -> [String]
  ) async -> ExitCode {
    let output = context.output
    output.line(output.style(.bold, "\(example.title): \(example.summary) (\(strategies.joined(separator: ", ")))"))
    var table = Table(SystemFigures.columns)
    var isWell = true
    for strategy in strategies {
      let record = await play(strategy)
      if strategies.count == 1 {
        for line in Narration(events: record.shown.map(\.event)).lines(output.style) { output.line(line) }
        output.line()
      }
      table.add(SystemFigures(strategy, record.events).cells)
      for failure in judge(strategy, record) {
        context.notes.line(context.notes.style(.red, "failed:") + " \(strategy): \(visible(failure))")
        isWell = false
      }
    }
    for line in table.lines(output.style) { output.line(line) }
    return isWell ? .success : .failed
  }

  private static func list(_ context: CommandContext) {
    var table = Table([.text("system"), .text("what it shows")])
    for example in SystemExample.all { table.add([example.name, "\(example.title): \(example.summary)"]) }
    for line in table.lines(context.output.style) { context.output.line(line) }
  }

  private static func clock(_ name: String?) throws(UsageError) -> Scenario.Clock? {
    guard let name else { return nil }
    guard let clock = Scenario.Clock(rawValue: name) else {
      throw .unknown("clock", name, among: Scenario.Clock.allCases.map(\.rawValue))
    }
    return clock
  }
}
