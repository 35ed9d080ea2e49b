import Foundation
import TestMachine
import Testing

#if os(Linux)
  extension BuiltProgram {
    /// The `dataTask` strategy over HTTP/2, with a server that restarts repeatedly.
    @Suite struct UnsteadyServerTests {
      private static let perRun = LongTests.times(200, long: 500)
      /// A command that runs a program with other root certificates: file, program, its arguments. The shell turns a signal into
      /// an exit code.
      private static let withRoots = [
        "--user", "--map-root-user", "--mount", "sh", "-c",
        #"mount --bind "$1" /etc/ssl/certs/ca-certificates.crt && shift && "$@"; exit $?"#, "sh",
      ]
      private static let unshare = Program(
        executable: URL(filePath: "/usr/bin/unshare"), environment: ["SWIFT_BACKTRACE": "enable=yes,color=no"])
      /// Excerpts of the messages of Foundation's known traps, which the page "Faults" lists.
      private static let traps = ["Transfer completed, but there's no response.", "in the registry"]
      /// The expected errors: refused, lost, closed before the response, and truncated. Foundation does not notice
      /// every loss, so a deadline can also expire.
      private static let causes = ["code -1004", "code -1005", "code -1011", "is truncated", "before the deadline"]

      @Test(
        "Each fetch over HTTP/2 ends exactly once while nginx restarts",
        .enabled(if: UnsteadyNginx.isInstalled, "nginx, openssl or python3 is not installed"),
        .enabled("a process may have its own root certificates") {
          (try? await unshare.run(withRoots + ["/etc/ssl/certs/ca-certificates.crt", "true"]))?.code == 0
        }, .timeLimit(.minutes(20)))
      func dataTask() async throws {
        let count = LongTests.times(200, long: 20_000)
        let nginx = try UnsteadyNginx(isSecure: true)
        let size = try Data(contentsOf: UnsteadyNginx.picture).count
        let folder = try TemporaryFolder()
        var (fetched, failed, crashes) = (0, [String: Int](), 0)
        for run in 0..<(count / Self.perRun) {
          let addresses = (0..<Self.perRun).map { "\(nginx.address)?\(run)-\($0)" }
          let outcome = try await Self.unshare.run(
            Self.withRoots + [
              nginx.roots.path, Program.built.path, "fetch", "--strategy", "dataTask", "--timeout", "20",
            ]
              + ["--overwrite", "--output", folder.url.path] + addresses)
          guard outcome.code < 2 else {
            // A crash that the page lists is printed. Any other crash fails the test.
            print(outcome.notes)
            #expect(Self.traps.contains(where: outcome.notes.contains), "\(outcome.notes)")
            crashes += 1
            continue
          }
          let errors = outcome.notes.split(separator: "\n")
          let successes = outcome.output.split(separator: "\n")
          #expect(successes.allSatisfy { $0.contains("  \(size) bytes  ") })
          fetched += successes.count
          for error in errors {
            failed[Self.causes.first(where: error.contains) ?? String(error), default: 0] += 1
            #expect(Self.causes.contains(where: error.contains), "\(error)")
          }
          #expect(successes.count + errors.count == Self.perRun)
          // Each message names its address.
          #expect(Set(errors).count == errors.count)
        }
        let disturbances = nginx.stop()
        print(
          "\(disturbances) reloads, kills of workers and restarts: \(fetched) fetched, \(failed), \(crashes) crashes")
        #expect(fetched > count / 10)
        // A short run can end before the first disturbance.
        #expect((disturbances.min() ?? -1) >= LongTests.times(0, long: 10))
      }
    }
  }
#endif
