import Foundation
import OriginServer
import TestMachine
import Testing

/// Redirects over HTTP/2, which trap if Foundation on Linux follows them itself.
@Suite(.waiting, .serialized, .timeLimit(.minutes(10)), .enabled(if: HTTPSMachine.isAble)) struct RedirectTests {
  /// The configuration of three redirects to each picture.
  private static let chain = """
    location ~ ^/1/(.*) { return 303 /2/$1; }
    location ~ ^/2/(.*) { return 302 ../3/$1; }
    location ~ ^/3/(.*) { return 307 https://127.0.0.1:$server_port/moon-20.gif?$1; }
    """

  /// A script that adds a root certificate, mounts the result over the system's file, and runs the program.
  private static let trusting = #"""
    cat "$1" >> "$2"; mount --bind "$2" /etc/ssl/certs/ca-certificates.crt && shift 2 && exec "$@"
    """#

  @Test(
    "A hundred redirect chains over HTTP/2 end with their pictures",
    arguments: LongTests.some(of: ["dataTask", "downloadTask", "async"], every: 3))
  func chains(strategy: String) async throws {
    let origin = try OriginServer(content: OriginContent(directory: Program.pictures))
    let folder = try TemporaryFolder()
    let front = try await HTTPSFront(before: origin.port, in: folder, "http2", locations: Self.chain)
    let roots = folder.url.appending(path: "roots").path
    try FileManager.default.copyItem(atPath: "/etc/ssl/certs/ca-certificates.crt", toPath: roots)
    let addresses = (0..<100).map { "https://127.0.0.1:\(front.port)/1/\($0)" }
    let pictures = folder.url.appending(path: "pictures").path
    let outcome = try await Program(executable: URL(filePath: "/usr/bin/unshare")).run(
      ["--user", "--map-root-user", "--mount", "--", "/bin/sh", "-c", Self.trusting, "sh", front.certificate, roots]
        + [Program.built.path, "fetch", "--quiet", "--strategy", strategy, "--output", pictures] + addresses)
    #expect(outcome.code == 0, "\(outcome.notes)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: pictures).count == 100)
    #expect(origin.counters.requests == 100)
  }

  @Test("A comparison follows a server's redirects over HTTP/2")
  func comparison() async throws {
    let origin = try OriginServer(content: OriginContent(directory: Program.pictures))
    let folder = try TemporaryFolder()
    let front = try await HTTPSFront(before: origin.port, in: folder, "http2", locations: Self.chain)
    let strategies = LongTests.areEnabled ? "dataTask,downloadTask,async" : "dataTask"
    let outcome = try await Program().run(
      "compare", "--allow-debug", "--blocks", "1", "--images", "20", "--strategies", strategies,
      "--cacert", front.certificate, "--url", "https://127.0.0.1:\(front.port)/1/7")
    #expect(outcome.code == 0, "\(outcome.notes)")
    #expect(!outcome.output.contains("failed"), "\(outcome.output)")
    #expect(origin.counters.requests >= 3 * 20)
  }
}
