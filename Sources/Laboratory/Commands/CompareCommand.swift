import CommandLineTool
import Comparison
import EventBus
import FetcherModel
import Foundation
import PlainText
import ScenarioEngine
import ScenarioFormat
import TutorialApps

/// `fetcher compare`: measures the strategies, and recommends one for each workload, with a confidence level.
enum CompareCommand {
  static let command = Command(
    name: "compare", summary: "measures the strategies for two minutes, and recommends one for each workload",
    arguments: "[SCENARIO.json, URL or FILE]",
    options: CompareOptions.all,
    example: "fetcher compare --workload list,scroll --html report.html", run: run)

  private static func stray(_ word: String) -> UsageError {
    if Workload.measurable.map(\.rawValue).contains(word) {
      return UsageError("\"\(word)\" is a workload: write --workload \(word)")
    }
    if FileManager.default.fileExists(atPath: word + ".json") {
      return UsageError("compare takes a scenario's file; \(Spelling.question(word + ".json"))")
    }
    if word.contains("://") { return UsageError("to measure images on your server, write --url \(word)") }
    return UsageError("compare takes a scenario's file, or no argument without --url or --load, but got \"\(word)\"")
  }

  /// Returns the scenario that the user names instead of workloads, or nil.
  private static func scenario(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> ComparedScenario? {
    guard let word = arguments.arguments.first, !arguments.has(CompareOptions.url), !arguments.has(CompareOptions.load)
    else { return nil }
    guard word.hasSuffix(".json"), arguments.arguments.count == 1 else { throw stray(word) }
    if arguments.has(CompareOptions.json), !FileManager.default.fileExists(atPath: word) {
      throw UsageError(
        "--json prints to standard output. To save the report, use `--json > \(word)`. To read a saved one, use "
          + "`--load \(word)`.")
    }
    return try ComparedScenario(path: word, context.notes)
  }

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    if arguments.has(CompareOptions.schema) {
      context.output.line(ComparisonSchema.text)
      return .success
    }
    let scenario = try scenario(arguments, context)
    let options = try CompareOptions(arguments, scenario)
    let writer = try ComparisonWriter(arguments, options.conditions, context)
    try writer.validate()
    if let path = arguments[CompareOptions.load] {
      guard arguments.arguments.count < 2 else { throw UsageError("--load takes at most two files") }
      let files = try ([path] + arguments.arguments).map(load)
      return try writer.write(files[0], beside: files.count > 1 ? files[1] : nil)
    }
    if !arguments.has(CompareOptions.behavior) { try refuseDebug(arguments) }
    return try await measure(options, scenario, arguments, writer, context)
  }

  private static func refuseDebug(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard MachineProbe.build == "debug", !arguments.has(CompareOptions.allowDebug) else { return }
    throw .cannotStart(
      "the times of a debug build are meaningless; run `swift run -c release fetcher compare`, or add --allow-debug")
  }

