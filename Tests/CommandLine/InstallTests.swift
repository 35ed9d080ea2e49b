import Foundation
import OriginServer
import Testing

extension BuiltProgram {
  @Suite struct InstallTests {
    private let script = Program.packageRoot.appending(path: "Scripts/install").path
    private let bash = Program(executable: URL(filePath: "/usr/bin/env"))

    @Test("An installed program works in any folder, with all its resources")
    func install() async throws {
      let folder = try TemporaryFolder()
      let prefix = folder.url.appending(path: "a prefix")
      let build = Program.built.deletingLastPathComponent().path
      let outcome = try await bash.run("bash", script, "--prefix", prefix.path, "--build", build)
      #expect((outcome.code, outcome.notes) == (0, ""))
      let elsewhere = try TemporaryFolder()
      let program = Program(executable: prefix.appending(path: "bin/fetcher"), workingDirectory: elsewhere.url)
      // The demo uses the installed pictures.
      let system = try await program.run("system", "slideshow")
      #expect(system.code == 0, "\(system.notes)")
      // The system reads the installed property lists. Its server does not exist.
      let own = try await program.run("system", "slideshow", "--base", "http://127.0.0.1:1")
      #expect(own.code == 1, "\(own.notes)")
      #expect(own.output.contains("cannot connect"))
      try await lessons(program, prefix)
      for (file, command) in [
        ("share/man/man1/fetcher.1", ["manual"]), ("share/zsh/site-functions/_fetcher", ["completions", "zsh"]),
        ("share/bash-completion/completions/fetcher", ["completions", "bash"]),
        ("share/fish/vendor_completions.d/fetcher.fish", ["completions", "fish"]),
      ] {
        #expect(try Data(contentsOf: prefix.appending(path: file)) == (await program.run(command).bytes), "\(file)")
      }
    }

    /// Tests which lesson commands an installed program supports, and its errors for the others.
    private func lessons(_ program: Program, _ prefix: URL) async throws {
      var program = program
      // The program runs outside of any checkout.
      let own = URL(filePath: "/var/tmp/fetcher-lessons-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: own) }
      program.workingDirectory = own
      let version = own.appending(path: "L01Broken.swift")
      program.environment["XDG_STATE_HOME"] = prefix.path
      let list = try await program.run("lesson", "list")
      #expect(list.code == 0, "\(list.notes)")
      #expect(list.output.contains("L01  "))
      let start = try await program.run("lesson", "start", "L01")
      #expect(
        start.output.contains("\nyour copy: ./L01Broken.swift (new)\n") && !start.output.contains("share/fetcher"))
      #expect(
        start.output.hasSuffix("\nNext: `fetcher lesson predict L01`\n"), "\(start.output)")
      #expect(FileManager.default.fileExists(atPath: version.path))
      let broken = try await program.run("lesson", "break", "L03")
      #expect(broken.code == 0, "\(broken.notes)")
      #expect(broken.output.contains("L03Broken.swift:"), "the output shows the source line of the failure")
      #expect(broken.output.contains("Next: `fetcher lesson start L03`"))
      #expect(try await program.run("lesson", "show", "L03", "--diff").output.contains("+  ours:"))
      let solve = try await program.run("lesson", "solve", "L03")
      #expect(solve.code == 4)
      #expect(solve.notes.contains("L03Broken.swift does not exist: run `fetcher lesson start L03`"), "\(solve.notes)")
      // The installed modules compile the unchanged program and its repair.
      let unchanged = try await program.run("lesson", "solve", "L01")
      #expect(unchanged.code == 1 && unchanged.output.hasPrefix("You have not changed L01Broken.swift yet.\n"))
      for action in ["run", "break", "step"] {
        let output = try await program.run("lesson", action, "L01").output
        #expect(output.hasPrefix("This runs the original program, not your L01Broken.swift;"), "\(output)")
      }
      #expect(
        try await program.run("lesson", "check", "L01").output.hasPrefix("This checks our repair, not your file;"))
      #expect(
        try await program.run("lesson", "reset", "L01").output
          == "cleared your progress in L01\nYour file stays as before. To restore the file: rm L01Broken.swift, then `fetcher lesson start L01`\n"
      )
      let repair = Program.packageRoot.appending(path: "scenarios/lessons/L01-main-lane-only/L01Fixed.swift").path
      let solved = try await program.run("lesson", "solve", "L01", "--file", repair)
      #expect(solved.code == 0, "\(solved.output)\(solved.notes)")
      // A second start keeps the learner's version.
      try Data("// mine\n".utf8).write(to: version)
      let again = try await program.run("lesson", "start", "L01").output
      #expect(again.contains("\nyour copy: ./L01Broken.swift (kept; you have changed it)\n"), "\(again)")
      #expect(try String(contentsOf: version, encoding: .utf8) == "// mine\n")
    }

    @Test("The install script installs nothing if its command line is invalid")
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
