import FetcherModel
import Foundation
import OriginServer
import TestMachine
import Testing

extension BuiltProgram {
  /// The app in `Examples/Album`.
  @Suite struct AlbumTests {
    @Test("A user of the album gets pictures with the selected strategies, and leaving a page closes its connection")
    func session() async throws {
      let picture = try Data(contentsOf: Program.pictures.appending(path: "city-12.png"))
      let tokens = Locked<[String?]>([])
      let origin = try OriginServer(
        content: OriginContent(
          routes: ["/one.png", "/two.png", "/late.png"].map { path in
            OriginRoute(path: path) { _, headers in
              tokens.withLock { $0.append(headers().first { $0.name.lowercased() == "authorization" }?.value) }
              return OriginResponse(body: .data(picture), latency: path == "/late.png" ? .seconds(60) : .zero)
            }
          }))
      let host = try #require(origin.baseURL.host)
      let album = Program.built.deletingLastPathComponent().appending(path: "Album").path
      // A pipe would receive the lines only at the end.
      let app = try Program(
        executable: URL(filePath: "/usr/bin/stdbuf"), environment: ["TOKEN": "t-1", "TOKEN_HOST": host]
      )
      .start(
        ["-oL", album] + ["one.png", "two.png", "late.png", "none.png"].map { "\(origin.baseURL)\($0)" },
        readsInput: true)
      app.type("show 1")
      #expect(await app.line() == "  one.png is loading")
      #expect(await app.line() == "  one.png has 720 × 480 pixels")
      #expect(await app.line() == "  fetched by dataTask")
      for line in ["async", "show 2"] { app.type(line) }
      #expect(await app.line() == "  two.png is loading")
      #expect(await app.line() == "  two.png has 720 × 480 pixels")
      #expect(await app.line() == "  fetched by async")
      app.type("show 3")
      #expect(await app.line() == "  late.png is loading")
      #expect(origin.wait { $0.requestsByPath["/late.png"] == 1 })
      let open = origin.counters.open
      app.type("leave")
      #expect(origin.wait { $0.open == open - 1 })
      app.type("show 4")
      #expect(await app.line() == "  none.png is loading")
      #expect(await app.line() == "  picture “none.png”: the server responded with status 404; verify the address")
      for line in ["nonsense", "show 9", "list"] { app.type(line) }
      try app.endInput()
      #expect(
        String(decoding: await app.restOfOutput(), as: UTF8.self) == """
            configuration: no strategy is called “nonsense”; select one of blocking, dataTask, downloadTask, async
            show which picture? 1 to 4
            1 one.png has 720 × 480 pixels
            2 two.png has 720 × 480 pixels
            3 late.png is not loaded
            4 picture “none.png”: the server responded with status 404; verify the address

          """)
      #expect(await app.code() == 0)
      #expect(tokens.withLock { $0 } == Array(repeating: "Bearer t-1", count: 3))
    }
  }
}
