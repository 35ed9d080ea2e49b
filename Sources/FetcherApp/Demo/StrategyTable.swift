import EventBus
import FetcherModel
import Foundation
import OriginServer
import PlainText

/// A table of the differences between the strategies. Each row shows a run with one strategy: a fetch that gets a 404,
/// then a fetch of a megabyte that is cancelled after 0.1 s.
struct StrategyTable {
  private static let large = OriginPath("/large.png")
  /// A megabyte that takes half a second.
  static let content = OriginContent(
    routes: [OriginRoute(path: large.description, OriginResponse(body: .bytes(1_000_000), bytesPerSecond: 2_000_000))],
    fallback: OriginResponse(status: 404, body: .bytes(200)))

  private var table = Table([
    .text("strategy"), .number("worker blocked"), .text("a 404 is reported as"), .number("server sent after cancel"),
    .number("connections"),
  ])

  /// Runs one strategy and adds its row.
  ///
  /// - Parameter origin: a server with ``content`` that has not received a request yet.
  /// - Returns: the error with which each of the two fetches ended, or nil for a fetch that succeeded.
  @MainActor mutating func run(
    _ name: String, _ register: (FetchEnvironment) -> Void, _ origin: OriginServer
  ) async throws -> [FetchError?] {
    let loader = WatchedLoader()
    let environment = FetchEnvironment(loader: loader)
    register(environment)
    try environment.select(StrategyName(name))
    let missing = await error(of: IFImage(name: "nowhere", url: "\(origin.baseURL)nowhere.png", in: environment))

    let image = IFImage(name: "large", url: "\(origin.baseURL)large.png", in: environment)
    async let cancelled = error(of: image)
    try await Task.sleep(for: .milliseconds(100))
    let atCancel = sent(by: origin)
    image.cancel()
    let errors = [missing, await cancelled]

    // A cancelled transfer closes its connection, so the byte count is final when no connection is open.
    _ = await Task.detached { origin.wait { $0.open == 0 } }.value
    while loader.isReading { try await Task.sleep(for: .milliseconds(1)) }
    let blocked = loader.longestRead
    table.add([
      name, blocked == .zero ? "never" : "\(blocked.inSeconds.fixed(2)) s", missing?.category.rawValue ?? "a picture",
      "\((Double(sent(by: origin) - atCancel) / 1_000_000).fixed(2)) MB", "\(origin.counters.connections)",
    ])
    environment.shutDown()
    return errors
  }

  @MainActor private func error(of image: IFImage) async -> FetchError? {
    do throws(FetchError) { _ = try await image.load() } catch { return error }
    return nil
  }

  private func sent(by origin: OriginServer) -> Int { origin.counters.bytesSentByPath[Self.large] ?? 0 }

  func lines(heading: (String) -> String) -> [String] { table.lines(heading: heading) }
}

/// The real network, with the time that blocking reads take.
private final class WatchedLoader: NetworkLoader {
  private let runtime = DispatchRuntime.shared
  private let reads = Locked((running: 0, longest: Duration.zero))

  /// Whether a read is blocking a worker.
  var isReading: Bool { reads.withLock { $0.running > 0 } }
  /// The longest time for which a read has blocked a worker.
  var longestRead: Duration { reads.withLock { $0.longest } }

  func contents(of url: URL) throws(NetworkError) -> Data {
    let start = runtime.now
    reads.withLock { $0.running += 1 }
    defer {
      let time = runtime.now - start
      reads.withLock { $0 = ($0.running - 1, max($0.longest, time)) }
    }
    return try SystemLoader.shared.contents(of: url)
  }

  func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    SystemLoader.shared.dataTask(request, delegate: delegate)
  }

  func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    SystemLoader.shared.downloadTask(request, delegate: delegate)
  }

  func removeTemporaryFiles() { SystemLoader.shared.removeTemporaryFiles() }
}
