import Foundation
import OriginServer

/// `fetcher origin`: the server alone, until Ctrl-C.
enum OriginCommand {
  static let command = Command(
    name: "origin", summary: "serves a folder on the loopback interface until Ctrl-C",
    options: [
      CommandOption("--port", "N", "the port; by default any free one"),
      CommandOption("--directory", "DIR", "the folder; by default the pictures of the program"),
    ],
    example: "fetcher origin --port 8080 --directory ./photos", endsWithItsReader: true, run: run)

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let port = try arguments.number("--port", in: 0...65_535, or: 0)
    let directory = try directory(arguments["--directory"], context)
    let origin = try start(port: UInt16(port), OriginContent(directory: directory), context)
    context.output.line("serving \(directory.path) at \(origin.baseURL.absoluteString)")
    context.notes.line("Ctrl-C ends.")
    return await withUnsafeContinuation { (_: UnsafeContinuation<ExitCode, Never>) in
      // Nothing resumes it: only a signal ends the command.
    }
  }

  /// Starts an origin that stops when the process ends.
  static func start(
    port: UInt16, _ content: OriginContent, _ context: CommandContext
  ) throws(CommandFailure) -> OriginServer {
    do {
      let origin = try OriginServer(port: port, content: content)
      context.shutdown.atEnd { origin.stop() }
      return origin
    } catch {
      throw .cannotStart("\(error)")
    }
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
