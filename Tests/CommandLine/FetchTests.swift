import Foundation
import OriginServer
import Testing

extension BuiltProgram {
  @Suite struct FetchTests {
    private static let strategies = ["blocking", "dataTask", "downloadTask", "async", "socket"]

    private struct Report: Decodable {
      struct Result: Decodable {
        let url: String
        let strategy: String
        let ok: Bool
        let bytes: Int
        let format: String?
        let width: Int?
        let height: Int?
        let seconds: Double
        let error: String?
      }
      let results: [Result]
    }

    @Test("From a foreign server, each strategy fetches the same bytes as curl", arguments: strategies)
    func aServerThatIsNotOursGivesTheSameBytesAsItsFileAndAsCurl(_ strategy: String) async throws {
      let python = Program(executable: URL(filePath: "/usr/bin/env"))
      let server = try python.start([
        "python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", Program.pictures.path,
      ])
      let greeting = await server.line()
      let base = try #require(greeting.firstMatch(of: /http:\/\/[0-9.]+:\d+\//)).output
      let names = ["sunset-10.jpeg", "city-12.png", "moon-20.gif", "waves-14.webp"]
      let folder = try TemporaryFolder()
      let scratch = try TemporaryFolder()
      let program = Program(environment: ["TMPDIR": scratch.url.path])
      let outcome = try await program.run(
        ["fetch", "--strategy", strategy, "--output", folder.url.path] + names.map { base + $0 })
      #expect(outcome.code == 0, "\(outcome.notes)")
      #expect(folder.names == names.sorted())
      for name in names {
        let fetched = try Data(contentsOf: folder.url.appending(path: name))
        #expect(fetched == (try Data(contentsOf: Program.pictures.appending(path: name))))
        let curl = try await Program(executable: URL(filePath: "/usr/bin/env")).run("curl", "-s", base + name)
        #expect(fetched == curl.bytes)
      }
      #expect(scratch.names == [], "the program left a temporary file")
    }

    @Test("Each failed address is reported in one line, and the others are still fetched", arguments: strategies)
    func eachAddressThatFailsIsOneLineAndTheRestGoesOn(_ strategy: String) async throws {
      let html = OriginResponse(headers: [("Content-Type", "image/jpeg")], body: .text("<html>no picture</html>"))
      let origin = try OriginServer(
        content: OriginContent(directory: Program.pictures, routes: [OriginRoute(path: "/page.jpeg", html)]))
      // No server listens on port 1. Another process could take a port that was just released.
      let refused = "http://127.0.0.1:1/gone.jpeg"
      let page = origin.baseURL.absoluteString + "page.jpeg"
      let good = origin.baseURL.absoluteString + "sunset-13.jpeg"
      let folder = try TemporaryFolder()
      let outcome = try await Program().run(
        "fetch", "--strategy", strategy, "--output", folder.url.path, refused, "no url", page, good)
      #expect(outcome.code == 1)
      let lines = outcome.notes.split(separator: "\n")
      #expect(lines.count == 3, "\(outcome.notes)")
      for url in [refused, "no url", page] {
        #expect(lines.count { $0.hasPrefix("error: ") && $0.contains(url) } == 1)
      }
      #expect(outcome.output.split(separator: "\n").count == 1)
      #expect(folder.names == ["sunset-13.jpeg"])
    }

    @Test("With --json, the results are in the order of the addresses") func theResultsAreJSONInTheOrderOfTheAddresses()
      async throws
    {
      let origin = try OriginServer(content: OriginContent(directory: Program.pictures))
      let base = origin.baseURL.absoluteString
      let folder = try TemporaryFolder()
      let urls = ["sunset-10.jpeg", "missing.png", "moon-20.gif", "sunset-10.jpeg"].map { base + $0 }
      let outcome = try await Program().run(["fetch", "--json", "--output", folder.url.path] + urls)
      #expect(outcome.code == 1)
      let results = try JSONDecoder().decode(Report.self, from: outcome.bytes).results
      try #require(results.map(\.url) == urls)
      #expect(results.map(\.ok) == [true, false, true, true])
      #expect(results.map(\.format) == ["jpeg", nil, "gif", "jpeg"])
      #expect(results[1].error?.contains("404") == true)
      #expect(results[0].width == 1200 && results[0].height == 800)
      #expect(results.allSatisfy { $0.strategy == "dataTask" && $0.seconds >= 0 })
      #expect(folder.names == ["moon-20.gif", "sunset-10.jpeg"])
      #expect(results[0].bytes == results[3].bytes)
    }

