import Foundation
import OriginServer
import TestMachine
import Testing

/// Comparisons as a user runs them. The transcripts test the reports, which they make from a recorded run.
@Suite(.waiting, .serialized, .timeLimit(.minutes(10))) struct CompareTests {
  /// A comparison that a test must interrupt, because each response takes a minute.
  static let endless = ["compare", "--allow-debug", "--workload", "wait", "--latency", "60s"]

  private struct Record: Decodable {
    struct Sample: Decodable {
      let workload: String
      let block: Int
      let position: Int
      let contender: String
      let failure: String?
      let transport: String?
      let protocols: [String]?
      let values: [String: Double]
      let latencies: [Double]
    }
    struct Row: Decodable {
      let workload: String
      let contender: String
    }
    let incomplete: Bool
    let samples: [Sample]
    let rows: [Row]
  }

  /// A folder with one scenario. A comparison that starts in it does not run all scenarios with each strategy, as
  /// `behavior()` does.
  private let oneScenario: TemporaryFolder

  init() throws {
    oneScenario = try TemporaryFolder.withScenarios("late-response.json")
  }

  private func record(_ words: String...) async throws -> Record {
    let outcome = try await Program(workingDirectory: oneScenario.url)
      .run(["compare", "--allow-debug", "--json", "--blocks", "1"] + words)
    let record = try JSONDecoder().decode(Record.self, from: outcome.bytes)
    // A run can crash in Foundation. With one block, its workload then has too few valid blocks.
    let hasFailures = record.samples.contains { $0.block > 0 && $0.failure != nil }
    #expect(outcome.code == (hasFailures ? 1 : 0), "\(outcome.notes)")
    return record
  }

  @Test("Each strategy is measured in each workload, with a value for each of the workload's metrics")
  func allWorkloads() async throws {
    let strategies = LongTests.some(of: ["dataTask", "blocking", "async", "downloadTask", "socket"], every: 5)
    let record = try await record(
      "--images", "4", "--size", "5KB", "--strategies", strategies.joined(separator: ","))
    #expect(!record.incomplete)
    let wanted: [String: [String]] = [
      "list": ["throughput", "cpu", "connections", "duplicates", "service"],
      "gallery": ["throughput", "mainStall"], "scroll": ["wasted", "wastedRequests", "lastRow"],
      "feed": ["lastRow", "wasted", "picture"],
      "wait": ["waiting"], "flaky": ["arrived", "kinds", "retries", "lost"], "stall": ["poolStall", "mainStall"],
    ]
    for (workload, metrics) in wanted {
      let samples = record.samples.filter { $0.workload == workload && $0.block == 1 }
      let bare = ["list", "gallery", "wait"].contains(workload) ? ["bare API"] : []
      #expect(
        samples.map(\.contender).sorted()
          == (strategies + ["dataTask (2)"] + bare).sorted(),
        "\(workload)")
      #expect(Set(samples.map(\.position)).count == samples.count)
      for sample in samples where sample.failure == nil {
        for metric in metrics { #expect(sample.values[metric] != nil, "\(workload) \(sample.contender): \(metric)") }
        if workload == "list" {
          #expect(sample.values["duplicates"] == 0)
          #expect((sample.values["connections"] ?? 0) > 0)
          #expect(sample.latencies.count == 4)
        }
      }
    }
    #expect(record.rows.contains { $0.workload == "wait" && $0.contender == "bare API" })
  }

  @Test("The workload large-feed scrolls large images, and runs only if it is named") func largeFeed() async throws {
    let record = try await record(
      "--workload", "large-feed", "--images", "6", "--size", "500KB", "--strategies", "async")
    #expect(Set(record.samples.map(\.workload)) == ["large-feed"])
    for sample in record.samples where sample.failure == nil {
      for metric in ["wasted", "lastRow", "memory", "wastedRequests"] {
        #expect(sample.values[metric] != nil, "\(sample.contender): \(metric)")
      }
      // Only the two rows that stay on the screen count.
      #expect(sample.values["arrived"] == 2)
    }
  }

  /// The shipped scenario `fast-scrolling` with six rows instead of thirty, and less time. While Foundation waits for a
  /// response, it keeps a core busy: see the page *Busy core*.
  private static let scrolling = """
    {
      "scenario": 1, "name": "fast-scrolling", "title": "Six rows scroll by, and only the last three load",
      "strategies": ["async"], "images": {"count": 6, "id": "p{n}", "path": "/p{n}.png"}, "onDisappear": "cancel",
      "origin": {"default": {"latency": "250ms"}},
      "steps": [
        {"repeat": 3, "every": "40ms", "steps": [
          {"at": "0ms", "do": "appear", "view": "row{n}"},
          {"at": "0ms", "do": "select", "image": "p{n}", "view": "row{n}"}
        ]},
        {"repeat": 3, "from": 4, "at": "120ms", "every": "40ms", "steps": [
          {"at": "0ms", "do": "disappear", "view": "row{n-3}"},
          {"at": "0ms", "do": "appear", "view": "row{n}"},
          {"at": "0ms", "do": "select", "image": "p{n}", "view": "row{n}"}
        ]}
      ],
      "expect": [{"count": {"event": "fetch.done", "equals": 3}}, {"final": {"row6.shown": "p6"}}]
    }
    """

  @Test("A comparison measures the steps of a scenario with each strategy") func scenario() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.scrolling, to: "fast-scrolling.json")
    let words = ["compare", "--allow-debug", "--json", "--blocks", "1", "--strategies", "dataTask,blocking", path]
    let outcome = try await Program().run(words)
    #expect(outcome.code == 0, "\(outcome.notes)")
    // The first note predicts the duration. The file names only async.
    #expect(outcome.notes.contains(/^[^\n]*fast-scrolling\.json: 6 runs of about [0-9.]+ s, about \d+ s in all\n/))
    let record = try JSONDecoder().decode(Record.self, from: outcome.bytes)
    let samples = record.samples.filter { $0.block == 1 }
    #expect(samples.map(\.contender).sorted() == ["blocking", "dataTask", "dataTask (2)"])
    for sample in samples {
      #expect(sample.failure == nil && sample.workload == "scenario", "\(sample)")
      #expect((sample.values["cpuTime"] ?? 0) > 0)
      // The server takes 250 ms.
      #expect((sample.values["lastPicture"] ?? 0) >= 0.24, "\(sample)")
    }
    let wasted = Dictionary(uniqueKeysWithValues: samples.map { ($0.contender, $0.values["wasted"] ?? 0) })
    #expect(wasted["blocking", default: 0] > 0)
  }

  /// A scenario that selects two images, and repairs the server between the two selections.
  private static let recovery = """
    {
      "scenario": 1, "name": "recovery", "title": "A server recovers",
      "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
      "origin": {"routes": [{"path": "/b.png", "responses": [{"status": 500}]}]},
      "steps": [
        {"at": "0ms", "do": "appear", "view": "detail"}, {"at": "0ms", "do": "select", "image": "A"},
        {"at": "50ms", "do": "origin", "path": "/b.png", "responses": [{"status": 200}]},
        {"at": "60ms", "do": "select", "image": "B"}
      ],
      "expect": [{"count": {"event": "fetch.done", "equals": 3}}, {"final": {"detail.shown": "B"}}]
    }
    """

  @Test("A failed expectation is a result of the comparison, and steps can change the server") func expectations()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.recovery, to: "recovery.json")
    let outcome = try await Program().run(
      "compare", "--allow-debug", "--blocks", "1", "--strategies", "dataTask,async", path)
    #expect(outcome.code == 0, "\(outcome.notes)")
    // Both images arrive, so only the count is wrong.
    #expect(
      outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "expectations failed in most runs: dataTask 1, async 1; why: `fetcher run "))
    #expect(outcome.output.contains(/\nrecovery +last picture ms ↓ +[0-9.]+ +[0-9.]+ \?\n/))
    // A long path is on a separate line and is not cut.
    #expect(outcome.output.contains(/recovery\.json( | \\\n +)--until decided/))
  }

  @Test("A simulated network delays each strategy by its round trips") func network() async throws {
    // By default, one strategy of Foundation stands for all.
    let strategies = LongTests.areEnabled ? "blocking,dataTask,downloadTask,async,socket" : "dataTask"
    let record = try await record(
      "--workload", "list,feed", "--images", "4", "--rtt", "50ms", "--bandwidth", "200Mbit", "--strategies", strategies)
    let measured = record.samples.filter { $0.failure == nil && $0.block == 1 }
    #expect(Set(measured.map(\.workload)) == ["list", "feed"])
    for sample in measured where sample.workload == "list" {
      // A new connection costs one round trip, the request costs another, and the server takes 20 ms.
      #expect(sample.latencies.allSatisfy { $0 >= 0.07 }, "\(sample)")
      #expect(sample.latencies.contains { $0 >= 0.12 }, "\(sample)")
    }
    for sample in measured where sample.workload == "feed" {
      #expect((sample.values["picture"] ?? 0) >= 0.12, "\(sample)")
    }
  }

  @Test(
    "Over https, nginx counts the connections and handshakes of each strategy", .enabled(if: HTTPSMachine.isAble),
    arguments: LongTests.some(of: ["--http2", "--http1"], every: 2))
  func https(option: String) async throws {
    let strategies = LongTests.some(of: ["dataTask", "async", "blocking", "downloadTask"], every: 4)
    let record = try await record(
      "--https", option, "--workload", "list", "--images", "6", "--size", "5KB", "--strategies",
      strategies.joined(separator: ","))
    let secure = record.samples.filter { $0.transport != nil && $0.block == 1 }
    let samples = secure.filter { $0.contender != "bare API" }
    #expect(samples.map(\.contender).sorted() == (strategies + ["dataTask (2)"]).sorted())
    for sample in samples where sample.failure == nil {
      #expect(sample.protocols == (option == "--http1" ? ["HTTP/1.1"] : ["HTTP/2.0"]), "\(sample)")
      let connections = try #require(sample.values["connections"])
      #expect(connections >= 1 && connections <= 12, "\(sample)")
      #expect((sample.values["handshakes"] ?? 0) >= 1, "\(sample)")
      #expect(sample.values["duplicates"] != nil, "\(sample)")
    }
    #expect(secure.filter { $0.failure == nil }.allSatisfy { $0.values["arrived"] == 6 })
    #expect(secure.contains { $0.failure == nil })
  }

  @Test(
    "A comparison reports an untrusted certificate, and --cacert makes it trusted", .enabled(if: HTTPSMachine.isAble))
  func rootCertificate() async throws {
    let origin = try OriginServer(content: OriginContent(directory: Program.pictures))
    let folder = try TemporaryFolder()
    let front = try await HTTPSFront(before: origin.port, in: folder)
    let words = [
      "compare", "--allow-debug", "--blocks", "1", "--images", "1", "--strategies", "dataTask", "--url",
      "https://127.0.0.1:\(front.port)/moon-20.gif",
    ]
    let refused = try await Program().run(words)
    #expect(refused.code == 1)
    #expect(refused.notes.contains("the server's certificate is not trusted"), "\(refused.notes)")
    #expect(refused.notes.contains("--cacert FILE"))
    #expect(origin.counters.requests == 0)
    let trusted = try await Program().run(words + ["--cacert", front.certificate])
    #expect(trusted.code == 0, "\(trusted.notes)")
    #expect(origin.counters.requests == 4)
    let other = try await Program().run(words + ["--cacert", "/etc/ssl/certs/ca-certificates.crt"])
    #expect(other.notes.contains("; the file of --cacert does not contain its issuer"), "\(other.notes)")
    let address = "https://localhost:\(front.port)/moon-20.gif"
    let wrongHost = try await Program().run(words.dropLast() + [address, "--cacert", front.certificate])
    #expect(wrongHost.code == 1)
    #expect(wrongHost.notes.contains("invalid or names another host (code -1202); verify the host name"))
    #expect(!wrongHost.notes.contains("--cacert"), "\(wrongHost.notes)")
    let page = Program.packageRoot.appending(path: "README.md").path
    let garbage = try await Program().run(words + ["--cacert", page])
    #expect(garbage.code == 4)
    #expect(garbage.notes.hasSuffix(": not a certificate; it takes a file in PEM or DER format\n"), "\(garbage.notes)")
  }

  @Test(
    "A dead https proxy and an unusual TMPDIR do not affect a comparison over https", .enabled(if: HTTPSMachine.isAble),
    arguments: LongTests.some(of: ["https_proxy", "HTTPS_PROXY"], every: 2))
  func environment(proxy: String) async throws {
    let folder = try TemporaryFolder()
    let odd = folder.url.appending(path: "a b;$c{d\n\"e")
    try FileManager.default.createDirectory(at: odd, withIntermediateDirectories: true)
    let program = Program(
      workingDirectory: oneScenario.url, environment: [proxy: "http://127.0.0.1:1", "TMPDIR": odd.path])
    let outcome = try await program.run(
      "compare", "--allow-debug", "--json", "--blocks", "1", "--https", "--workload", "list", "--images", "4",
      "--strategies", "dataTask")
    #expect(outcome.code == 0, "\(outcome.notes)")
    let record = try JSONDecoder().decode(Record.self, from: outcome.bytes)
    #expect(record.samples.contains { $0.transport != nil })
    #expect(record.samples.allSatisfy { $0.failure == nil && $0.values["arrived"] == 4 }, "\(record.samples)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: odd.path) == [])
  }

  @Test("A comparison in which every run failed exits with 1 and names the workload") func absence() async throws {
    let file = Program.packageRoot.appending(path: "Tests/CommandLine/Golden/files/comparison.json")
    let text = try String(contentsOf: file, encoding: .utf8).replacing(/"arrived":[0-9]+/, with: "\"arrived\":0")
    let folder = try TemporaryFolder()
    let outcome = try await Program().run("compare", "--load", try folder.write(text, to: "failures.json"))
    #expect(outcome.code == 1)
    #expect(outcome.notes.contains("failed: list: no valid run: no image arrived\n"), "\(outcome.notes)")
    #expect(outcome.output.contains("warning: list: no valid run: no image arrived\n"))
    #expect(outcome.output.contains(/\nlist: many small images \(10 KB\) +no valid run +n\/a/))
  }

  @Test("A bound fails if a file is incomplete, or if either of two files violates it") func loadedBounds() async throws
  {
    let file = Program.packageRoot.appending(path: "Tests/CommandLine/Golden/files/comparison.json")
    let text = try String(contentsOf: file, encoding: .utf8)
    let folder = try TemporaryFolder()
    let incomplete = try folder.write(
      text.replacing("\"incomplete\":false", with: "\"incomplete\":true"), to: "incomplete.json")
    let failed = try folder.write(
      text.replacing(/"arrived":[0-9]+/, with: "\"arrived\":0"), to: "failed.json")
    let words = ["--fail-if", "list.throughput.dataTask < 0.001"]
    #expect(try await Program().run(["compare", "--load", file.path] + words).code == 0)
    let ended = try await Program().run(["compare", "--load", incomplete] + words)
    #expect(ended.code == 1)
    #expect(ended.notes.contains("failed: the comparison is incomplete"), "\(ended.notes)")
    #expect(try await Program().run(["compare", "--load", incomplete]).code == 0)
    #expect(try await Program().run(["compare", "--load", file.path, failed] + words).code == 1)
  }

  @Test("The report on a loaded file contains no password") func loadedTexts() async throws {
    let file = Program.packageRoot.appending(path: "Tests/CommandLine/Golden/files/comparison.json")
    let secret = try String(contentsOf: file, encoding: .utf8)
      .replacing("\"values\":", with: "\"failure\":\"cannot load https://us:s3cr@h/a\",\"values\":")
    let folder = try TemporaryFolder()
    let path = try folder.write(secret, to: "secret.json")
    for shape in ["--json", "--markdown"] {
      let outcome = try await Program().run("compare", "--load", path, shape)
      #expect(!outcome.output.contains("s3cr") && !outcome.notes.contains("s3cr"), "\(shape)")
      #expect(outcome.output.contains("cannot load"), "\(shape)")
    }
  }

  @Test(
    "If the system refuses a namespace, the error names the command that allows it", .enabled(if: HTTPSMachine.isAble))
  func refusedNamespace() async throws {
    let script = #"echo 0 > /proc/sys/user/max_user_namespaces && exec "$@""#
    let words = ["--user", "--map-root-user", "--", "/bin/sh", "-c", script, "sh", Program.built.path]
    let outcome = try await Program(executable: URL(filePath: "/usr/bin/unshare"))
      .run(words + ["compare", "--allow-debug", "--https"])
    #expect(outcome.code == 4)
    #expect(outcome.notes.contains("sudo sysctl -w user.max_user_namespaces="), "\(outcome.notes)")
  }

  @Test(
    "If the limit on open files is too small, the error names the limit and the remedy", arguments: [16, 64, 255])
  func fewDescriptors(_ most: Int) async throws {
    let outcome = try await Program(executable: URL(filePath: "/bin/sh")).run(
      "-c", #"ulimit -n "$1" && shift && exec "$@""#, "sh", "\(most)", Program.built.path, "compare", "--allow-debug",
      "--workload", "wait", "--blocks", "1")
    #expect(outcome.code == 4)
    #expect(outcome.notes.contains("at most \(most) files can be open"), "\(outcome.notes)")
    #expect(outcome.notes.contains("`ulimit -n 1024`"))
  }

  @Test("`--until decided` adds blocks only for open strategies, until the limit", .long)
  func untilDecided() async throws {
    let outcome = try await Program(workingDirectory: oneScenario.url).run(
      "compare", "--allow-debug", "--json", "--blocks", "1", "--until", "decided", "--limit", "5s", "--workload",
      "wait", "--strategies", "dataTask,async", "--images", "1", "--latency", "40ms")
    #expect(outcome.code == 0, "\(outcome.notes)")
    let record = try JSONDecoder().decode(Record.self, from: outcome.bytes)
    let blocks = { (contender: String) in Set(record.samples.filter { $0.contender == contender }.map(\.block)) }
    #expect(blocks("bare API") == [0, 1])
    #expect(blocks("dataTask").count > 2)
    #expect(blocks("dataTask") == Set(0..<blocks("dataTask").count))
    #expect(outcome.notes.contains("open after 1 blocks: wait: dataTask, async\n"))
  }

  @Test("With a rate, latency is measured from the planned start, and late starts are counted") func openLoad()
    async throws
  {
    let record = try await record("--workload", "list", "--strategies", "async", "--images", "10", "--rate", "200")
    let sample = try #require(record.samples.first { $0.contender == "async" && $0.block == 1 })
    #expect(sample.values["lateStarts"] != nil)
    #expect(sample.latencies.count == 10)
  }

  @Test("A comparison sends the user's server exactly the announced number of requests") func ownServer() async throws {
    let origin = try OriginServer(content: OriginContent(directory: Program.pictures))
    let url = "\(origin.baseURL)moon-20.gif"
    let outcome = try await Program().run(
      "compare", "--allow-debug", "--blocks", "1", "--strategies", "dataTask,async", "--url", url)
    #expect(outcome.code == 0, "\(outcome.notes)")
    #expect(outcome.notes.hasPrefix("24 requests, 2 at a time, to \(url)\n"))
    #expect(origin.counters.requests == 24)
    #expect(outcome.output.contains(/\nimages on your server +images\/s ↑ +[0-9.]+ +[0-9.]+ \?\n/))
  }

  @Test("A comparison neither prints nor records the credentials of an address") func credentials() async throws {
    let origin = try OriginServer(content: OriginContent(directory: Program.pictures))
    let url = "\(origin.baseURL)moon-20.gif"
    let secret = url.replacing("http://", with: "http://user:S3CRET@")
    let outcome = try await Program().run(
      "compare", "--allow-debug", "--json", "--blocks", "1", "--images", "1", "--strategies", "socket", "--url", secret)
    #expect(outcome.code == 0, "\(outcome.notes)")
    #expect(outcome.notes.contains(", 2 at a time, to \(url)\n"))
    #expect(outcome.output.contains("moon-20.gif"))
    #expect(!(outcome.output + outcome.notes).contains("S3CRET"))
  }

  @Test("A comparison stops after three consecutive failures of the user's server") func failingServer() async throws {
    let origin = try OriginServer(content: OriginContent())
    let outcome = try await Program().run(
      "compare", "--allow-debug", "--images", "100", "--strategies", "dataTask", "--url", "\(origin.baseURL)a.png")
    #expect(outcome.code == 1)
    #expect(
      outcome.notes.contains(
        "stopped: 3 fetches in a row failed; the last error: the server responded with status 404")
    )
    // Two requests are in flight when the third failure occurs.
    #expect(origin.counters.requests <= 6)
    #expect(outcome.output.contains("\nwarning: incomplete: "))
  }

  @Test("After Ctrl-C, a comparison prints incomplete results and leaves no child process") func interrupted()
    async throws
  {
    let folder = try TemporaryFolder()
    let program = try Program(workingDirectory: folder.url).start(Self.endless + ["--html", "report.html"])
    #expect(await program.noteLine().hasPrefix("measuring a slow server (wait): "))
    program.interrupt()
    #expect(await program.code() == 130)
    let output = String(decoding: await program.restOfOutput(), as: UTF8.self)
    #expect(output.contains("\nwarning: incomplete: ended early"))
    #expect(folder.names == ["report.html"])
    // The child writes its notes to the same pipe, which ends only when the last writer has ended.
    _ = await program.restOfNotes()
  }

  @Test("If a strategy crashes, the comparison reports it and leaves the workload open") func crash() async throws {
    let program = try Program(workingDirectory: oneScenario.url).start([
      "compare", "--allow-debug", "--blocks", "1", "--workload", "wait", "--images", "1", "--latency", "200ms",
      "--strategies", "dataTask,async",
    ])
    // On a separate thread, because the cooperative pool of a busy machine may wake a task after the child has ended.
    let killer = Thread {
      while !Thread.current.isCancelled {
        program.killChild(for: #""strategy":"async""#)
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
    killer.start()
    async let notes = program.restOfNotes()
    let output = String(decoding: await program.restOfOutput(), as: UTF8.self)
    #expect(await program.code() == 1)
    killer.cancel()
    let text = String(decoding: await notes, as: UTF8.self)
    #expect(output.contains("\nwarning: wait: 1 of 4 runs failed (async 1): the process was terminated by signal 9"))
    #expect(output.contains(/\nwait: a slow server +cores busy ↓ +[0-9.]+ +n\/a\n/))
    #expect(text.contains("failed: wait: fewer than 1 valid block of async: the process was terminated by signal 9"))
  }

  @Test(
    "If nginx is killed, the comparison reports it and discards the runs over https", .enabled(if: HTTPSMachine.isAble))
  func killedFront() async throws {
    let folder = try TemporaryFolder()
    let program = try Program(workingDirectory: oneScenario.url, environment: ["TMPDIR": folder.url.path]).start([
      "compare", "--allow-debug", "--json", "--blocks", "1", "--https", "--workload", "wait", "--images", "1",
      "--strategies", "dataTask,async",
    ])
    async let notes = program.restOfNotes()
    async let bytes = program.restOfOutput()
    // nginx logs the first request of the warm-up.
    var front: URL?
    while front == nil {
      try await Task.sleep(for: .milliseconds(10))
      let files = FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)?.allObjects as? [URL]
      front = files?.first { $0.lastPathComponent == "log" && (try? Data(contentsOf: $0).isEmpty) == false }
    }
    let path = try #require(front?.deletingLastPathComponent().appending(path: "pid"))
    let number = try String(contentsOf: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    kill(try #require(Int32(number)), SIGKILL)
    #expect(await program.code() == 1)
    let record = try JSONDecoder().decode(Record.self, from: await bytes)
    let secure = record.samples.filter { $0.transport != nil && $0.block > 0 }
    #expect(secure.count == 3)
    for sample in secure {
      #expect(sample.failure == "nginx, which provides https, has ended", "\(sample)")
      #expect(sample.values.isEmpty)
    }
    let text = String(decoding: await notes, as: UTF8.self)
    #expect(
      text.contains("failed: wait over https (HTTP/2): no valid run: nginx, which provides https, has ended"), "\(text)"
    )
  }

  @Test("`--behavior` works in a debug build and uses the local scenarios")
  func behavior() async throws {
    // `ShippedScenarioTests` runs all scenarios.
    let folder = try TemporaryFolder.withScenarios(
      "late-response.json", "error-page.json", "sign-in.html", "switch-in-flight.json")
    let outcome = try await Program(workingDirectory: folder.url).run("compare", "--behavior")
    #expect(outcome.code == 0, "\(outcome.notes)")
    #expect(
      outcome.output.hasPrefix(
        "behavior  dataTask, downloadTask, async and socket pass every scenario that applies to them;"))
    #expect(outcome.output.contains(/\nlate-response +holds +holds +holds +holds +holds\n/))
    #expect(outcome.output.contains(/\nerror-page +breaks +holds +holds +holds +holds\n/))
    #expect(outcome.output.contains(/\nswitch-in-flight +n\/a +holds +n\/a +n\/a +n\/a\n/))
    #expect(outcome.output.contains("\n  error-page, blocking: never request.end error=transport: it happened"))
  }

  @Test("`--behavior` exits with 1 if it finds no scenarios") func noBehavior() async throws {
    // The folder is outside the package, because the program would find the scenarios of the package.
    let folder = URL(filePath: "/tmp/\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let copy = try await Program.copied(to: folder)
    let outcome = try await Program(executable: copy, workingDirectory: folder).run("compare", "--behavior")
    #expect(outcome.code == 1)
    #expect(outcome.notes.hasPrefix("the behavior table is omitted: "), "\(outcome.notes)")
  }
}

/// Whether this machine can compare over https: nginx and openssl are installed, and namespaces are allowed.
enum HTTPSMachine {
  static let isAble: Bool = {
    let tools = ["/usr/sbin/nginx", "/usr/bin/openssl", "/usr/bin/unshare"]
    if let missing = tools.first(where: { !FileManager.default.isExecutableFile(atPath: $0) }) {
      print("the tests of compare over https are skipped: \(missing) is not installed")
      return false
    }
    guard allowsNamespaces else {
      print("the tests of compare over https are skipped: the system refuses private namespaces")
      return false
    }
    return true
  }()

  /// Whether a process can mount folders for itself and its children.
  static let allowsNamespaces = run("/usr/bin/unshare", ["--user", "--map-root-user", "--mount", "true"]) == 0

  private static func run(_ path: String, _ words: [String]) -> Int32? {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = words
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// An nginx with a test certificate in front of an origin. Releasing this value ends it.
final class HTTPSFront {
  let port: UInt16
  let certificate: String
  /// Closing this pipe ends the server, even if this process is killed.
  private let lifeline = Pipe()

  private static let script = #"""
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout "$1/key" -out "$1/root" \
      -subj /CN=test -addext subjectAltName=IP:127.0.0.1 >/dev/null 2>&1
    /usr/sbin/nginx -p "$1" -c "$1/conf" >/dev/null 2>&1 & pid=$!; cat >/dev/null; kill -9 $pid
    """#

  /// - Parameters:
  ///   - options: further words of the directive `listen`, such as `http2`.
  ///   - locations: the locations that nginx answers itself.
  init(before origin: UInt16, in folder: TemporaryFolder, _ options: String = "", locations: String = "") async throws {
    // Takes a port that was free a moment ago.
    let holder = try OriginServer(content: OriginContent())
    port = holder.port
    holder.stop()
    let path = folder.url.path
    certificate = "\(path)/root"
    let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(path)/\($0);" }
    _ = try folder.write(
      """
      daemon off; master_process off; pid \(path)/pid; error_log \(path)/error;
      events { worker_connections 1024; }
      http {
        access_log off; \(folders.joined(separator: " "))
        server {
          listen 127.0.0.1:\(port) ssl \(options); ssl_certificate \(path)/root; ssl_certificate_key \(path)/key;
          \(locations)
          location / { proxy_set_header Host localhost; proxy_pass http://127.0.0.1:\(origin); }
        }
      }
      """, to: "conf")
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", Self.script, "sh", path]
    process.standardInput = lifeline
    try process.run()
    // nginx listens before it writes its process id.
    while !FileManager.default.fileExists(atPath: "\(path)/pid") { try await Task.sleep(for: .milliseconds(10)) }
  }

  deinit { try? lifeline.fileHandleForWriting.close() }
}
