import EventBus
import FetcherModel
import Foundation
import ScenarioEngine
import ScenarioFormat

/// `fetcher fetch`: real pictures into a folder.
enum FetchCommand {
  static let command = Command(
    name: "fetch", summary: "fetches pictures into a folder", arguments: "URL...", needsArguments: true,
    options: [
      CommandOption("--output", "DIR", "the folder, made if it is missing; by default the current one"),
      CommandOption("--strategy", "NAME", "how to fetch: \(StrategyNames.all.joined(separator: ", "))"),
      CommandOption("--allow-plain-http", nil, "plain http to other machines as well, where anybody can listen"),
      CommandOption("--timeout", "SECONDS", "how long each fetch may take; by default 60"),
      CommandOption("--max-bytes", "N", "how many bytes an answer may have; by default \(FetchLimits().maximumBytes)"),
      CommandOption("--json", nil, "the results as JSON"),
      CommandOption("--quiet", nil, "say nothing of what went well"),
    ],
    example: "fetcher fetch --output photos --strategy async http://127.0.0.1:8080/sunset-10.jpeg", run: run)

  private struct Results: Encodable {
    let results: [FetchReport]
  }

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let strategy = try StrategyNames.one(arguments)
    let folder = URL(filePath: arguments["--output"] ?? ".")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure.cannotStart("cannot make the folder \(folder.path): \(FileFailure.reason(error))")
    }
    let policy = TransportPolicy(allowsArbitraryLoads: arguments.has("--allow-plain-http"))
    // As many as a session opens connections to one host.
    let seconds = try arguments.number("--timeout", in: 1...86_400, or: 60)
    let limits = FetchLimits(
      maximumBytes: try arguments.number("--max-bytes", in: 1...Int.max, or: FetchLimits().maximumBytes),
      deadline: .seconds(seconds), timeoutSeconds: seconds, maximumInFlight: 6)
    let environment = try FetchEnvironment(strategy: strategy, policy: policy, limits: limits)
    let isSilent = arguments.has("--quiet") || arguments.has("--json")
    let reports = await withTaskGroup(of: (Int, FetchReport).self) { group in
      for (index, url) in arguments.arguments.enumerated() {
        group.addTask {
          let report = await fetch(url, strategy, into: FileNames(folder: folder), environment)
          show(report, isSilent: isSilent, context)
          return (index, report)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
    environment.finishAndSweep()
    if arguments.has("--json") { context.output.line(try JSONText.of(Results(results: reports))) }
    return reports.allSatisfy(\.ok) ? .success : .failed
  }

  private static func fetch(
    _ url: String, _ strategy: String, into names: FileNames, _ environment: FetchEnvironment
  ) async -> FetchReport {
    var report = FetchReport(url: url, strategy: strategy)
    let start = environment.runtime.now
    let result = await IFImage(report.url, url, in: environment).result()
    report.seconds = (environment.runtime.now - start).inSeconds
    do {
      let picture = try result.get()
      report.file = try names.write(picture, from: url).path
      report.ok = true
      report.bytes = picture.bytes.count
      report.format = picture.format.rawValue
      report.width = picture.width
      report.height = picture.height
    } catch FetchError.blockedByTransportPolicy where isPlainHTTPElsewhere(url) {
      report.error = "\(report.url): only https, and http to this machine; --allow-plain-http allows http to others"
    } catch FetchError.blockedByTransportPolicy where !isHTTP(url) {
      report.error = "\(report.url): only http and https addresses can be fetched"
    } catch FetchError.tooLarge {
      report.error = "\(report.url): longer than the size limit; --max-bytes raises it"
    } catch FetchError.timedOut {
      report.error =
        "\(report.url): no complete answer before the deadline; try again, or allow more time with --timeout"
    } catch let error as FetchError {
      report.error = error.message(for: report.url)
    } catch {
      report.error = "\(report.url): cannot write into \(names.folder.path): \(FileFailure.reason(error))"
    }
    return report
  }

  /// Whether the address itself is what the policy refuses, and for its scheme: a redirect may be refused as well.
  private static func isPlainHTTPElsewhere(_ url: String) -> Bool {
    url.lowercased().hasPrefix("http://") && (try? TransportPolicy().url(url)) == nil
  }

  private static func isHTTP(_ url: String) -> Bool { url.lowercased().hasPrefix("http") }

  private static func show(_ report: FetchReport, isSilent: Bool, _ context: CommandContext) {
    if let error = report.error {
      context.notes.line(context.notes.style(.red, "error:") + " " + error)
    } else if !isSilent, let file = report.file, let width = report.width, let height = report.height {
      context.output.line(
        "\(file)  \(width) x \(height) \(report.format ?? "")  \(report.bytes) bytes  \(report.seconds.fixed(2)) s")
    }
  }
}