    @Test("Plain http to another machine is rejected, with advice") func plainHTTPToAnotherMachineIsRefused()
      async throws
    {
      let outcome = try await Program().run("fetch", "http://example.org/a.png")
      #expect(outcome.code == 1)
      #expect(outcome.notes.contains("--allow-plain-http"))
    }

    @Test("`fetch` suggests --allow-plain-http only where the flag helps")
    func adviceForPlainHTTPOnly() async throws {
      let away = OriginResponse(status: 302, headers: [("Location", "mailto:somebody@example.org")])
      let origin = try OriginServer(content: OriginContent(routes: [OriginRoute(path: "/away", away)]))
      let outcome = try await Program().run("fetch", "file:///etc/passwd", origin.baseURL.absoluteString + "away")
      #expect(outcome.code == 1)
      #expect(outcome.notes.contains("blocked by the transport policy"))
      #expect(outcome.notes.contains("“file:///etc/passwd”: only http and https addresses can be fetched"))
      #expect(!outcome.notes.contains("--allow-plain-http"))
    }

    @Test("The error for a rejected address does not print its password", arguments: ["http:/", "http://"])
    func refusedAddresses(_ start: String) async throws {
      let address = start + "user:S3C RET@host:x/"
      for words in [
        ["fetch", address], ["fetch", "--json", address], [address], ["check", address], ["origin", "--port", address],
        ["fetch", "--timeout", address, "x"], ["compare", "--allow-debug", "--url", address],
        ["compare", "--strategies", address], ["system", "photorama", "--base", address],
      ] {
        let outcome = try await Program().run(words)
        #expect(!(outcome.output + outcome.notes).contains("RET"), "\(words)")
        #expect(!(outcome.output + outcome.notes).contains("S3C"), "\(words)")
      }
    }

    #if os(Linux)
      /// A command that runs a program with another hosts file: script, file, program, its arguments.
      private static let withHosts = [
        "--user", "--map-root-user", "--mount", "sh", "-c", #"mount --bind "$1" /etc/hosts && shift && exec "$@""#,
        "sh",
      ]
      private static let unshare = Program(executable: URL(filePath: "/usr/bin/unshare"))

      @Test(
        "The socket strategy loads from a host whose first address does not respond",
        .enabled("a process may have its own hosts file") {
          (try? await unshare.run(withHosts + ["/etc/hosts", "cat", "/proc/net/if_inet6"]))?.output.contains(" lo\n")
            ?? false
        })
      func silentAddress() async throws {
        let origin = try OriginServer(
          content: OriginContent(directory: Program.pictures), policy: OriginPolicy(hostNames: ["two.test"]))
        // The connections fill the queue, and the server accepts none of them.
        let silence = """
          import signal, socket
          server = socket.create_server(("::1", \(origin.port)), family=socket.AF_INET6, backlog=0)
          first = socket.create_connection(("::1", \(origin.port)))
          print("silent")
          signal.pause()
          """
        let silent = try Program(executable: URL(filePath: "/usr/bin/env")).start(["python3", "-u", "-c", silence])
        #expect(await silent.line() == "silent")
        let folder = try TemporaryFolder()
        let hosts = try folder.write("::1 two.test\n127.0.0.1 two.test\n", to: "hosts")
        let outcome = try await Self.unshare.run(
          Self.withHosts + [
            hosts, Program.built.path, "fetch", "--strategy", "socket", "--allow-plain-http", "--timeout", "20",
            "--output",
            folder.url.path, "http://two.test:\(origin.port)/moon-20.gif",
          ])
        #expect(outcome.code == 0, "\(outcome.notes)")
        #expect(folder.names.contains("moon-20.gif"))
        withExtendedLifetime(silent) {}
      }
    #endif

    @Test("With --quiet, a successful fetch prints nothing") func quietSaysNothingOfWhatWentWell() async throws {
      let origin = try OriginServer(content: OriginContent(directory: Program.pictures))
      let folder = try TemporaryFolder()
      let outcome = try await Program().run(
        "fetch", "--quiet", "--output", folder.url.path, origin.baseURL.absoluteString + "moon-20.gif")
      #expect((outcome.code, outcome.output, outcome.notes) == (0, "", ""))
    }
  }
}
