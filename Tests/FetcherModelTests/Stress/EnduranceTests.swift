import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import PlainText
import SeededNumbers
import TestMachine
import Testing

#if os(Linux)
  extension NetworkSuite {
    /// The resources that a process holds after many fetches, of which one third are cancelled.
    @Suite struct EnduranceTests {
      @Test(
        "Hundreds of fetches leak no files, threads, or descriptors",
        arguments: LongTests.some(of: Workbench.strategies, every: 2))
      func hundreds(strategy: StrategyName) async throws {
        let workbench = try Workbench(strategy, [Self.missing])
        await Self.fetch(100, seed: 0, workbench.environment, workbench.image)
        let before = Residue()
        await Self.fetch(LongTests.times(200, long: 1000), seed: 1, workbench.environment, workbench.image)
        try await Self.check(workbench, before)
      }

      @Test(
        "Ten rounds of 10,000 fetches leak no files, threads, or memory",
        .long, .timeLimit(.minutes(15)), arguments: ["dataTask", "async"])
      func tenThousand(strategy: String) async throws {
        // Runs in a separate process, because the memory of other tests would count, too.
        await #expect(processExitsWith: .success) { [strategy] in
          let workbench = try Workbench(StrategyName(strategy), [Self.missing])
          await Self.fetch(2000, seed: 0, workbench.environment, workbench.image)
          let bytes = try await Self.bytesPerFetch(strategy) { round in
            let before = Residue()
            await Self.fetch(10_000, seed: round, workbench.environment, workbench.image)
            try await Self.check(workbench, before)
          }
          // URLSession alone keeps about 160 bytes of each request on Linux.
          #expect(bytes < 300)
        }
      }

      @Test(
        "24,000 fetches from nginx all end and leak nothing", .long,
        .enabled(if: Nginx.path != nil, "nginx is not installed"), .timeLimit(.minutes(10)),
        arguments: Workbench.strategies)
      func foreignServer(strategy: StrategyName) async throws {
        let nginx = try await Nginx(["a.png": Sample.png.bytes])
        let workbench = try Workbench(strategy)
        let image = { (path: String) in IFImage(name: path, url: nginx.address(path), in: workbench.environment) }
        await Self.fetch(2000, seed: 0, workbench.environment, image)
        let before = Residue()
        let watchdog = Watchdog(seconds: 500 * ProcessCount.slowness, "fetches from nginx with \(strategy)")
        await Self.fetch(24_000, cancelled: 67, seed: 1, workbench.environment, image)
        watchdog.stop()
        try await Self.check(workbench, before)
      }

      @Test(
        "Ten rounds of 10,000 simulated fetches do not increase the memory", .long,
        .timeLimit(.minutes(15)))
      func tenThousandWithoutNetwork() async {
        await #expect(processExitsWith: .success) {
          let strategy = EagerStrategy(on: DispatchRuntime.shared.workers) { number in
            number % 10 == 3 ? .failure(.badStatus(404)) : .success(FetchedBody(bytes: Sample.png.bytes))
          }
          let environment = FetchEnvironment.eager(strategy)
          let bytes = await Self.bytesPerFetch("\(strategy.name)") { round in
            await Self.fetch(10_000, seed: round, environment) {
              IFImage(name: $0, url: "http://localhost\($0)", in: environment)
            }
          }
          #expect(bytes < 30)
          #expect(environment.requestCount == 0)
        }
      }

      /// Runs ten rounds. Returns the memory growth in bytes per fetch during the last five rounds, because the first
      /// rounds fill the allocator's pools.
      private static func bytesPerFetch(_ name: String, _ round: (UInt64) async throws -> Void) async rethrows -> Int {
        var memory: [Int] = []
        for number in 1...10 {
          let watchdog = Watchdog(seconds: 300 * ProcessCount.slowness, "round \(number) with \(name)")
          try await round(UInt64(number))
          watchdog.stop()
          memory.append(ProcessCount.memory)
          print("\(name), round \(number): \(Residue()), \(ProcessCount.memory >> 20) MiB")
        }
        return (memory[9] - memory[4]) / 50_000
      }

      private static let missing = OriginRoute(path: "/bad", OriginResponse(status: 404, body: .bytes(5000)))

      /// Fetches images in groups of a hundred and cancels `cancelled` images of each group at random moments. Returns
      /// when every fetch has ended.
      private static func fetch(
        _ count: Int, cancelled: Int = 33, seed: UInt64, _ environment: FetchEnvironment, _ image: (String) -> IFImage
      ) async {
        var random = SplitMix64(seed: seed)
        for crowd in 0..<(count / 100) {
          let images = (0..<100).map { index in
            image("\(index % 10 == 3 ? "/bad" : "/a.png")?\(seed)-\(crowd)-\(index)")
          }
          let events = images.map { EventRecorder($0, in: environment) }
          let doomed = images.shuffled(using: &random).prefix(cancelled)
          for image in images {
            _ = image.image
            if Int.random(in: 0..<10, using: &random) == 0 { await Task.yield() }
          }
          for image in doomed {
            if Bool.random(using: &random) { await Task.yield() }
            image.cancel()
          }
          for recorder in events { await recorder.ended() }
        }
      }

      private static func check(_ workbench: Workbench, _ before: Residue) async throws {
        await settle(workbench.environment)
        #expect(workbench.environment.requestCount == 0)
        let after = await Residue.little(besides: before)
        #expect(after.isLittle(besides: before), "\(before), then \(after)")
        try await Workbench.noTemporaryFiles()
      }
    }
  }

  /// The resources of the process.
  private struct Residue: CustomStringConvertible {
    let threads = ProcessCount.threads
    let openFiles = ProcessCount.openFiles

    /// Pools keep idle threads and connections for some seconds, and other tests use some, too. A leak would be
    /// hundreds.
    func isLittle(besides before: Residue) -> Bool {
      threads <= before.threads + 20 && openFiles <= before.openFiles + 30
    }

    /// Returns the first residue that is small, or the last one after a minute, because other tests start threads
    /// meanwhile.
    ///
    /// Polls on a dedicated thread. Polling on the pool would wake one idle thread after another, and none would ever
    /// end.
    static func little(besides before: Residue) async -> Residue {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          var residue = Residue()
          for _ in 0..<600 {
            if residue.isLittle(besides: before) { break }
            Thread.sleep(forTimeInterval: 0.1)
            residue = Residue()
          }
          continuation.resume(returning: residue)
        }
      }
    }

    var description: String { "\(threads) threads, \(openFiles) open files" }
  }
#endif
