import EventBus
import Foundation
package import OriginServer
import ScenarioEngine
import ScenarioFormat

/// The live page: a server on the loopback interface, and the session that its tabs show.
package final class LivePage: Sendable {
  /// The limits for clients. A page needs few connections, and its requests are small.
  private static let policy: OriginPolicy = {
    var policy = OriginPolicy(headTimeout: .seconds(30))
    (policy.headBytes, policy.bodyBytes, policy.connections) = (8 * 1024, 64 * 1024, 32)
    return policy
  }()

  let session: LiveSession
  private let server: OriginServer
  private let token: String

  /// Starts the server and the first session. Call this method on any thread.
  ///
  /// - Parameter port: the port to listen on, or 0 for any free port.
  /// - Throws: `OriginError.portInUse`, or `cannotListen` for any other failure.
  package init(port: UInt16, _ settings: LiveSettings) throws(OriginError) {
    var random = SystemRandomNumberGenerator()
    let token = (0..<2).map { _ in String(random.next(), radix: 36) }.joined()
    let session = LiveSession(settings)
    (self.session, self.token) = (session, token)
    let router = LiveRouter(token: token, session: session)
    server = try OriginServer(port: port, policy: Self.policy) { router.response(to: $0) }
  }

  /// The address to open. The token is in its fragment, which a browser sends to no server.
  package var address: String { "\(server.baseURL.absoluteString)#\(token)" }

  /// Ends the streams, cancels the fetches, and closes the port.
  package func stop() {
    session.close()
    server.stop()
  }
}
