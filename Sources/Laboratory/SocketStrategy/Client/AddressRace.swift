import FetcherModel
import HTTPWire

/// Decides when to try each of a host's addresses, as a pure value without sockets or clocks.
///
/// Address families alternate. The next address is tried when an attempt fails, or when the latest attempt gets no
/// response within the caller's delay. The first connection wins. The algorithm is "Happy Eyeballs" from RFC 8305.
struct AddressRace {
  enum Action: Equatable {
    /// Connects to this address and reports the result under this number. Unless the address is the last one, the
    /// caller calls ``delayPassed()`` after the delay. That call replaces any earlier call that is still pending.
    case attempt(Int, SocketAddress, isLast: Bool)
    /// Waits for the attempts in flight.
    case wait
    /// No address accepts connections.
    case refuse
  }

  private let addresses: [SocketAddress]
  private var tried = 0
  private var failed = 0

  /// - Parameter addresses: the addresses, in the resolver's order.
  init(_ addresses: [SocketAddress]) {
    let first = addresses.filter { $0.family == addresses[0].family }
    let others = addresses.filter { $0.family != addresses[0].family }
    let pairs = (0..<max(first.count, others.count)).map {
      first.dropFirst($0).prefix(1) + others.dropFirst($0).prefix(1)
    }
    self.addresses = pairs.flatMap { $0 }
  }

  mutating func start() -> Action { next() }

  /// Reports that the latest attempt has had no response within the delay.
  mutating func delayPassed() -> Action { next() }

  /// Reports that an attempt has failed.
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
