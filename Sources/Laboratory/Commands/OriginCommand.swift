import CommandLineTool
import Foundation
import OriginServer
import PlainText
import ScenarioEngine
import ScenarioFormat

/// `fetcher origin`: runs only the server, until Ctrl-C.
enum OriginCommand {
  static let port = CommandOption("--port", "N", "the port; by default any free port")
  static let directory = CommandOption("--directory", "DIR", "the folder to serve; by default fetcher's pictures")
  static let scenario = CommandOption(
    "--scenario", "FILE", "serve the responses of this scenario; its steps do not run")
  static let host = CommandOption(
    "--host", "A,B", "host names to accept besides localhost, 127.0.0.0/8 and [::1]")

  static let command = Command(
    name: "origin", summary: "serves a folder or a scenario's responses on the loopback interface, until Ctrl-C",
    options: [port, directory, scenario, host],
    example: "fetcher origin --port 8080 --scenario scenarios/late-response.json", endsWithItsReader: true, run: run)

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let port = UInt16(try arguments.number(port, in: 0...65_535, or: 0))
    let policy = OriginPolicy(hostNames: try hostNames(arguments[host]))
    if let path = arguments[scenario] {
      guard arguments[directory] == nil else {
        throw UsageError("origin serves a --directory or a --scenario, not both")
      }
      let file = try ScenarioPaths.read(ScenarioPaths.file(path))
      let scenario = try file.valid(context.notes)
      try serve(scenario, of: path, port: port, policy, context)
    } else {
      let directory = try directory(arguments[directory], context)
      let content = OriginContent(directory: directory, routes: OriginIndex.routes(of: directory))
      let origin = try context.startOrigin(port: port, content, policy: policy)
      context.output.line("serving \(visible(directory.path)) at \(origin.baseURL.absoluteString)")
    }
    context.notes.line("Ctrl-C stops the server.")
    return await withUnsafeContinuation { (_: UnsafeContinuation<ExitCode, Never>) in
      // Nothing ever resumes this continuation. Only a signal ends the command.
    }
  }

  /// Serves the routes of the scenario's origin, and prints the URL for each path.
  private static func serve(
    _ scenario: Scenario, of path: String, port: UInt16, _ policy: OriginPolicy, _ context: CommandContext
  ) throws(CommandFailure) {
    let folder = URL(filePath: path).deletingLastPathComponent()
    let origin = try context.startOrigin(port: port, OriginContent(), policy: policy)
    let network = OriginNetwork(origin, scenario, folder: folder)
    var table = Table([.text("address"), .text("answers")])
    let routes = ScenarioOrigin(scenario, folder: folder).allRoutes
    for route in routes { table.add([network.address(ofPath: route.path), route.summary]) }
    table.add(["every other path", scenario.origin.fallback?.summary ?? "404"])
    if !routes.contains(where: { $0.path == "/" }) { network.add(OriginIndex.route(table.lines())) }
    context.output.line("serving \(visible(path)) at \(origin.baseURL.absoluteString)")
    for line in table.lines(context.output.style) { context.output.line(line) }
  }

  private static func hostNames(_ list: String?) throws(UsageError) -> [String] {
    let names = ParsedArguments.words(list ?? "")
    for name in names where name.contains(/[\/@\s]|^[^\[].*:/) {
      throw UsageError("--host accepts names without a scheme, port or path, not \"\(name)\"")
    }
    return names
  }

  private static func directory(_ path: String?, _ context: CommandContext) throws(CommandFailure) -> URL {
    guard let path else { return try context.resources.folder("pictures") }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
      throw .cannotStart("\(path) is not a folder")
    }
    return URL(filePath: path)
  }
}

/// The response of `fetcher origin` at `/`: a plain-text list of the paths that it serves.
enum OriginIndex {
  static func route(_ lines: [String]) -> OriginRoute { OriginRoute(path: "/") { _, _ in response(lines) } }

  /// Returns a route that lists the current files of a folder, or no route if the folder contains an index.html.
  static func routes(of folder: URL) -> [OriginRoute] {
    guard !serves("index.html", in: folder) else { return [] }
    return [OriginRoute(path: "/", isSlow: true) { _, _ in response(paths(in: folder)) }]
  }

  /// Returns the percent-encoded paths of the files that are not hidden, so each line can be requested as it is.
  private static func paths(in folder: URL) -> [String] {
    // Foundation does not enumerate the contents of a folder through a symbolic link.
    let location = folder.resolvingSymlinksInPath()
    let names = FileManager.default.enumerator(atPath: location.path)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      !name.split(separator: "/").contains { $0.hasPrefix(".") } && serves(name, in: location)
    }.sorted().compactMap { ("/" + $0).addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) }
  }

  private static func serves(_ name: String, in folder: URL) -> Bool {
    OriginBody.fileInFolder(folder, path: name).count != nil
  }

  private static func response(_ lines: [String]) -> OriginResponse {
    OriginResponse(
      headers: [("Content-Type", "text/plain; charset=utf-8")], body: .text(lines.map { $0 + "\n" }.joined()))
  }
}
