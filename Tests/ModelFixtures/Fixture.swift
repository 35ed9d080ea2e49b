import Dispatch
import EventBus
package import FetcherModel
import Foundation
package import OriginServer
import ScenarioEngine

/// An origin with pictures of its own, an environment, and a journal of how fetches ended.
package struct Fixture: Sendable {
  package static let strategies = ["blocking", "dataTask", "downloadTask", "async", "socket"]

  package let origin: OriginServer
  package let environment: FetchEnvironment
  package let journal: Journal
  private let subscriptions: [Subscription]
  private let door = DispatchSemaphore(value: 0)

  /// Each path answers after its latency with a picture that no other path has.
  ///
  /// - Parameter held: the path that answers only after ``release()``, which its test must call. It keeps one event loop of the
  ///   origin busy until then: one more connection is served beside it.
  package init(
    _ strategy: String, _ latencies: KeyValuePairs<String, Duration>, failing: String? = nil, held: String? = nil
  ) throws {
    let routes = latencies.enumerated().map { [door] index, route in
      let body = PatternPicture(seed: index + 1, width: 8, height: 8 + index).png
      let response = OriginResponse(body: .data(body), latency: route.value)
      guard route.key == held else { return OriginRoute(path: route.key, response) }
      return OriginRoute(path: route.key) { _, _ in
        door.wait()
        // For the next one.
        door.signal()
        return response
      }
    }
    let broken = failing.map { OriginRoute(path: $0, OriginResponse(status: 500, body: .text("no"))) }
    origin = try OriginServer(content: OriginContent(routes: routes + [broken].compactMap(\.self)))
    // On a busy machine the test may come late to its turn.
    environment = try FetchEnvironment(
      registry: .withSocket(), strategy: StrategyName(strategy), limits: FetchLimits(deadline: nil))
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

  /// Lets the held path answer, now and from now on.
  package func release() { door.signal() }

  /// The image at a path of the origin, named after it.
  package func image(_ path: String) -> IFImage {
    IFImage(name: path, url: origin.baseURL.absoluteString.dropLast() + path, in: environment)
  }

  /// Runs on main.
  @discardableResult
  package func onMain<Value: Sendable>(_ body: @escaping @MainActor @Sendable () -> Value) async -> Value {
    await environment.runtime.onMain(body)
  }

  /// Returns when a fetch of the image has ended and main has dealt with it.
  package func end(of image: IFImage, from position: Int = 0) async {
    await journal.wait(for: .ended(image.id), from: position)
    await onMain {}
  }
}
