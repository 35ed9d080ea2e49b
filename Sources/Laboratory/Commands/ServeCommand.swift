import CommandLineTool
import Foundation
import LivePages
import OriginServer
import PlainText
import RunPages
import ScenarioEngine
import ScenarioFormat

/// `fetcher serve`: the live page.
enum ServeCommand {
  static let port = CommandOption(
    "--port", "N", "the port; 0 for any free port; by default \(standardPort), or any free port if it is in use")
  static let save = CommandOption(
    "--save", "DIR", "save recorded sessions in this folder; by default, the page offers a download")
  static let broken = CommandOption(
    "--broken", "PROGRAM", "start with a variant of the program that has a bug: \(Scenario.standardProgram)",
    words: [Scenario.standardProgram])
  static let scenarios = CommandOption(
    "--scenarios", "DIR", "the scenarios that the page can play; by default `scenarios`, if there is such a folder")
  private static let standardPort = 8642

  static let command = Command(
    name: "serve", summary: "makes a browser the screen of the sample: use it, watch the bus, record, replay, search",
    options: [port, scenarios, save, broken], example: "fetcher serve", endsWithItsReader: true, run: run)

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let given = try arguments.number(port, in: 0...65_535)
    let folder = try temporaryFolder(context)
    let programs = try programs(arguments[broken], context)
    let settings = LiveSettings(
      programs: programs, strategies: StrategyOption.program.all, strategy: StrategyOption.program.standard,
      scenarios: try files(arguments[scenarios]), save: try saving(into: arguments[save]), folder: folder,
      useTool: try LiveChildren(context).use)
    let page = try context.start(
      {
        do { return try LivePage(port: UInt16(given ?? standardPort), settings) } catch OriginError.portInUse
          where given == nil
        {
          return try LivePage(port: 0, settings)
        }
      }, stop: { $0.stop() })
    context.output.line(page.address)
    context.notes.line("Open this address in a browser. Ctrl-C stops the page.")
    return await withUnsafeContinuation { (_: UnsafeContinuation<ExitCode, Never>) in
      // Nothing ever resumes this continuation. Only a signal ends the command.
    }
  }

  /// A folder for the files of the tools, which is removed when the process ends.
  private static func temporaryFolder(_ context: CommandContext) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "fetcher-serve-\(UUID().uuidString)")
    return try context.start(
      {
        try FileManager.default.createDirectory(
          at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        return folder
      }, stop: { try? FileManager.default.removeItem(at: $0) })
  }

  private static func programs(_ broken: String?, _ context: CommandContext) throws -> [LiveProgram] {
    let walk = try ScenarioPaths.read(
      try context.resources.folder("pictures").appending(path: DemoScenarios.Walk.walk.rawValue).path)
    if let broken, broken != Scenario.standardProgram {
      throw UsageError.unknown("program with a bug", broken, among: [Scenario.standardProgram])
    }
    let list = LiveProgram(
      walk, title: "List and picture", summary: "a list of pictures, and the page of the selected one")
    let listWithBug = LiveProgram(
      walk, title: "List and picture, with a bug", summary: "find the order of events that shows the wrong picture",
      variant: ProgramRegistry.brokenVariant)
    let systems = try SystemExample.all.map { example in
      LiveProgram(try example.scenario(in: context.resources), title: example.title, summary: example.summary)
    }
    let programs = broken == nil ? [list] + systems + [listWithBug] : [listWithBug, list] + systems
    return programs.compactMap(\.self)
  }

  private static func saving(into path: String?) throws(CommandFailure) -> LiveSettings.Save? {
    guard let path else { return nil }
    guard ScenarioPaths.isFolder(path) else { throw .cannotStart("--save: \(visible(path)) is not a folder") }
    return { data, name in
      let file = URL(filePath: path).appending(path: name)
      do { try FileWriter.shared.write(data, to: file, replacing: false) } catch {
        let reason = FileFailure.reason(error, writing: file.path)
        throw ServeFailure(description: "cannot write \(visible(file.path)): \(reason)")
      }
      return visible(file.path)
    }
  }

  /// The valid scenarios of a folder.
  private static func files(_ path: String?) throws(CommandFailure) -> [ScenarioFile] {
    guard path != nil || ScenarioPaths.isFolder("scenarios") else { return [] }
    return try ScenarioPaths.readAll([path ?? "scenarios"]).filter { $0.scenario != nil }
  }
}

/// A failure that the live page shows.
private struct ServeFailure: Error, CustomStringConvertible {
  let description: String
}

/// The tools of the live page, which run this executable as a child process.
private struct LiveChildren {
  private let child: ChildProcess

  init(_ context: CommandContext) throws(CommandFailure) { child = try ChildProcess.ofThisExecutable(context.shutdown) }

  @Sendable func use(_ tool: LiveTool, _ file: URL, _ page: URL) async throws -> LiveToolResult {
    let command =
      switch tool {
      case .everyStrategy: ["run", file.path, "--strategy", "all", "--clock", "virtual"]
      case .search: ["explore", file.path, "--seconds", "2", "--budget", "10000000"]
      }
    let outcome = try await child.run(
      command + ["--html", page.path, "--json"], limit: .seconds(30), keepingErrors: 2000)
    switch tool {
    case .everyStrategy:
      let runs = try Self.results(StrategyRuns.self, of: outcome)
      return (outcome.end == .exited(0), runs.failures, RunPage.allRuns)
    case .search:
      guard let run = try Self.results(ExplorationResults.self, of: outcome).runs.first else {
        throw ServeFailure(description: "The search has no result.")
      }
      return Self.result(run)
    }
  }

  /// Decodes the results that a process has printed.
  ///
  /// - Throws: a failure with the process's output if there are no results.
  private static func results<Results: Decodable>(
    _ type: Results.Type, of outcome: ChildProcess.Outcome
  ) throws(ServeFailure) -> Results {
    do {
      return try JSONDecoder().decode(type, from: outcome.output)
    } catch {
      let text = String(decoding: outcome.output + outcome.errors, as: UTF8.self)
      throw ServeFailure(description: text.isEmpty ? "The process printed nothing." : text)
    }
  }

  private static func result(_ run: ExplorationOutcome) -> LiveToolResult {
    let tried = "Tried \(run.statistics.schedules.counted("order"))."
    guard let failure = run.failure else { return (run.ok, [tried], nil) }
    return (run.ok, [failure.story, failure.message.withoutPlace, tried].compactMap(\.self), failure.token)
  }
}

extension String {
  /// The message of a failure without its event, whose number is not that of a step on the page.
  fileprivate var withoutPlace: String { replacing(/\ \(event [0-9]+, t = [^()]*\)$/, with: "") }
}

/// The part of the JSON of `fetcher run` that the live page shows.
private struct StrategyRuns: Decodable {
  struct Run: Decodable {
    struct Failure: Decodable { let message: String }

    let strategy: String
    let failures: [Failure]
  }

  let runs: [Run]

  /// One sentence for each first failure, with the strategies that have it.
  var failures: [String] {
    let first = runs.compactMap { run in run.failures.first.map { (run.strategy, $0.message.withoutPlace) } }
    let messages = first.map(\.1).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return messages.map { message in
      let names = first.filter { $0.1 == message }.map(\.0)
      return "\(names.count == runs.count ? "every strategy" : names.listed(with: "and")): \(message)"
    }
  }
}
