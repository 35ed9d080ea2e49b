import Foundation
import OriginServer
import Testing

extension BuiltProgram {
  @Suite struct InstallTests {
    private let script = Program.packageRoot.appending(path: "Scripts/install").path
    private let bash = Program(executable: URL(filePath: "/usr/bin/env"))

    @Test("The installed program works from anywhere, with its pictures, its manual and its completions")
    func install() async throws {
      let folder = try TemporaryFolder()
      let prefix = folder.url.appending(path: "a prefix")
      let build = Program.built.deletingLastPathComponent().path
      let outcome = try await bash.run("bash", script, "--prefix", prefix.path, "--build", build)
      #expect((outcome.code, outcome.notes) == (0, ""))
      let elsewhere = try TemporaryFolder()
      let program = Program(executable: prefix.appending(path: "bin/fetcher"), workingDirectory: elsewhere.url)
      // It walks through its own pictures.
      let system = try await program.run("system", "slideshow")
      #expect(system.code == 0, "\(system.notes)")
      for (file, command) in [
        ("share/man/man1/fetcher.1", ["manual"]), ("share/zsh/site-functions/_fetcher", ["completions", "zsh"]),
        ("share/bash-completion/completions/fetcher", ["completions", "bash"]),
        ("share/fish/vendor_completions.d/fetcher.fish", ["completions", "fish"]),
      ] {
        #expect(try Data(contentsOf: prefix.appending(path: file)) == (await program.run(command).bytes), "\(file)")
      }
    }

    @Test("A wrong command line installs nothing")
    func wrong() async throws {
      let folder = try TemporaryFolder()
      for words in [[], ["--prefix"], ["--prefx", folder.url.path]] {
        let outcome = try await bash.run(["bash", script] + words)
        #expect((outcome.code, outcome.notes) == (2, "usage: bash Scripts/install --prefix DIR [--build DIR]\n"))
      }
      let missing = try await bash.run("bash", script, "--prefix", folder.url.path, "--build", "/nowhere")
      #expect(missing.code == 4)
      #expect(folder.names == [])
    }
  }
}
