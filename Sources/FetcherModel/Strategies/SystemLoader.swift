import Synchronization

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// The real network, built on Foundation. Each strategy's file extends it with that strategy's network call.
///
/// On Linux, Foundation uses the proxy of the process's environment, for example `http_proxy`. A request to this
/// machine that the proxy would receive fails with `transport(306)`, unless `no_proxy` contains the host. Set
/// `no_proxy` before the process starts threads.
package struct SystemLoader: NetworkLoader {
  /// The shared loader of this process, with the standard settings.
  package static let shared = SystemLoader(number: 0, settings: nil)

  private static let created = Atomic(0)

  /// The number of this loader, which distinguishes its sessions from those of other loaders.
  private let number: Int
  let settings: SessionSettings?

  private init(number: Int, settings: SessionSettings?) { (self.number, self.settings) = (number, settings) }

  /// Creates a loader with its own sessions. They exist until the process exits, so create few loaders.
  ///
  /// - Parameter configuration: the settings of the sessions, which are copied. The loader ignores the configuration's
  ///   cache and cookie storage, because the model has its own cache and requests are stateless. ``FetchLimits`` sets
  ///   the timeouts of requests, not the configuration. The loader sends the header fields of `httpAdditionalHeaders`
  ///   with each request, to any host, by the rules of ``FetchRequest/headers``. `blocking` uses none of the settings.
  package init(configuration: URLSessionConfiguration) {
    self.init(number: Self.created.add(1, ordering: .relaxed).newValue, settings: SessionSettings(configuration))
  }

  /// Returns the label of a session of this loader.
  func label(_ name: String) -> String { number == 0 ? name : "\(number).\(name)" }
}

/// The settings of a loader's sessions.
///
/// `Sendable` is unchecked, because the configuration is a copy that is never changed.
final class SessionSettings: @unchecked Sendable {
  /// The configuration, without header fields.
  let configuration: URLSessionConfiguration
  /// The header fields of every request.
  let headers: HTTPHeaders

  init(_ configuration: URLSessionConfiguration) {
    let copy = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
    headers = HTTPHeaders(
      (configuration.httpAdditionalHeaders ?? [:]).map { (name: "\($0.key)", value: "\($0.value)") }
        .sorted { $0.name < $1.name })
    copy.httpAdditionalHeaders = nil
    self.configuration = copy
  }

  /// Returns the request with the header fields of the configuration that it does not have itself.
  func completed(_ request: NetworkRequest) -> NetworkRequest {
    var request = request
    request.headers = headers.overridden(by: request.headers)
    return request
  }
}
