import HTTPWire

/// Decides when each address of a host is tried, as a pure value: no socket, no clock.
///
/// The families alternate, and the next address is tried when one fails or the last attempt has been silent for a while
/// (RFC 8305, "Happy Eyeballs"). The first connection wins.
struct AddressRace {
  enum Action: Equatable {
    /// Connect to this address, and report how that ends under this number. If it is not the last address, call
    /// ``delayPassed()`` after the delay; that replaces an earlier call.
    case attempt(Int, SocketAddress, isLast: Bool)
    /// Wait for the attempts in flight.
    case wait
    /// No address takes the connection.
    case refuse
  }

  private let addresses: [SocketAddress]
  private var tried = 0
  private var failed = 0

  /// - Parameter addresses: in the order of the resolver.
  init(_ addresses: [SocketAddress]) {
    let first = addresses.filter { $0.family == addresses[0].family }
    let others = addresses.filter { $0.family != addresses[0].family }
    let pairs = (0..<max(first.count, others.count)).map {
      first.dropFirst($0).prefix(1) + others.dropFirst($0).prefix(1)
    }
    self.addresses = pairs.flatMap { $0 }
  }

  mutating func start() -> Action { next() }

  /// The last attempt has been silent for the delay.
  mutating func delayPassed() -> Action { next() }

  /// An attempt failed.
  mutating func attemptFailed() -> Action {
    failed += 1
    return next()
  }

  private mutating func next() -> Action {
    guard tried < addresses.count else { return failed < tried ? .wait : .refuse }
    defer { tried += 1 }
    return .attempt(tried, addresses[tried], isLast: tried + 1 == addresses.count)
  }
}
