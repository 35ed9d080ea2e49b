import EventBus
import FetcherModel
import FetcherViews
import Foundation
import OriginServer

/// A walk through a photo list: one view shows five pictures, which four strategies fetch from a server on this machine.
///
/// The view subscribes to the events of its picture when it shows the picture, and cancels when it stops showing it.
/// ``DemoLog`` records what the view, the bus and the network do.
@MainActor final class DemoWalk {
  private nonisolated static let files = ["sunset-10.jpeg", "mountains-11.png", "city-12.png", "sunset-13.jpeg"]

  nonisolated let log: DemoLog
  private let environment: FetchEnvironment
  private let detail: ImageViewController
  private let sunset, peaks, city, dunes, stars: IFImage

  /// Returns the content of the server: four pictures with different latencies. Every other address is a 404.
  nonisolated static func content(of folder: URL) -> OriginContent {
    let latencies = [100, 400, 80, 150]
    let routes = zip(files, latencies).map { file, latency in
      OriginRoute(
        path: "/\(file)",
        OriginResponse(body: .file(folder.appending(path: file)), latency: .milliseconds(latency)))
    }
    return OriginContent(
      routes: routes, fallback: OriginResponse(status: 404, body: .bytes(200), latency: .milliseconds(60)))
  }

  /// - Parameters:
  ///   - server: the address of the server.
  ///   - folder: the folder of the pictures that the server sends.
  ///   - runtime: the runtime of the model and the view.
  init(_ server: URL, folder: URL, runtime: any Runtime = DispatchRuntime.shared) {
    let names = ["sunset", "peaks", "city", "dunes", "stars"]
    let addresses = (Self.files + ["nowhere.jpeg"]).map { server.appending(path: $0).absoluteString }
    let log = DemoLog(runtime, requests: Dictionary(uniqueKeysWithValues: zip(addresses, names)))
    self.log = log

    // The model posts its events on this bus.
    let environment = FetchEnvironment(bus: EventBus(runtime: runtime, trace: { log.take($0) }))
    for strategy in environment.strategies { environment.register(LoggedStrategy(base: strategy, log: log)) }
    self.environment = environment

    let images = zip(names, addresses).map { IFImage(name: $0, url: $1, in: environment) }
    (sunset, peaks, city, dunes, stars) = (images[0], images[1], images[2], images[3], images[4])

    // The view identifies a picture by its bytes, because a page could show the wrong picture under the right title.
    let known = zip(names, Self.files).compactMap { name, file in
      (try? Data(contentsOf: folder.appending(path: file))).map { (name: name, bytes: $0) }
    }
    detail = ImageViewController(in: environment, name: "detail") { screen in
      guard let picture = screen.picture else { return log.draw("nothing") }
      let shown = known.first { $0.bytes == picture.bytes }?.name ?? "another picture"
      log.draw(picture.isPlaceholder ? "placeholder" : shown)
    }
  }

  /// Performs the walk.
  ///
  /// - Returns: what the view should have drawn instead, or nil if it drew the right pictures.
  func run() async throws -> String? {
    try begin("The view appears and shows a picture.", .blocking)
    appear()
    await pause(.milliseconds(20))
    select(sunset)
    await arrival(of: sunset)

    await pause(.milliseconds(50))
    try begin("Two quick selections: the view unsubscribes from peaks before it arrives.", .dataTask)
    select(peaks)
    await pause(.milliseconds(30))
    select(city)
    await arrival(of: city)
    await arrival(of: peaks)

    await pause(.milliseconds(50))
    try begin("The view disappears during a fetch. Later it draws what the model has.", .downloadTask)
    select(dunes)
    await pause(.milliseconds(30))
    disappear()
    await arrival(of: dunes)
    await pause(.milliseconds(50))
    appear()

    await pause(.milliseconds(50))
    try begin("An address that fails.", .async)
    select(stars)
    await arrival(of: stars)
    await pause(.milliseconds(50))
    disappear()

    environment.shutDown()
    // The last selection counts, not the last response: peaks is not among the drawings.
    let expected = [
      "nothing", "placeholder", "sunset", "placeholder", "placeholder", "city", "placeholder", "dunes", "placeholder",
      "placeholder",
    ]
    guard log.drawings != expected else { return nil }
    return "the view drew \(log.drawings.joined(separator: ", ")) instead of \(expected.joined(separator: ", "))"
  }

  /// Selects the strategy of the next fetches. A fetch in flight keeps its strategy.
  private func begin(_ heading: String, _ strategy: StrategyName) throws {
    log.heading("\(heading) Strategy: \(strategy).")
    try environment.select(strategy)
  }

  private func appear() {
    log.add("appear", .user)
    detail.viewWillAppear()
  }

  private func disappear() {
    log.add("disappear", .user)
    detail.viewWillDisappear()
  }

  private func select(_ image: IFImage) {
    log.add("select \(image.name)", .user)
    detail.show(image)
  }

  /// Joins the fetch in flight, and waits until the bus has delivered its final event.
  private func arrival(of image: IFImage) async {
    if image.isFetching { _ = try? await image.load() }
  }

  private func pause(_ time: Duration) async { try? await Task.sleep(for: time) }
}

/// A strategy that records its requests and their responses.
private struct LoggedStrategy: FetchStrategy {
  let base: any FetchStrategy
  nonisolated let log: DemoLog

  var name: StrategyName { base.name }
  var capabilities: StrategyCapabilities { base.capabilities }

  func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    log.request(request.url)
    return base.fetch(request) { [log] result in
      log.response(request.url, result)
      completion(result)
    }
  }
}
