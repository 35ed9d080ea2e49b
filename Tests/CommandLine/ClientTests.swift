import Foundation
import OriginServer
import TestMachine
import Testing

extension BuiltProgram {
  /// Programs of other packages, linked with the modules of this build.
  @Suite struct ClientTests {
    private static let products = Program.built.deletingLastPathComponent()
    private static let sample = ["Scheduling", "PlainText", "EventBus", "FetcherModel", "FetcherViews"]
    private static let program =
      sample + [
        "TutorialApps", "CommandLineTool", "FetcherApp", "Commands", "HTTPWire", "SocketStrategy", "OriginServer",
        "SeededNumbers", "VirtualTime", "ScenarioFormat", "ScenarioEngine", "ScheduleExplorer", "Comparison",
        "RunPages", "LivePages",
        "Lessons", "BrokenLessons", "FixedLessons", "HalfRepairedLessons",
      ]

    /// Compiles a program that links only the given modules.
    ///
    /// - Parameter files: further files of the program, keyed by their names.
    private static func compile(
      _ code: String, _ modules: [String], in folder: URL, with files: [String: String] = [:]
    ) async throws -> Program {
      let main = folder.appending(path: "main.swift")
      try Data(code.utf8).write(to: main)
      for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
      let objects = try modules.flatMap { module in
        let folder = products.appending(path: "\(module).build")
        let map = try Data(contentsOf: folder.appending(path: "output-file-map.json"))
        return try JSONDecoder().decode([String: [String: String]].self, from: map).compactMap {
          $0.isEmpty ? nil : $1["object"]
        }.map { folder.appending(path: URL(filePath: $0).lastPathComponent).path }.sorted()
      }
      let executable = folder.appending(path: "client")
      let outcome = try await Program(executable: URL(filePath: "/usr/bin/env")).run(
        [
          "swiftc", "-swift-version", "6", "-I", products.appending(path: "Modules").path, "-o", executable.path,
          main.path,
        ]
          + files.keys.sorted().map { folder.appending(path: $0).path } + objects)
      try #require(outcome.code == 0, "\(outcome.output)\(outcome.notes)")
      return Program(executable: executable)
    }

    private static let library = """
      import FetcherModel
      import FetcherViews
      import Foundation

      @MainActor func run() async throws {
        let before = ProcessInfo.processInfo.environment
        for strategy in [.blocking, .dataTask, .downloadTask, .async] as [StrategyName] {
          let environment = FetchEnvironment()
          try environment.select(strategy)
          let page = ImageViewController(in: environment)
          let image = IFImage(name: "a", url: CommandLine.arguments[1], in: environment)
          page.show(image)
          page.viewWillAppear()
          do throws(FetchError) {
            _ = try await image.load()
            print(strategy, page.screen.picture == image.image ? "drawn" : "not drawn")
          } catch {
            print(strategy, error.message(for: "a"))
          }
          page.viewWillDisappear()
        }
        let hook = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_checkIsolated_hook")
        print("hook", hook?.load(as: UnsafeRawPointer?.self) == nil ? "unset" : "set")
        print("environment", ProcessInfo.processInfo.environment == before ? "unchanged" : "changed")
      }
      try await run()
      """

