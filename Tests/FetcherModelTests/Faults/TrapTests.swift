import FetcherModel
import Foundation
import ModelFixtures
import Testing

#if os(Linux)
  extension OwnProcesses {
    /// The responses that make Foundation trap, as the page on faults lists them. If one of these tests fails, a newer
    /// toolchain no longer traps. Then move that row to the fault table.
    @Suite struct TrapTests {
      private static let answers: KeyValuePairs<String, FetchError> = [
        "HTTP/1.1 200 OK\r\n": .transport(-1011),
        "HTTP/1.1 200 OK\r\nContent-Le": .transport(-1011),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nX-Sum: y\r\n\r\n": .notAnImage,
        "HTTP/1.1 302 Found\r\nLocation: //a%2Fb/x\r\nContent-Length: 0\r\n\r\n": .blockedByTransportPolicy,
        "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n": .tooLarge,
      ]

      @Test(
        "The socket strategy reports an error for each response that makes Foundation trap", arguments: Array(answers))
      func survives(answer: String, error: FetchError) async throws {
        let catcher = try RequestCatcher(answer: Data(answer.utf8))
        let workbench = try Workbench("socket")
        let image = IFImage(name: "trap", url: catcher.address, in: workbench.environment)
        let events = EventRecorder(image, in: workbench.environment)
        _ = image.image
        _ = await catcher.request()
        await events.ended()
        #expect(image.state == .failed(error))
        #expect(await workbench.fetch().image.image.bytes == Sample.png.bytes)
      }

      @Test(
        "Foundation terminates the process on each response that is listed as a trap", arguments: answers.map(\.key))
      func traps(answer: String) async {
        await #expect(processExitsWith: .signal(SIGILL)) { [answer] in
          let catcher = try RequestCatcher(answer: Data(answer.utf8))
          let workbench = try Workbench("dataTask")
          let image = IFImage(name: "trap", url: catcher.address, in: workbench.environment)
          let events = EventRecorder(image, in: workbench.environment)
          _ = image.image
          _ = await catcher.request()
          await events.ended()
        }
      }
    }
  }
#endif
