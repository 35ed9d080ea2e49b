import Foundation
import OriginServer
import Testing

extension BuiltProgram {
  /// Every command as a user sees it: its exit code, standard output and standard error.
  ///
  /// Each file in `Golden/transcripts` begins with a line for the shell. The line runs in a separate folder with a copy
  /// of `Golden/files`. `$ORIGIN` and `$PORT` name a server with the pictures. `FETCHER_GOLDEN=write` rewrites the
  /// transcripts. To add a case, add a file with its first line.
  @Suite struct GoldenTests {
    @Test("The output and exit code of each command match its transcript")
    func transcripts() async throws {
      let found = try await GoldenTranscript.names.concurrently { try await Self.run(GoldenTranscript($0)) }
      for (name, text) in zip(GoldenTranscript.names, found) {
        let transcript = try GoldenTranscript(name)
        if ProcessInfo.processInfo.environment["FETCHER_GOLDEN"] == "write" { try transcript.write(text) }
        #expect(text == transcript.text, "\(name)")
      }
    }

    private static func run(_ transcript: GoldenTranscript) async throws -> String {
      let origin = try OriginServer(content: OriginContent(directory: Program.pictures))
      let folder = try TemporaryFolder()
      let place = folder.url.appending(path: "files")
      try FileManager.default.copyItem(at: GoldenTranscript.files, to: place)
      // The program finds its lessons in a checkout around the folder, wherever the build folder is.
      for name in ["Package.swift", "scenarios"] {
        try FileManager.default.createSymbolicLink(
          at: folder.url.appending(path: name), withDestinationURL: Program.packageRoot.appending(path: name))
      }
      let environment = [
        "PATH": Program.built.deletingLastPathComponent().path + ":/usr/bin:/bin", "NO_COLOR": "",
        "ORIGIN": String(origin.baseURL.absoluteString.dropLast()), "PORT": "\(origin.port)",
      ]
      let shell = Program(
        executable: URL(filePath: "/usr/bin/env"), workingDirectory: place, environment: environment)
      let outcome = try await shell.run("bash", "-o", "pipefail", "-c", transcript.command)
      return transcript.text(of: outcome, in: place)
    }

    @Test("Each command has transcripts of success and of a usage error")
    func coverage() async throws {
      let help = try await Program().run("--help").output
      let commands = help.matches(of: /\n\s\s([a-z]+)\s/).map { String($0.1) }
      #expect(commands.count >= 8)
      for command in commands {
        let own = try GoldenTranscript.names.map(GoldenTranscript.init).filter {
          $0.command.hasPrefix("fetcher \(command)")
        }
        #expect(own.contains { $0.text.contains("\nexit 2\n") }, "\(command)")
        // The commands origin and serve run until a signal ends them. OriginScenarioTests and LivePagesTests test them.
        #expect(
          own.count { $0.text.contains("\nexit 0\n") } >= (["origin", "serve"].contains(command) ? 1 : 2), "\(command)")
      }
    }
  }
}
