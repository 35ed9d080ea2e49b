import Bytes
import Dispatch
import EventBus
import Foundation
import HTTPWire

/// Finds the addresses of hosts on dedicated threads, because a resolver can block its thread for long.
///
/// At most 64 lookups run at a time, each on a thread of its own that ends with it. Further names wait in line. Requests for
/// one name share its lookup.
///
/// Unchecked because its state is confined to the queue.
final class HostLookup: @unchecked Sendable {
  /// Returns the addresses of a name, none where it has none. May block.
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
    /// The permit for a thread, or the wait for it.
    var permit: (any Cancellation)?
    /// Whether a thread asks the resolver, which no cancel can end.
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

  /// Finds the addresses of an endpoint's host: none where it has none. Calls back on the queue, for a number inside this
  /// call.
  func find(_ endpoint: Endpoint, for owner: AnyObject, then take: @escaping ([SocketAddress]) -> Void) {
    // A name below localhost is this machine, and nobody is asked for it (RFC 6761); not every resolver knows that.
    let isLocal = endpoint.host.text.lowercased().hasSuffix(".localhost")
    let number = isLocal ? "127.0.0.1" : endpoint.host.text
    let addresses = SocketAddress.all(of: number, port: endpoint.port, isNumber: true)
    guard addresses.isEmpty else { return take(addresses) }
    let name = Name(endpoint)
    let isNew = searches[name] == nil
    searches[name, default: Search()].waiters.append(Waiter(owner: ObjectIdentifier(owner), take: take))
    guard isNew else { return }
    let permit = threads.enter { [self] in run(name) }
    searches[name]?.permit = permit
  }

  /// Calls off the wait of the owner. A name that nobody waits for any more leaves the line; a running lookup goes on.
  func callOff(_ endpoint: Endpoint, for owner: AnyObject) {
    let name = Name(endpoint)
    searches[name]?.waiters.removeAll { $0.owner == ObjectIdentifier(owner) }
    guard let search = searches[name], search.waiters.isEmpty, !search.isRunning else { return }
    search.permit?.cancel()
    searches[name] = nil
  }

  private func run(_ name: Name) {
    searches[name]?.isRunning = true
    // Not a queue: its thread would be one of the pool, whose threads all queues share.
    let thread = Thread { [self] in
      let found = resolve(name.host.text, name.port)
      queue.async { [self] in
        threads.leave()
        for waiter in searches.removeValue(forKey: name)?.waiters ?? [] { waiter.take(found) }
      }
    }
    thread.name = "fetcher.lookup"
    thread.start()
  }
}

/// The server and the requester of a connection. Requests with the same endpoint share connections.
struct Endpoint: Hashable, Sendable {
  /// The name of the host, or its number, without brackets.
  let host: UTF8String
  let port: UInt16
  /// The requester, such as a strategy.
  let pool: String

  /// Nil if the address is not a plain http address.
  init?(_ url: URL, pool: String) {
    guard url.scheme?.lowercased() == "http", let host = url.host, !host.isEmpty,
      let port = UInt16(exactly: url.port ?? Self.standardPort)
    else { return nil }
    // Foundation gives the brackets of an IPv6 number on some systems.
    let name = host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" }) : host
    self.host = UTF8String(name.lowercased())
    self.port = port
    self.pool = pool
  }

  /// The value of the request's `Host` field.
  var hostField: String {
    let name = host.text.utf8.contains(UInt8(ascii: ":")) ? "[\(host.text)]" : host.text
    return port == Self.standardPort ? name : "\(name):\(port)"
  }

  private static let standardPort = 80
}
