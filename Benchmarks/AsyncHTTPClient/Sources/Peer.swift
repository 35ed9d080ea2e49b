import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix

/// Fetches for `fetch-benchmarks`, which writes a line per turn: the number of fetches, the number in flight, and the address. The peer
/// replies with an empty line when the last fetch has succeeded. It exits when its input ends.
@main
struct Peer {
  static func main() async throws {
    // One thread, because `socket` uses one queue.
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 6
    let client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
    while let line = readLine() {
      let words = line.split(separator: " ")
      guard words.count == 3, let fetches = Int(words[0]), let inFlight = Int(words[1]) else {
        fatalError("expected “FETCHES IN-FLIGHT ADDRESS”, got “\(line)”")
      }
      try await Turn(fetches, String(words[2]), client, group.next()).run(inFlight)
      try FileHandle.standardOutput.write(contentsOf: Data("\n".utf8))
    }
    try await client.shutdown()
  }
}
