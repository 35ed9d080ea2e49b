import FetcherModel
import HTTPWire
import Testing

@testable import SocketStrategy

/// The effect of a connection's end on its request, without a socket.
@Suite struct ConnectionLifeTests {
  /// Returns a connection that carries its first request, or its second after the first was answered.
  private func asking(second: Bool = false, isIdempotent: Bool = true) -> ConnectionLife {
    var life = ConnectionLife()
    life.ask(isIdempotent: isIdempotent)
    guard second else { return life }
    _ = life.receive()
    life.readHead()
    #expect(life.finish(isReusable: true) == true)
    #expect(life.isIdle)
    life.ask(isIdempotent: isIdempotent)
    return life
  }

  private static let losses: [ConnectionLife.Break] = [.ended(.cutInHead), .reset]

  @Test(
    "A request is repeated if a reused connection breaks before the response",
    arguments: losses)
  func repeats(loss: ConnectionLife.Break) {
    var life = asking(second: true)
    #expect(life.break(loss) == .repeatRequest)
    #expect(life.isClosed)
  }

  @Test(
    "A request is not repeated if it is the first on its connection, partly answered, or not idempotent",
    arguments: losses)
  func doesNotRepeat(loss: ConnectionLife.Break) {
    let error = NetworkError(code: loss == .reset ? -1005 : -1011)
    var first = asking()
    #expect(first.break(loss) == .failed(error))
    var harmful = asking(second: true, isIdempotent: false)
    #expect(harmful.break(loss) == .failed(error))
    var begun = asking(second: true)
    #expect(begun.receive() == true)
    #expect(begun.break(loss) == .failed(error))
  }

  @Test("A connection does not repeat a request that times out")
  func silence() {
    var life = asking(second: true)
    #expect(life.break(.silent) == .failed(NetworkError(code: -1001)))
  }

  @Test(
    "Each failure before a connection is open has its own error",
    arguments: [(ConnectionLife.Break.refused, -1004), (.unknownHost, -1003), (.silent, -1001)])
  func opening(why: ConnectionLife.Break, code: Int) {
    var life = ConnectionLife()
    #expect(life.break(why) == .failed(NetworkError(code: code)))
  }

  @Test(
    "An error in a response identifies the part that was cut off or malformed",
    arguments: [
      (ConnectionLife.Break.malformed(.notHTTP), false, -1002), (.malformed(.malformedHead), false, -1011),
      (.ended(.cutInHead), false, -1011), (.ended(.cutInBody), true, -1), (.malformed(.malformedBody), true, -1),
      (.reset, true, -1005), (.silent, true, -1001),
    ])
  func answering(why: ConnectionLife.Break, hasHead: Bool, code: Int) {
    var life = asking()
    #expect(life.receive() == true)
    if hasHead { life.readHead() }
    #expect(life.break(why) == .failed(NetworkError(code: code)))
  }

  @Test("Events on an idle or closed connection reach no request")
  func idle() {
    var life = asking(second: true)
    #expect(life.receive() == true)
    #expect(life.finish(isReusable: true) == true)
    #expect(life.receive() == false, "no request expects these bytes")
    #expect(life.break(.ended(nil)) == .nothing)
    #expect(life.isClosed)
    #expect(life.break(.reset) == .nothing)
    var abandoned = asking(second: true)
    abandoned.abandon()
    #expect(abandoned.receive() == false)
    #expect(abandoned.break(.reset) == .nothing)
  }

  @Test("A connection that cannot be reused is closed after its response")
  func notKept() {
    var life = asking()
    _ = life.receive()
    #expect(life.finish(isReusable: false) == false)
    #expect(life.isClosed)
  }
}
