import Foundation
import OriginServer

/// The server of the benchmarks, in a process of its own: its work is not that of a contender. It ends with the process that
/// started it.
struct OriginProcess: Sendable {
  static let argument = "--origin"
  /// `http://127.0.0.1:port`
  let base: String

  /// Starts the server.
  static func start() -> OriginProcess {
    let process = Process()
    let input = Pipe()
    let output = Pipe()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [argument]
    process.standardInput = input
    process.standardOutput = output
    do {
      try process.run()
    } catch {
      fatalError("The origin cannot be started: \(error)")
    }
    let greeting = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = UInt16(greeting.trimmingCharacters(in: .newlines)) else {
      fatalError("The origin says \(greeting) in place of its port.")
    }
    // The pipe stays open as long as this process.
    held = input
    return OriginProcess(base: "http://127.0.0.1:\(port)")
  }

  private nonisolated(unsafe) static var held: Pipe?

  /// Serves until nobody is left to serve.
  static func serve() -> Never {
    let picture = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../Sources/FetcherApp/Resources/pictures/waves-14.webp").standardizedFileURL
    guard let bytes = try? Data(contentsOf: picture) else { fatalError("\(picture.path) cannot be read.") }
    do {
      let server = try OriginServer(
        content: OriginContent(routes: [
          OriginRoute(path: "/1k", OriginResponse(body: .data(OriginBody.pattern(1024)))),
          OriginRoute(path: "/picture", OriginResponse(headers: [("Content-Type", "image/webp")], body: .data(bytes))),
          OriginRoute(path: "/slow", OriginResponse(body: .data(bytes), latency: .seconds(2))),
        ]))
      FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
      while !FileHandle.standardInput.availableData.isEmpty {}
      server.stop()
    } catch {
      fatalError("\(error)")
    }
    exit(0)
  }
}
