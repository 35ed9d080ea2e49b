import CommandLineTool
import EventBus
import Foundation
import OriginServer
import TestMachine
import Testing

@testable import Commands

/// Each test runs in a separate process, because `Shutdown` takes over the signals.
@Suite("Child processes of the laboratory's commands", .childProcesses) struct ChildProcessTests {
  @Test("The end of a child process states its exit code, its signal or the watchdog") func ends() async {
    await #expect(processExitsWith: .success) {
      let child = ChildProcess(executable: URL(filePath: "/bin/sh"), shutdown: Shutdown())
      let exited = try await child.run(["-c", "echo 1; exit 3"])
      precondition(exited.end == .exited(3) && exited.output == Data("1\n".utf8))
      let crashed = try await child.run(["-c", "echo 2; kill -ILL $$"])
      precondition(crashed.end == .signal(SIGILL) && crashed.output == Data("2\n".utf8))
      precondition("\(crashed.end)" == "was terminated by signal 4 (Illegal instruction)")
      let hanging = try await child.run(["-c", "exec sleep 100"], limit: .milliseconds(100))
      precondition(hanging.end == .overdue)
    }
  }

  @Test("An exhibit reports a crash in the same way as a hang, and then shows its remedy")
  func crashingExhibit() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      try await Self.show(#"case "$*" in *"--contender async-builtin"*) echo 7; kill -ILL $$;; *) echo 9;; esac"#)
    }
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    #expect(
      output.contains(
        """
        async-builtin  500 requests, each cancelled when its response is due: 1 ended, the last after 0.01 s; then the \
        process was terminated by signal 4 (Illegal instruction)
        async          500 requests, each cancelled when its response is due: 1 ended, the last after 0.01 s
        """))
  }

  @Test("An exhibit fails if its remedy crashes") func crashingRemedy() async {
    await #expect(processExitsWith: .success) {
      do {
        try await Self.show(#"case "$*" in *"--contender async-builtin"*) echo 7;; *) kill -SEGV $$;; esac"#)
        preconditionFailure("The crash counted as a remedy.")
      } catch {
        precondition("\(error)".contains("child process for async was terminated by signal 11 (Segmentation fault)"))
      }
    }
  }

  /// Shows the exhibit with children that run a script instead of the program.
  private static func show(_ script: String) async throws {
    var exhibit = try Exhibit.named("async-builtin")
    // A script ends at once, but on a busy machine it may start late.
    exhibit.limit = .seconds(600)
    let executable = FileManager.default.temporaryDirectory.appending(path: "child-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: executable) }
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: executable)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: executable.path)
    let output = Output(descriptor: STDOUT_FILENO, style: .plain) { preconditionFailure($0) }
    let child = ChildProcess(executable: executable, shutdown: Shutdown())
    let origin = try OriginServer(content: OriginContent())
    try await ExhibitShow(exhibit: exhibit, child: child, origin: origin, output: output).run()
  }
}
