import FetcherModel
import HTTPWire
import Testing

@testable import SocketStrategy

/// The order and timing of connection attempts to the addresses of a host, without a socket.
@Suite struct AddressRaceTests {
  private static func address(_ number: String) -> SocketAddress {
    SocketAddress.all(of: number, port: 80, isNumber: true)[0]
  }

  private static let (four, six) = (
    (1...4).map { address("127.0.0.\($0)") }, (1...4).map { address("::\($0)") }
  )

  /// Returns the order of the attempts if all of them fail.
  private func order(_ addresses: [SocketAddress]) -> [SocketAddress] {
    var race = AddressRace(addresses)
    var action = race.start()
    var order: [SocketAddress] = []
    while case .attempt(let number, let address, let isLast) = action {
      #expect(number == order.count)
      order.append(address)
      #expect(isLast == (order.count == addresses.count))
      action = race.attemptFailed()
    }
    #expect(action == .refuse)
    return order
  }

  @Test("Attempts alternate between the address families and start with that of the first address")
  func families() {
    let (four, six) = (Self.four, Self.six)
    #expect(order([six[0], six[1], four[0], four[1]]) == [six[0], four[0], six[1], four[1]])
    #expect(order([four[0], six[0], six[1], six[2]]) == [four[0], six[0], six[1], six[2]])
    #expect(order([four[0], four[1], four[2], six[0]]) == [four[0], six[0], four[1], four[2]])
    #expect(order([six[2], six[0]]) == [six[2], six[0]])
    #expect(order([]) == [])
  }

  @Test("A silent attempt continues while the next one starts")
  func silence() {
    let (a, b, c) = (Self.four[0], Self.four[1], Self.four[2])
    var race = AddressRace([a, b, c])
    #expect(race.start() == .attempt(0, a, isLast: false))
    #expect(race.delayPassed() == .attempt(1, b, isLast: false))
    #expect(race.delayPassed() == .attempt(2, c, isLast: true))
    #expect(race.delayPassed() == .wait, "no fourth address exists")
  }

  @Test("The next attempt starts immediately after any attempt fails")
  func failure() {
    let (a, b, c) = (Self.four[0], Self.six[0], Self.four[1])
    var race = AddressRace([a, b, c])
    _ = race.start()
    #expect(race.attemptFailed() == .attempt(1, b, isLast: false))
    #expect(race.attemptFailed() == .attempt(2, c, isLast: true))
    #expect(race.attemptFailed() == .refuse)
    race = AddressRace([a, b, c])
    _ = race.start()
    _ = race.delayPassed()
    #expect(race.attemptFailed() == .attempt(2, c, isLast: true))
  }

  @Test("The race reports the host as refused when the last attempt in flight fails")
  func refused() {
    var race = AddressRace([Self.four[0], Self.six[0]])
    _ = race.start()
    _ = race.delayPassed()
    #expect(race.attemptFailed() == .wait)
    #expect(race.attemptFailed() == .refuse)
  }

  @Test("Any sequence of delays and failures tries each address once and ends")
  func anySequence() {
    for pattern in 0..<256 {
      var race = AddressRace(Self.six + Self.four)
      var tried = 0
      var open = 0
      var bits = pattern
      var action = race.start()
      while action != .refuse {
        if case .attempt(let number, _, _) = action {
          #expect(number == tried)
          tried += 1
          open += 1
        }
        let isDelay = bits & 1 == 1 && tried < 8
        bits >>= 1
        if !isDelay { open -= 1 }
        action = isDelay ? race.delayPassed() : race.attemptFailed()
      }
      #expect(tried == 8)
      #expect(open == 0)
    }
  }
}
