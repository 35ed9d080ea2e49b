import EventBus
package import FetcherModel
package import Foundation
package import OriginServer
package import ScenarioFormat

/// The real network, with an origin on the loopback interface.
package struct OriginNetwork: ScenarioNetwork {
  package let loader: any NetworkLoader
  let base: String
  let addresses: [String: String]
  private let origin: OriginServer
  private let served: Locked<ScenarioOrigin>
  private let refused: Set<ScenarioPath>

  /// Makes the origin serve the scenario from the start.
  ///
  /// - Parameters:
  ///   - folder: the folder that contains the body files.
  ///   - closesConnections: whether the origin closes each connection, even if no response of the scenario has a fault.
  package init(
    _ origin: OriginServer, _ scenario: Scenario, folder: URL, loader: any NetworkLoader = SystemLoader.shared,
    closesConnections: Bool = false
  ) {
    self.origin = origin
    self.loader = loader
    base = String(origin.baseURL.absoluteString.dropLast())
    let served = ScenarioOrigin(
      scenario, folder: folder, address: base, closesConnections: closesConnections)
    self.served = Locked(served)
    let refused = served.refused
    self.refused = refused
    addresses = scenario.addresses { [base] path in Self.address(base, path, refused) }
    origin.replace(served.content())
    origin.resetCounters()
    // If the previous run was cut off, the origin may still refuse connections.
    refuse(false)
  }

  package func id(ofPicture bytes: Data, of image: String?) -> String? {
    served.withLock { $0.pictures.id(of: bytes, of: image) }
  }

  /// The URL of a path on the origin, or on a port without a listener if the path refuses connections.
  package func address(ofPath path: ScenarioPath) -> String { Self.address(base, path, refused) }

  static func address(_ base: String, _ path: ScenarioPath, _ refused: Set<ScenarioPath>) -> String {
    // No server is expected on port 1: its service is obsolete, and only an administrator can open the port.
    ScenarioPath.address(refused.contains(path) ? "http://127.0.0.1:1" : base, path)
  }

  /// Adds a route for a path outside the scenario. The origin serves the route until the next change.
  package func add(_ route: OriginRoute) {
    var content = served.withLock { $0.content() }
    content.routes.append(route)
    origin.replace(content)
  }

  package func perform(_ action: Scenario.Action) {
    let requests = origin.counters.requestsByPath
    let content = served.withLock { served in
      served.perform(action) { requests[OriginPath($0.text)] ?? 0 }
      return served.content(after: requests)
    }
    origin.replace(content)
    if case .originOfAll(let route) = action { refuse(route?.refusal == .always) }
  }

  /// Sets whether the origin refuses connections. If the process has no file descriptor left for the change, the origin
  /// keeps listening. The origin then closes connections without a response, as its content specifies.
  private func refuse(_ isRefusing: Bool) { try? origin.setRefusing(isRefusing) }
}
