import HTTPWire

/// Decides when to try each address of a host, as a pure value: no socket, no clock.
///
/// The families alternate. The next address is tried when an attempt fails, or when the last attempt has been silent
/// for the delay
/// (RFC 8305, "Happy Eyeballs"). The first connection wins.
struct AddressRace {
  enum Action: Equatable {
    /// Connect to this address, and report the result under this number. If it is not the last address, call
    /// ``delayPassed()`` after
    /// the delay. This call replaces an earlier one.
    case attempt(Int, SocketAddress, isLast: Bool)
    /// Wait for the attempts in flight.
    case wait
    /// No address accepts a connection.
    case refuse
  }

  private let addresses: [SocketAddress]
  private var tried = 0
  private var failed = 0

  /// - Parameter addresses: in the resolver's order.
  init(_ addresses: [SocketAddress]) {
    let first = addresses.filter { $0.family == addresses[0].family }
    let others = addresses.filter { $0.family != addresses[0].family }
    let pairs = (0..<max(first.count, others.count)).map {
      first.dropFirst($0).prefix(1) + others.dropFirst($0).prefix(1)
    }
    self.addresses = pairs.flatMap { $0 }
  }

  mutating func start() -> Action { next() }

  /// Reports that the last attempt has been silent for the delay.
  mutating func delayPassed() -> Action { next() }

  /// Reports that an attempt failed.
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