  private static func load(_ path: String) throws -> ComparisonRecord {
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw CommandFailure.cannotStart("\(path): the file cannot be read: \(FileFailure.reason(error))")
    }
    do {
      let record = try JSONDecoder().decode(ComparisonRecord.self, from: data)
      try record.validate()
      return record
    } catch {
      let found = (error as? RecordProblem)?.message ?? DecodingProblem(error).text
      throw CommandFailure.cannotStart(
        "\(path): not a comparison: \(found); --load reads the output of `fetcher compare --json`")
    }
  }

  private static func measure(
    _ options: CompareOptions, _ scenario: ComparedScenario?, _ arguments: ParsedArguments, _ writer: ComparisonWriter,
    _ context: CommandContext
  ) async throws -> ExitCode {
    let runtime = DispatchRuntime.shared
    let onlyBehavior = arguments.has(CompareOptions.behavior)
    if arguments.has(CompareOptions.waitIdle), !onlyBehavior {
      let isIdle = await MachineProbe.waitForIdle(runtime, limit: .seconds(300)) { load in
        context.notes.line(context.notes.style(.dim, "waiting for an idle machine: load \(load.decimals(2))"))
      }
      if !isIdle { context.notes.line("the machine did not become idle within five minutes") }
    }
    let secure = onlyBehavior ? nil : try await secureSetup(options, context)
    var settings = ComparisonRecord.Settings(
      seed: options.seed, blocks: options.blocks, contenders: options.contenders,
      workloads: onlyBehavior
        ? [] : options.workloads.map { Workload.measurable.contains($0.workload) ? WorkloadContent($0).settings : $0 },
      until: options.until, front: secure?.version, options: options.words)
    settings.waitedIdle = arguments.has(CompareOptions.waitIdle) ? true : nil
    let keeper = ComparisonKeeper(
      ComparisonRecord(program: Command.executableVersion, machine: MachineProbe.machine(), settings: settings))
    let start = runtime.now
    let comparison = ComparisonRun(
      settings: settings, scenario: scenario, allowsPlainHTTP: options.allowsPlainHTTP,
      child: try .ofThisExecutable(context.shutdown),
      secure: secure, context: context, decisions: { ComparisonAnalysis(keeper.record).decisions }
    ) { sample in keeper.change { $0.samples.append(sample) } }
    let progress = ProgressLine(runtime, expected: comparison.expectedSeconds)
    let finish = { @Sendable (isIncomplete: Bool) throws -> ExitCode? in
      progress.end()
      keeper.change { record in
        record.incomplete = isIncomplete
        record.seconds = (runtime.now - start).inSeconds.rounded(to: 1)
        record.machine.loadAfter = onlyBehavior ? nil : MachineProbe.load
      }
      return try keeper.take().map { try writer.write($0) }
    }
    // The actions registered with `atEnd` run in reverse order. Each child process registers its action later, so the
    // child is stopped before this action runs.
    context.shutdown.atEnd { _ = try? finish(true) }
    announce(comparison, context)
    // A sequential comparison needs the behavior of the strategies first, because its decisions depend on that.
    if options.until != nil, scenario == nil { addBehavior(options.strategies, to: keeper, context) }
    let stopped = try await comparison.run(progress, runtime)
    if !arguments.has(CompareOptions.url), scenario == nil, stopped == nil, options.until == nil {
      addBehavior(options.strategies, to: keeper, context)
    }
    if let stopped {
      progress.end()
      context.notes.line(context.notes.style(.red, "stopped:") + " \(stopped)")
    }
    let code = try finish(stopped != nil) ?? .interrupted
    let isMissing = stopped != nil || onlyBehavior && keeper.record.behavior.isEmpty
    return isMissing ? .failed : code
  }

  /// Prepares everything that https requires, or returns nil if no workload uses https.
  private static func secureSetup(
    _ options: CompareOptions, _ context: CommandContext
  ) async throws(CommandFailure) -> SecureSetup? {
    if let path = options.rootCertificate { return try await .usersServer(trusting: path, context.shutdown) }
    guard let transport = options.workloads.lazy.compactMap(\.transport).first else { return nil }
    return try await .ownServer(transport, DispatchRuntime.shared, context.shutdown)
  }

  /// Prints the predicted time of a scenario in advance, or the number of requests, because the server belongs to the
  /// user.
  private static func announce(_ comparison: ComparisonRun, _ context: CommandContext) {
    if let path = comparison.scenario?.path, let settings = comparison.settings.workloads.first {
      let runs = comparison.contenders(for: settings).count * (comparison.settings.blocks + 1)
      let limit = comparison.settings.until == nil ? "about" : "at most"
      context.notes.line(
        "\(visible(path)): \(runs) runs of about \(WorkloadDefaults.seconds(settings).decimals(1)) s, \(limit) "
          + "\(comparison.expectedSeconds.decimals(0)) s in all")
    }
    for settings in comparison.settings.workloads where settings.workload == .url {
      let runs = comparison.contenders(for: settings).count * (comparison.settings.blocks + 1)
      let urls = settings.urls?.map(\.addressWithoutCredentials).joined(separator: ", ") ?? ""
      context.notes.line("\(runs * settings.images) requests, \(settings.inFlight) at a time, to \(urls)")
    }
  }

  private static func addBehavior(_ strategies: [String], to keeper: ComparisonKeeper, _ context: CommandContext) {
    guard let folder = BehaviorRuns.find(executable: Bundle.main.executableURL) else {
      context.notes.line(
        "the behavior table is omitted: there is no folder `scenarios` here or next to the executable")
      return
    }
    do {
      let cells = try BehaviorRuns(folder: folder).cells(strategies)
      keeper.change { $0.behavior = cells }
    } catch {
      context.notes.line("the behavior table is omitted: \((error as? CommandFailure)?.message ?? "\(error)")")
    }
  }
}
