import Foundation

/// AsyncHTTPClient in a separate process, from a separate package, because it takes minutes to build.
struct AsyncHTTPClientPeer: Sendable {
  private let process: ChildProcess

  /// Returns nil if the peer has not been built for release.
  init?() {
    let program = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../AsyncHTTPClient/.build/release/async-http-client-peer").standardizedFileURL.path
    guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
    process = ChildProcess(program)
  }

  /// Fetches the given number of times. A turn begins and ends with a line through a pipe, which takes about 50 µs in total.
  func work(_ address: String) -> (_ repetitions: Int) -> Void {
    { repetitions in
      process.send("\(repetitions) \(ClosedLoad.inFlight) \(address)")
      _ = process.line()
    }
  }
}
