import Foundation

/// AsyncHTTPClient in a process of its own, as its package is: it takes minutes to build.
struct AsyncHTTPClientPeer: Sendable {
  private let process: ChildProcess

  /// Nil where the program has not been built for release.
  init?() {
    let program = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../AsyncHTTPClient/.build/release/async-http-client-peer").standardizedFileURL.path
    guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
    process = ChildProcess(program)
  }

  /// Fetches so often as told. A turn begins and ends with a line through a pipe, some 50 µs in all.
  func work(_ address: String) -> (_ repetitions: Int) -> Void {
    { repetitions in
      process.send("\(repetitions) \(ClosedLoad.inFlight) \(address)")
      _ = process.line()
    }
  }
}
