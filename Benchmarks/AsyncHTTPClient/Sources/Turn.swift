import AsyncHTTPClient
import NIOCore
import Synchronization

/// Fetches one address on one event loop, with several fetches in flight.
///
/// The futures run on the event loop of the connections, so no thread switch happens between two fetches.
final class Turn: Sendable {
  private let fetches: Int
  private let address: String
  private let client: HTTPClient
  private let loop: any EventLoop
  private let begun = Atomic(0)
  private let ended = Atomic(0)
  private let end: EventLoopPromise<Void>

  init(_ fetches: Int, _ address: String, _ client: HTTPClient, _ loop: any EventLoop) {
    (self.fetches, self.address, self.client, self.loop) = (fetches, address, client, loop)
    end = loop.makePromise()
  }

  func run(_ inFlight: Int) async throws {
    for _ in 0..<inFlight { next() }
    try await end.futureResult.get()
  }

  private func next() {
    guard begun.add(1, ordering: .relaxed).newValue <= fetches else { return }
    do {
      let request = try HTTPClient.Request(url: address, headers: ["Accept-Encoding": "identity"])
      client.execute(request: request, eventLoop: .delegateAndChannel(on: loop)).whenComplete { self.finish($0) }
    } catch {
      end.fail(error)
    }
  }

  private func finish(_ result: Result<HTTPClient.Response, any Error>) {
    guard case .success(let response) = result, response.status == .ok, response.body?.readableBytes ?? 0 > 0 else {
      fatalError("\(address): \(result)")
    }
    if ended.add(1, ordering: .acquiringAndReleasing).newValue == fetches { end.succeed() } else { next() }
  }
}
