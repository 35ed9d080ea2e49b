import Foundation
import Testing

extension BuiltProgram {
  /// The completions in each installed shell, and the manual in `groff`.
  @Suite struct CompletionTests {
    private static let environment = [
      "PATH": Program.built.deletingLastPathComponent().path + ":/usr/local/bin:/usr/bin:/bin"
    ]
    private static let shell = Program(executable: URL(filePath: "/usr/bin/env"), environment: environment)

    static func has(_ tool: String) -> Bool {
      ["/usr/local/bin", "/usr/bin", "/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)") }
    }

    /// Returns the completions of bash for the last word.
    private func bash(_ words: String...) async throws -> [String] {
      let list = words.map { "'\($0)'" }.joined(separator: " ")
      let script = """
        source <(fetcher completions bash); COMP_WORDS=(fetcher \(list)); COMP_CWORD=\(words.count); _fetcher
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      let outcome = try await Self.shell.run("bash", "-c", script)
      #expect(outcome.notes == "")
      return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test("In bash, the completions cover commands, flags, words and files", .enabled(if: has("bash")))
    func bash() async throws {
      #expect(try await bash("exp") == ["explore"])
      #expect(try await bash("run", "--mat") == ["--matrix"])
      #expect(try await bash("run", "--clock", "") == ["virtual", "real"])
      #expect(try await bash("fetch", "--strategy", "s") == ["socket"])
      #expect(try await bash("fetch", "--timeout", "").isEmpty)
      #expect(try await bash("lesson", "sta") == ["start"])
      #expect(
        try await bash("check", Program.packageRoot.path + "/Pack") == [Program.packageRoot.path + "/Package.swift"])
      #expect(try await bash("completions", "") == ["bash", "zsh", "fish"])
    }

    @Test("In fish, the completions cover commands, flags and words", .enabled(if: has("fish")))
    func fish() async throws {
      let offers = { (line: String) in
        let outcome = try await Self.shell.run(
          "fish", "--no-config", "-c", "fetcher completions fish | source; complete -C '\(line)'")
        #expect(outcome.notes == "")
        return outcome.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
      }
      #expect(try await offers("fetcher exp") == ["explore"])
      #expect(try await offers("fetcher run --mat") == ["--matrix"])
      #expect(Set(try await offers("fetcher run --clock ")) == ["virtual", "real"])
      #expect(try await offers("fetcher lesson sta") == ["start"])
    }

    @Test("In zsh, `_fetcher` is the completion function for `fetcher`", .enabled(if: has("zsh")))
    func zsh() async throws {
      let script = """
        autoload -Uz compinit; compinit -D -u; fetcher completions zsh >_fetcher && zsh -n _fetcher
        source ./_fetcher; print -r -- $_comps[fetcher]
        """
      let folder = try TemporaryFolder()
      var shell = Self.shell
      shell.workingDirectory = folder.url
      let outcome = try await shell.run("zsh", "-f", "-c", script)
      #expect((outcome.code, outcome.output, outcome.notes) == (0, "_fetcher\n", ""))
    }

    @Test("The manual is formatted without a warning and describes every command", .enabled(if: has("groff")))
    func manual() async throws {
      let outcome = try await Self.shell.run("bash", "-c", "fetcher manual | groff -man -Tutf8 -ww")
      #expect((outcome.code, outcome.notes) == (0, ""))
      // Bold letters are marked with escape sequences.
      let page = outcome.output.replacing(/\u{1B}\[[0-9;]*m/, with: "")
      let help = try await Program().run("--help").output
      for command in help.matches(of: /\n\s\s([a-z]+)\s/).map({ String($0.1) }) {
        #expect(page.contains("fetcher \(command)"), "\(command)")
      }
    }
  }
}
