import FetcherModel
import HTTPWire
import Testing

@testable import SocketStrategy

/// When each address of a host is tried, decided without a socket.
@Suite struct AddressRaceTests {
  private static func address(_ number: String) -> SocketAddress {
    SocketAddress.all(of: number, port: 80, isNumber: true)[0]
  }

  private static let (four, six) = (
    (1...4).map { address("127.0.0.\($0)") }, (1...4).map { address("::\($0)") }
  )

  /// The order of the attempts where all of them fail.
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

  @Test("The families alternate, that of the first address first")
  func families() {
    let (four, six) = (Self.four, Self.six)
    #expect(order([six[0], six[1], four[0], four[1]]) == [six[0], four[0], six[1], four[1]])
    #expect(order([four[0], six[0], six[1], six[2]]) == [four[0], six[0], six[1], six[2]])
    #expect(order([four[0], four[1], four[2], six[0]]) == [four[0], six[0], four[1], four[2]])
    #expect(order([six[2], six[0]]) == [six[2], six[0]])
    #expect(order([]) == [])
  }

  @Test("A silent attempt continues beside the next one")
  func silence() {
    let (a, b, c) = (Self.four[0], Self.four[1], Self.four[2])
    var race = AddressRace([a, b, c])
    #expect(race.start() == .attempt(0, a, isLast: false))
    #expect(race.delayPassed() == .attempt(1, b, isLast: false))
    #expect(race.delayPassed() == .attempt(2, c, isLast: true))
    #expect(race.delayPassed() == .wait, "there is no fourth")
  }

  @Test("A failure is followed at once, whichever attempt it ends")
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

  @Test("The host is refused when the last attempt in flight fails")
  func refused() {
    var race = AddressRace([Self.four[0], Self.six[0]])
    _ = race.start()
    _ = race.delayPassed()
    #expect(race.attemptFailed() == .wait)
    #expect(race.attemptFailed() == .refuse)
  }

  @Test("Any sequence tries each address once and ends")
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
