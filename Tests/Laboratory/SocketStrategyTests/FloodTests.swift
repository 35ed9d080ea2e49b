import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import SocketStrategy
import Testing

@testable import SocketStrategy

extension NetworkSuite {
  /// The cost of a server that sends at full speed for the other users of the socket queue.
  @Suite struct FloodTests {
    /// A work item on the loader's queue that enqueues itself again after each run until it is stopped.
    private final class Bystander: Sendable {
      private struct State {
        var turns = 0
        var isStopped = false
      }
      private let state = Locked(State())
      private let whenServed: @Sendable () -> Void

      init(whenServed: @escaping @Sendable () -> Void = {}) { self.whenServed = whenServed }

      var turns: Int { state.withLock { $0.turns } }

      func start(on queue: DispatchQueue) {
        queue.async { [self] in
          whenServed()
          let isStopped = state.withLock { state in
            state.turns += 1
            return state.isStopped
          }
          if !isStopped { start(on: queue) }
        }
      }

      func stop() { state.withLock { $0.isStopped = true } }
    }

    private func load(_ server: FloodServer, _ loader: SocketLoader) async -> TaskListener.Ending {
      await TaskListener.load(NetworkRequest(url: server.url, pool: "x"), loader)
    }

    @Test("The delegate receives the chunks of one read in one call")
    func coalescing() async throws {
      let ending = await load(try FloodServer(FloodServer.chunks(100_000)), SocketLoader())
      #expect(ending.error == nil)
      #expect(ending.body == Data(repeating: UInt8(ascii: "a"), count: 100_000))
      #expect(ending.pieces < 1000, "one call per chunk would make 100,000 calls")
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    /// Responses with many small parts. Each response fits into the system's buffers.
    private static let floods: [(answer: Data, parts: Int)] = [
      (FloodServer.chunks(8000), 24_000),
      (Data((String(repeating: "HTTP/1.1 100 C\r\n\r\n", count: 2000) + ok).utf8), 4000),
      (Data(ok.replacing("\r\n\r\n", with: String(repeating: "\r\nA:b", count: 8000) + "\r\n\r\n").utf8), 8000),
    ]

    @Test("Other work on the queue waits for at most 32 lines or chunks from a flood", arguments: floods)
    func turns(answer: Data, parts: Int) async throws {
      let (loader, bystander) = (SocketLoader(), Bystander())
      // The whole response has arrived when the first turn begins.
      let server = try FloodServer(
        answer, beforeAnswer: { loader.queue.suspend() },
        afterAnswer: {
          bystander.start(on: loader.queue)
          loader.queue.resume()
        })
      #expect(await load(server, loader).error == nil)
      bystander.stop()
      #expect(bystander.turns >= parts / 32)
    }

    @Test("Other work on the queue waits for at most 128 KiB of a fast body")
    func bytes() async throws {
      let size = 8 << 20
      let head = "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"
      let listener = TaskListener()
      let loader = SocketLoader()
      let most = Locked((seen: 0, most: 0))
      let bystander = Bystander {
        let seen = listener.received
        most.withLock { $0 = (seen, max($0.most, seen - $0.seen)) }
      }
      bystander.start(on: loader.queue)
      let server = try FloodServer(Data(head.utf8) + Data(count: size))
      listener.start(NetworkRequest(url: server.url, pool: "x"), loader)
      #expect(await listener.ending().body.count == size)
      bystander.stop()
      #expect(most.withLock { $0.most } <= 128 << 10)
    }
  }
}
