import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix

/// Fetches for `fetch-benchmarks`, which writes a line for each turn: how many fetches, how many at once, the address. The answer
/// is an empty line when the last fetch has succeeded. Ends with its input.
@main
struct Peer {
  static func main() async throws {
    // One thread, as `socket` has one queue.
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 6
    let client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
    while let line = readLine() {
      let words = line.split(separator: " ")
      guard words.count == 3, let fetches = Int(words[0]), let inFlight = Int(words[1]) else {
        fatalError("\(line) does not say how many fetches, how many at once, and of what.")
      }
      try await Turn(fetches, String(words[2]), client, group.next()).run(inFlight)
      try FileHandle.standardOutput.write(contentsOf: Data("\n".utf8))
    }
    try await client.shutdown()
  }
}
