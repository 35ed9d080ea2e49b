import CommandLineTool
import FetcherModel
import Foundation
import PlainText

/// `fetcher fetch`: downloads pictures into a folder.
enum FetchCommand {
  static let output = CommandOption(
    "--output", "DIR", "the output folder, created if missing; by default the current folder")
  static let strategy = CommandOption(
    "--strategy", "NAME", "the strategy: \(Laboratory.strategies.all.joined(separator: ", "))",
    words: Laboratory.strategies.all)
  static let allowPlainHttp = CommandOption(
    "--allow-plain-http", "allow unencrypted http to other machines")
  static let timeout = CommandOption("--timeout", "SECONDS", "the time limit of each fetch; by default 60")
  static let maxBytes = CommandOption(
    "--max-bytes", "N", "the size limit of a response; by default \(FetchLimits().maximumBytes)")
  static let overwrite = CommandOption(
    "--overwrite", "replace existing files; by default a new file gets -2, -3, ...")
  static let skipExisting = CommandOption("--skip-existing", "skip addresses whose file already exists")
  static let json = CommandOption("--json", "the results as JSON")
  static let quiet = CommandOption("--quiet", "print failures only")

  static let command = Command(
    name: "fetch", summary: "fetches pictures into a folder", arguments: "URL...", needsArguments: true,
    options: [output, strategy, allowPlainHttp, timeout, maxBytes, overwrite, skipExisting, json, quiet],
    details: [
      "Fetches at most six addresses at a time, and each address once. The file name is the last",
      "part of the address: control characters, slashes, backslashes and colons become _, and leading",
      "dots are removed. A name without an extension gets the picture's extension. A long name is cut",
      "to 200 bytes, not counting the extension. A file gets its name only when it is complete, so",
      "Ctrl-C or a full disk never leaves a partial file with that name.",
      "--skip-existing finds a file by a checksum of its address, which fetch stores in the extended",
      "attribute user.fetcher.address. It finds a file without that attribute by its name.",
      "--json prints one entry per address, in the order of the arguments, with the keys url, strategy,",
      "ok, bytes, format, width, height, seconds and file, plus skipped if the file existed. A failure",
      "adds error (a message), category (badStatus, timedOut, ..., or file) and, for badStatus, status.",
    ],
    example: "fetcher fetch --output photos --strategy async http://127.0.0.1:8080/sunset-10.jpeg", run: run)

  private struct Results: Encodable {
    let results: [FetchReport]
  }

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let strategy = try Laboratory.strategies.one(arguments)
    let present = try present(arguments)
    let folder = URL(filePath: arguments[output] ?? ".")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure.cannotStart("cannot create the folder \(folder.path): \(FileFailure.reason(error))")
    }
    FileWriter.shared.removeStaleFiles(in: folder)
    let policy = TransportPolicy(allowsArbitraryLoads: arguments.has(allowPlainHttp))
    let seconds = try arguments.number(timeout, in: 1...86_400, or: 60)
    let limits = FetchLimits(
      maximumBytes: try arguments.number(maxBytes, in: 1...Int.max, or: FetchLimits().maximumBytes),
      deadline: .seconds(seconds), idleTimeout: .seconds(seconds))
    // `maximumInFlight` is the number of connections that a session opens to one host.
    let environment = FetchEnvironment(policy: policy, limits: limits, maximumInFlight: 6)
    Laboratory.register(in: environment)
    try environment.select(StrategyName(strategy))
    let run = FetchRun(
      arguments.arguments, FileNames(folder: folder, present: present), strategy, environment,
      saysSuccess: !arguments.has(quiet) && !arguments.has(json),
      showsProgress: ProgressLine.isShown && !arguments.has(quiet), context)
    let interruption = context.shutdown.atEnd {
      let standing = run.interrupt()
      if arguments.has(json) { try? show(run, arguments, context) }
      context.notes.line(standing)
      environment.shutDown()
    }
    await run.run()
    context.shutdown.forget(interruption)
    environment.shutDown()
    if arguments.has(json) { try show(run, arguments, context) }
    return arguments.arguments.allSatisfy { run.report($0)?.ok == true } ? .success : .failed
  }

  private static func show(_ run: FetchRun, _ arguments: ParsedArguments, _ context: CommandContext) throws {
    context.output.line(try JSONText.of(Results(results: arguments.arguments.compactMap(run.report))))
  }

  private static func present(_ arguments: ParsedArguments) throws(UsageError) -> FileNames.Present {
    guard arguments.has(skipExisting) else { return arguments.has(overwrite) ? .overwrite : .keepBoth }
    if arguments.has(overwrite) { throw UsageError("--overwrite and --skip-existing cannot be combined") }
    return .skip
  }
}