    @Test("A client without the laboratory does not change its process, and sends no loopback request to a proxy")
    func library() async throws {
      let folder = try TemporaryFolder()
      var client = try await Self.compile(Self.library, Self.sample, in: folder.url)
      let origin = try OriginServer(content: OriginContent(directory: Program.pictures))
      let proxy = try OriginServer(content: OriginContent(directory: Program.pictures))
      let address = "\(origin.baseURL)moon-20.gif"
      let strategies = ["blocking", "dataTask", "downloadTask", "async"]
      let left = ["hook unset", "environment unchanged"]
      client.environment = ["TMPDIR": folder.url.path, "http_proxy": "", "NO_PROXY": ""]
      #expect(
        try await client.run(address).output.split(separator: "\n").map(String.init) == strategies.map { "\($0) drawn" }
          + left)
      client.environment["http_proxy"] = proxy.baseURL.absoluteString
      client.environment["no_proxy"] = "127.0.0.0/8,localhost,::1"
      #expect(
        try await client.run(address).output.split(separator: "\n").map(String.init) == strategies.map { "\($0) drawn" }
          + left)
      client.environment["no_proxy"] = "example.org"
      let refused = try await client.run(address).output.split(separator: "\n").map(String.init)
      #expect(refused.count == 6 && refused.suffix(2) == left)
      #expect(refused.prefix(4).allSatisfy { $0.contains("add 127.0.0.0/8,localhost,::1 to no_proxy") }, "\(refused)")
      #expect(proxy.counters.connections == 0)
    }

    @Test("A custom program has all commands and its own strategy")
    func program() async throws {
      let code = """
        import FetcherApp
        import FetcherModel
        import Foundation
        import SocketStrategy

        let pixel = Data(base64Encoded: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7") ?? Data()
        Fetcher.main(strategies: [
          .socket,
          .closure("mine") { _ in FetchedBody(bytes: pixel) },
        ])
        """
      let folder = try TemporaryFolder()
      var client = try await Self.compile(code, Self.program, in: folder.url)
      client.workingDirectory = folder.url
      // The program prints its own name.
      let help = try await Program().run("--help").output.replacing("Usage: fetcher", with: "Usage: client")
        .replacing("`fetcher COMMAND", with: "`client COMMAND")
      #expect(try await client.run("--help").output == help)
      let table = try await client.run("strategies").output
      #expect(table.contains("\nsocket ") && table.contains("\nmine "))
      let fetched = try await client.run("fetch", "--strategy", "mine", "https://example.org/a.gif")
      #expect(fetched.code == 0, "\(fetched.notes)")
      #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: "a.gif").path))
      let scenario = Program.packageRoot.appending(path: "scenarios/late-response.json").path
      let run = try await client.run("run", "--clock", "virtual", "--strategy", "mine", "--json", scenario)
      #expect(run.output.contains(#""strategy" : "mine""#), "\(run.output)\(run.notes)")
    }

    private static func text(_ path: String) throws -> String {
      try String(contentsOf: Program.packageRoot.appending(path: path), encoding: .utf8)
    }

    /// Returns the page "Writing your own strategy".
    private static func guide() throws -> String {
      try text("Sources/FetcherModel/FetcherModel.docc/WritingAStrategy.md")
    }

    private static let hedging = "Examples/Hedging/Sources/my-fetcher"

    @Test("The guide shows the example's files")
    func guideShowsFiles() throws {
      let guide = try Self.guide()
      for path in [
        "Examples/Hedging/Package.swift", "\(Self.hedging)/main.swift", "\(Self.hedging)/HedgingStrategy.swift",
      ] {
        let text = try Self.text(path)
        #expect(guide.contains("```\n\(text)```"), "\(path)")
      }
    }

    /// Applies the repairs of the guide, each a block in the form of `diff`.
    private static func repaired(_ code: String) throws -> String {
      let repairs = try guide().matches(of: /```diff\n((?s:.)*?)```/).map { $0.1.split(separator: "\n") }
      try #require(repairs.count == 2)
      return try repairs.reduce(code) { code, lines in
        let side = { (sign: Character) in
          lines.filter { $0.first == " " || $0.first == sign }.map { $0.dropFirst() }.joined(separator: "\n")
        }
        let (old, new) = (side("-"), side("+"))
        try #require(code.contains(old), "\(old)")
        return code.replacing(old, with: new)
      }
    }

    @Test(
      "A search finds the bug in the guide's strategy, and no bug after the repair",
      arguments: LongTests.some(of: [false, true], every: 2))
    func hedging(isRepaired: Bool) async throws {
      let folder = try TemporaryFolder()
      let code = try Self.text("\(Self.hedging)/HedgingStrategy.swift")
      var client = try await Self.compile(
        Self.text("\(Self.hedging)/main.swift"), Self.program, in: folder.url,
        with: ["HedgingStrategy.swift": isRepaired ? Self.repaired(code) : code])
      client.workingDirectory = Program.packageRoot.appending(path: "Examples/Hedging")
      #expect(try await client.run("strategies").output.contains("\nhedging "))
      let run = try await client.run("run", "second-thoughts.json", "--strategy", "hedging")
      #expect(run.code == 0, "\(run.output)\(run.notes)")
      let search = try await client.run(
        "explore", "second-thoughts.json", "--strategy", "hedging", "--bound", LongTests.areEnabled ? "2" : "1")
      #expect(search.code == (isRepaired ? 0 : 1), "\(search.output)\(search.notes)")
      #expect(search.output.contains("duplicate-fetch") == !isRepaired)
      // The command that repeats the failure can be pasted, so it names this program.
      #expect(search.output.contains("client explore second-thoughts.json") == !isRepaired, "\(search.output)")
    }
  }
}
