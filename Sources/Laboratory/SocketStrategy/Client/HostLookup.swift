import Dispatch
import EventBus
import FetcherModel
import Foundation
import HTTPWire
import PlainText

/// Resolves host names on dedicated threads, because a resolver can block its thread for a long time.
///
/// At most 64 lookups run at a time, each on its own thread, which ends with the lookup. Further names wait in order of
/// arrival. Requests for the same name share one lookup.
///
/// `Sendable` is unchecked, because the state is confined to the queue.
final class HostLookup: @unchecked Sendable {
  /// Returns the addresses for a name, or an empty array. May block.
  typealias Resolver = @Sendable (_ host: String, _ port: UInt16) -> [SocketAddress]

  private struct Name: Hashable {
    let host: UTF8String
    let port: UInt16

    init(_ endpoint: Endpoint) {
      host = endpoint.host
      port = endpoint.port
    }
  }

  private struct Waiter {
    let owner: ObjectIdentifier
    let take: ([SocketAddress]) -> Void
  }

  private struct Search {
    var waiters: [Waiter] = []
    /// The permit for a thread, or the wait for that permit.
    var permit: (any Cancellation)?
    /// Whether a thread is calling the resolver. A call to the resolver cannot be cancelled.
    var isRunning = false
  }

  private let queue: DispatchQueue
  private let resolve: Resolver
  private let threads = Limiter(64)
  private var searches: [Name: Search] = [:]

  init(on queue: DispatchQueue, resolve: @escaping Resolver) {
    self.queue = queue
    self.resolve = resolve
  }

  /// Resolves an endpoint's host and passes the addresses, possibly none, to `take`. Calls `take` on the queue or, for
  /// an IP address, synchronously.
  func find(_ endpoint: Endpoint, for owner: AnyObject, then take: @escaping ([SocketAddress]) -> Void) {
    // A subdomain of localhost always means this machine and is never looked up (RFC 6761). Some resolvers break that
    // rule.
    let isLocal = endpoint.host.text.lowercased().hasSuffix(".localhost")
    let number = isLocal ? "127.0.0.1" : endpoint.host.text
    let addresses = SocketAddress.all(of: number, port: endpoint.port, isNumber: true)
    guard addresses.isEmpty else { return take(addresses) }
    let name = Name(endpoint)
    let isNew = searches[name] == nil
    searches[name, default: Search()].waiters.append(Waiter(owner: ObjectIdentifier(owner), take: take))
    guard isNew else { return }
    let permit = threads.acquire { [self] in run(name) }
    searches[name]?.permit = permit
  }

  /// Cancels the owner's wait. If no other request is waiting for the name, the name is removed from the queue, but a
  /// running lookup continues.
  func callOff(_ endpoint: Endpoint, for owner: AnyObject) {
    let name = Name(endpoint)
    searches[name]?.waiters.removeAll { $0.owner == ObjectIdentifier(owner) }
    guard let search = searches[name], search.waiters.isEmpty, !search.isRunning else { return }
    search.permit?.cancel()
    searches[name] = nil
  }

  private func run(_ name: Name) {
    searches[name]?.isRunning = true
    // Use a thread instead of a queue, because a queue's thread would come from the pool that all queues share.
    let thread = Thread { [self] in
      let found = resolve(name.host.text, name.port)
      queue.async { [self] in
        threads.release()
        for waiter in searches.removeValue(forKey: name)?.waiters ?? [] { waiter.take(found) }
      }
    }
    thread.name = "fetcher.lookup"
    thread.start()
  }
}

/// A server and the component that sends requests to it. Requests with the same endpoint share connections.
struct Endpoint: Hashable, Sendable {
  /// The host name or IP address, without brackets.
  let host: UTF8String
  let port: UInt16
  /// The component that sends the requests, such as a strategy.
  let pool: String

  /// Returns nil unless the address is a plain http address with a possible port.
  init?(_ url: URL, pool: String) {
    guard url.scheme?.lowercased() == "http", let host = url.host, !host.isEmpty, url.hasPossiblePort,
      let port = UInt16(exactly: url.port ?? Self.standardPort)
    else { return nil }
    // On some systems, Foundation includes the brackets around an IPv6 address.
    let name = host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" }) : host
    self.host = UTF8String(name.lowercased())
    self.port = port
    self.pool = pool
  }

  /// The value for the request's `Host` header field.
  var hostField: String {
    let name = host.text.utf8.contains(UInt8(ascii: ":")) ? "[\(host.text)]" : host.text
    return port == Self.standardPort ? name : "\(name):\(port)"
  }

  private static let standardPort = 80
}
