import Foundation
import OriginServer

/// The origin server in a separate process, so that its work does not count for a contender.
struct OriginProcess: Sendable {
  static let argument = "--origin"
  /// `http://127.0.0.1:port`
  let base: String
  private let process: ChildProcess

  init() {
    process = ChildProcess(URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path, [Self.argument])
    let greeting = process.line()
    guard let port = UInt16(greeting) else { fatalError("the origin printed “\(greeting)” instead of its port") }
    base = "http://127.0.0.1:\(port)"
  }

  /// Serves until standard input ends.
  static func serve() -> Never {
    let bodies = Bodies.all.map { OriginRoute(path: "/\($0.name)", OriginResponse(body: .data($0.bytes))) }
    let remote = OriginRoute(
      path: "/remote-picture", OriginResponse(body: .data(Bodies.picture), latency: .milliseconds(20)))
    let slow = OriginRoute(path: "/slow", OriginResponse(body: .data(Data("late".utf8)), latency: .seconds(2)))
    let megabyte = OriginRoute(path: "/megabyte", OriginResponse(body: .bytes(1_000_000)))
    do {
      let server = try OriginServer(content: OriginContent(routes: bodies + [remote, slow, megabyte]))
      FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
      while !FileHandle.standardInput.availableData.isEmpty {}
      server.stop()
    } catch {
      fatalError("\(error)")
    }
    exit(0)
  }
}
