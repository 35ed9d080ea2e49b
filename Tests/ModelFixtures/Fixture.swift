import Dispatch
import EventBus
package import FetcherModel
import Foundation
package import OriginServer
import ScenarioEngine
import SocketStrategy

/// An origin with distinct pictures, an environment, and a journal of the fetches.
package struct Fixture: Sendable {
  package static let strategies = ["blocking", "dataTask", "downloadTask", "async", "socket"]

  package let origin: OriginServer
  package let environment: FetchEnvironment
  package let journal: Journal
  private let subscriptions: [Subscription]
  private let door = DispatchSemaphore(value: 0)

  /// Creates a fixture in which each path responds after its latency with a picture that no other path has.
  ///
  /// - Parameter held: The path that responds only after ``release()``, which its test must call. Until then, it blocks
  ///   one event loop of the origin, which can serve one other connection.
  package init(
    _ strategy: String, _ latencies: KeyValuePairs<String, Duration>, failing: String? = nil, held: String? = nil
  ) throws {
    let routes = latencies.enumerated().map { [door] index, route in
      let body = PatternPicture(seed: index + 1, width: 8, height: 8 + index).png
      let response = OriginResponse(body: .data(body), latency: route.value)
      guard route.key == held else { return OriginRoute(path: route.key, response) }
      return OriginRoute(path: route.key) { _, _ in
        door.wait()
        // Let the next request pass, too.
        door.signal()
        return response
      }
    }
    let broken = failing.map { OriginRoute(path: $0, OriginResponse(status: 500, body: .text("no"))) }
    origin = try OriginServer(content: OriginContent(routes: routes + [broken].compactMap(\.self)))
    // No deadline, because a busy machine may run the test late.
    environment = FetchEnvironment(limits: FetchLimits(deadline: nil))
    environment.register(.socket)
    try environment.select(StrategyName(strategy))
    let journal = Journal()
    self.journal = journal
    subscriptions = [
      environment.bus.subscribe(to: ImageFetchStarted.self, on: .main) { @MainActor event in
        journal.record(.started(event.imageID))
      },
      environment.bus.subscribe(to: ImageFetched.self, on: .main) { @MainActor event in
        journal.record(.ended(event.imageID))
      },
      environment.bus.subscribe(to: ImageFetchFailed.self, on: .main) { @MainActor event in
        journal.record(.ended(event.imageID))
      },
    ]
  }

  /// Lets the held path respond, now and to all later requests.
  package func release() { door.signal() }

  /// Returns the image at a path of the origin, named after the path.
  package func image(_ path: String) -> IFImage {
    IFImage(name: path, url: origin.baseURL.absoluteString.dropLast() + path, in: environment)
  }

  /// Runs `body` on main and returns its result.
  @discardableResult
  package func onMain<Value: Sendable>(_ body: @escaping @MainActor @Sendable () -> Value) async -> Value {
    await environment.runtime.onMain(body)
  }

  /// Returns when a fetch of the image has ended and main has handled its events.
  package func end(of image: IFImage, from position: Int = 0) async {
    await journal.wait(for: .ended(image.id), from: position)
    await onMain {}
  }
}
