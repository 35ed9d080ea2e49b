import Foundation
import OriginServer
import TestMachine
import Testing

/// The errors of the commands if the file of a download cannot be written, where Foundation would end the process.
extension BuiltProgram {
  @Suite(.enabled(if: HTTPSMachine.allowsNamespaces)) struct TemporaryFolderTests {
    /// A script that mounts an empty file system over a folder, with these options, and runs the program there.
    private static let mounting = #"mount -t tmpfs -o "$1" tmpfs "$TMPDIR" && shift && exec "$@""#

    /// - Parameter options: the options of the file system; nil if the folder does not exist.
    private static func run(_ words: [String], _ options: String?, _ folder: String) async throws -> Program.Outcome {
      guard let options else { return try await Program(environment: ["TMPDIR": folder]).run(words) }
      return try await Program(executable: URL(filePath: "/usr/bin/unshare"), environment: ["TMPDIR": folder]).run(
        ["--user", "--map-root-user", "--mount", "--", "/bin/sh", "-c", mounting, "sh", options, Program.built.path]
          + words)
    }

    @Test(
      "Each command reports a temporary folder that cannot store a download",
      arguments: [
        ["fetch", "--strategy", "downloadTask"], ["demo", "--quiet", "--strategy", "downloadTask"],
        ["system", "slideshow", "--strategy", "downloadTask"],
        ["run", "--clock", "real", "--strategy", "downloadTask", "scenarios/moved-picture.json"],
      ], [nil, "ro", "size=1m"])
    func refused(words: [String], options: String?) async throws {
      let (scratch, output) = (try TemporaryFolder(), try TemporaryFolder())
      let folder = options == nil ? "/nowhere" : scratch.url.path
      let origin = try OriginServer(content: OriginContent(directory: Program.pictures))
      var words = words.map { $0.replacing(/^scenarios/, with: Program.packageRoot.path + "/scenarios") }
      if words[0] == "fetch" { words += ["--output", output.url.path, "\(origin.baseURL)moon-20.gif"] }
      let outcome = try await Self.run(words, options, folder)
      #expect(outcome.code == 1, "\(outcome.notes)")
      #expect(outcome.notes.contains(" the temporary folder “\(folder)"), "\(outcome.notes)")
      #expect(outcome.notes.contains("dataTask"))
      #expect(!outcome.notes.contains("Fatal error"))
    }
  }
}
