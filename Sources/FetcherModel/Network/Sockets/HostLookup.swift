import Dispatch
import HTTPWire

/// Finds the addresses of hosts, each name once at a time and away from the queue it is used on. Confined to that queue.
///
/// Unchecked because of that confinement.
final class HostLookup: @unchecked Sendable {
  private struct Name: Hashable {
    let host: UTF8Key
    let port: UInt16
  }

  private struct Waiter {
    let take: ([SocketAddress]) -> Void
  }

  private let queue: DispatchQueue
  private var waiters: [Name: [Waiter]] = [:]

  init(on queue: DispatchQueue) { self.queue = queue }

  /// Finds the addresses of an endpoint's host: none where it has none. Calls back on the queue, for a number inside this
  /// call.
  func find(_ endpoint: Endpoint, then take: @escaping ([SocketAddress]) -> Void) {
    let name = Name(host: endpoint.host, port: endpoint.port)
    // A name below localhost is this machine, and nobody is asked for it (RFC 6761); not every resolver knows that.
    let isLocal = name.host.text.lowercased().hasSuffix(".localhost")
    let number = SocketAddress.all(of: isLocal ? "127.0.0.1" : name.host.text, port: name.port, isNumber: true)
    guard number.isEmpty else { return take(number) }
    waiters[name, default: []].append(Waiter(take: take))
    guard waiters[name]?.count == 1 else { return }
    // A queue of its own, as the resolver may block for long, and workers of the pool are few.
    DispatchQueue(label: "fetcher.lookup", qos: .userInitiated).async { [self] in
      let found = SocketAddress.all(of: name.host.text, port: name.port, isNumber: false)
      queue.async { [self] in for waiter in waiters.removeValue(forKey: name) ?? [] { waiter.take(found) } }
    }
  }
}
