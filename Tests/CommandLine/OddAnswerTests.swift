import FetcherModel
import Foundation
import TestMachine
import Testing

#if os(Linux)
  extension BuiltProgram {
    /// Responses that no well-behaved server sends. `odd-answers.py` describes them; the page *Faults* states the
    /// reason for each difference. By default, every fourth response is fetched.
    @Suite struct OddAnswerTests {
      private struct Answers: Decodable {
        struct Row: Decodable {
          let name: String
          let path: String
          let difference: String?
          let isOverHTTP2: Bool
          let differsOverHTTPS: Bool

          /// Normalizes the end of a fetch of this answer. A cut body counts as truncated, or as a lost connection if
          /// the system has already reported a reset. Which one occurs depends on timing.
          func end(_ end: String) -> String {
            name.contains("cut") && ["truncated ", "transport "].contains(end) ? "cut" : end
          }
        }
        let ports: [String: Int]
        let answers: [Row]
      }

      /// The server, and the folder of its certificate.
      private struct Server {
        let folder: TemporaryFolder
        let program: RunningProgram
        let answers: Answers

        init(isSecure: Bool = false) async throws {
          folder = try TemporaryFolder()
          let script = Program.packageRoot.appending(path: "Tests/CommandLine/odd-answers.py").path
          program = try Program(executable: URL(filePath: "/usr/bin/env"))
            .start(["python3", "-u", script] + (isSecure ? [folder.url.path] : []))
          answers = try JSONDecoder().decode(Answers.self, from: Data(await program.line().utf8))
        }

        var certificate: String { folder.url.appending(path: "certificate.pem").path }

        func base(_ transport: String) -> String {
          "\(transport == "http" ? "http" : "https")://127.0.0.1:\(answers.ports[transport] ?? 0)"
        }
      }

      private struct Report: Decodable {
        struct Result: Decodable {
          let ok: Bool
          let category: String?
          let status: Int?
        }
        let results: [Result]
      }

      /// Returns the result of `fetch` for each answer, such as `picture` or `badStatus 404`.
      private func fetch(
        _ rows: [Answers.Row], _ strategy: String, from server: Server, over transport: String = "http"
      ) async throws -> [String] {
        let pictures = try TemporaryFolder()
        let words =
          ["fetch", "--json", "--quiet", "--strategy", strategy, "--output", pictures.url.path]
          + rows.map { server.base(transport) + $0.path }
        let outcome =
          if transport == "http" {
            try await Program().run(words)
          } else {
            try await Self.unshare.run(Self.withRoots + [server.certificate, Program.built.path] + words)
          }
        let results = try JSONDecoder().decode(Report.self, from: outcome.bytes).results
        let ends = results.map { result in
          result.ok ? "picture" : [result.category ?? "", result.status.map(String.init) ?? ""].joined(separator: " ")
        }
        try #require(ends.count == rows.count, "\(strategy): \(outcome.notes)")
        return ends
      }

      /// The result of curl for an answer.
      private struct CurlEnd: Equatable {
        /// The exit code, the status, and fields of the head.
        let line: String
        let body: Data

        var isPicture: Bool { line.hasPrefix("0 2") && (try? Picture(validating: body)) != nil }
      }

      private func curl(
        _ rows: [Answers.Row], from server: Server, over transport: String = "http", followsRedirects: Bool
      ) async throws -> [CurlEnd] {
        let bodies = try TemporaryFolder()
        let write = #"%{exitcode} %{http_code} %header{content-encoding} %header{location}\n"#
        let transfers = rows.enumerated().flatMap { index, row in
          ["-o", bodies.url.appending(path: "\(index)").path, server.base(transport) + row.path]
        }
        let words = ["curl", followsRedirects ? "-sL" : "-s", "--cacert", server.certificate, "-w", write] + transfers
        let outcome = try await Program(executable: URL(filePath: "/usr/bin/env")).run(words)
        // A field can end with a CR, which would form a single character with the line feed.
        let lines = outcome.bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        try #require(!lines.isEmpty && lines.count <= rows.count, "\(outcome.notes)")
        let ends = lines.enumerated().map { index, line in
          CurlEnd(line: line, body: (try? Data(contentsOf: bodies.url.appending(path: "\(index)"))) ?? Data())
        }
        // curl ends after the exit code 43.
        if ends.count == rows.count { return ends }
        return try await ends
          + self.curl(
            Array(rows[ends.count...]), from: server, over: transport, followsRedirects: followsRedirects)
      }

      @Test("Each strategy treats an odd response as curl does, or the page states the reason")
      func overHTTP() async throws {
        let server = try await Server()
        let all = server.answers.answers
        #expect(all.count >= 100)
        let rows = LongTests.some(of: all, every: 4)
        let curl = try await curl(rows, from: server, followsRedirects: true)
        let strategies = ["socket", "dataTask", "downloadTask", "async", "blocking"]
        var ends: [[String]] = []
        for strategy in strategies { ends.append(try await fetch(rows, strategy, from: server)) }
        for (index, (row, curl)) in zip(rows, curl).enumerated() {
          let seen = ends.map { row.difference == nil ? row.end($0[index]) : $0[index] }
          // A blocking read reports the same error for all failures of the network and for most statuses.
          let isBlockingAlike = seen[4] == seen[0] || ends[4][index] == "transport " && seen[0] != "picture"
          let isAlike = Set(seen.dropLast()).count == 1 && isBlockingAlike
          let agrees = isAlike && curl.isPicture == (seen[0] == "picture")
          let found = zip(strategies, seen).map { "\($0): \($1)" }.joined(separator: ", ")
          #expect(agrees == (row.difference == nil), "\(row.name): curl: \(curl.line), \(found)")
        }
        let page = try String(
          contentsOf: Program.packageRoot.appending(path: "Sources/FetcherModel/FetcherModel.docc/Faults.md"),
          encoding: .utf8)
        let stated = page.matches(of: /(?m)^\| (?<difference>[^|`]+) \| [^|]+ \| [^|]+ \|$/).map {
          String($0.difference)
        }
        #expect(Set(all.compactMap(\.difference)).subtracting(stated) == [])
      }

      private static let unshare = Program(executable: URL(filePath: "/usr/bin/unshare"))
      private static let roots = "/etc/ssl/certs/ca-certificates.crt"
      /// A command that runs a program with another trusted certificate: script, certificate, program, its arguments.
      private static let withRoots = [
        "--user", "--map-root-user", "--mount", "sh", "-c", #"mount --bind "$1" \#(roots) && shift && exec "$@""#, "sh",
      ]

      @Test(
        "An odd response ends over https and HTTP/2 as it does over http, or the page states the reason",
        .enabled("nginx and openssl are installed, and a process may trust other certificates") {
          let tools = try await Program(executable: URL(filePath: "/bin/sh"))
            .run("-c", "PATH=$PATH:/usr/sbin; command -v nginx && command -v openssl && command -v setpriv")
          let namespace = try await unshare.run(withRoots + [roots, "true"])
          return tools.code == 0 && namespace.code == 0
        })
      func overHTTPS() async throws {
        let server = try await Server(isSecure: true)
        let rows = LongTests.some(of: server.answers.answers, every: 4)
        let plain = try await curl(rows, from: server, followsRedirects: false)
        let proxied = try await curl(rows, from: server, over: "http2", followsRedirects: false)
        for ((row, plain), proxied) in zip(zip(rows, plain), proxied) where row.isOverHTTP2 {
          #expect(plain == proxied, "\(row.name): \(plain.line), over HTTP/2 \(proxied.line)")
        }
        let unchanged = rows.filter(\.isOverHTTP2)
        #expect(unchanged.count >= LongTests.times(25, long: 100))
        // `overHTTP` compares all strategies. By default, one of them shows that the transport changes nothing.
        for strategy in LongTests.some(of: ["dataTask", "blocking", "downloadTask", "async"], every: 4) {
          let http = Dictionary(
            uniqueKeysWithValues: zip(rows.map(\.name), try await fetch(rows, strategy, from: server)))
          for (transport, rows) in [("https", rows), ("http2", unchanged)] {
            let secure = try await fetch(rows, strategy, from: server, over: transport)
            for (row, found) in zip(rows, secure) where !row.differsOverHTTPS {
              #expect(
                row.end(found) == http[row.name].map(row.end), "\(strategy): \(row.name), over \(transport): \(found)")
            }
          }
        }
      }
    }
  }
#endif
