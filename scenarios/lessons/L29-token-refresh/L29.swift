import VirtualTime

/// The lesson's stage: a token expires while several requests are in flight.
public enum L29 {
  /// The interface that the program implements.
  public protocol Program: Actor {
    /// Creates a session with an expired or a valid token.
    ///
    /// - Parameters:
    ///   - send: Sends a request with a token. Returns nil if the server does not accept the token.
    ///   - refresh: Requests a new token. The old one is no longer accepted.
    init(
      token: String, send: @escaping @Sendable (_ page: String, _ token: String) async -> String?,
      refresh: @escaping @Sendable () async -> String)

    /// Returns the page. Refreshes the token if the server does not accept it, once for all requests.
    func page(_ name: String) async -> String?
  }

  static let lesson = Lesson(
    "L29-token-refresh", .sharing, program: "Session", guilty: "token = await refresh()", isPlain: true,
    timing: .exact, deviations: 0, token: "E1.-.b2f2d0c9")

  /// - Parameters:
  ///   - times: When the user opens each page, in milliseconds.
  ///   - latencies: The time between a request for each page and its answer, in milliseconds.
  ///   - isValid: Whether the first token is valid.
  ///   - expiry: When the token expires again, in milliseconds, or nil.
  ///   - isFirstVain: Whether the first new token has expired when it arrives. A page that was sent with it may then be
  ///     refused twice, except for the last one.
  @MainActor private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, _ pages: [String], times: [Int],
    latencies: [Int] = [], isValid: Bool = false, expiry: Int? = nil, isFirstVain: Bool = false
  ) -> @MainActor () async throws -> String {
    let (accepted, refreshes) = (Watched(isValid ? "token 0" : "token 1"), Watched(0))
    let latency: @Sendable (String) -> Int = { page in
      page == "token"
        ? 50 : pages.firstIndex(of: page).flatMap { latencies.indices.contains($0) ? latencies[$0] : nil } ?? 100
    }
    let server = PictureServer(runtime, data, latencies: { .milliseconds(latency($0)) })
    let screen = Screen(runtime)
    let session = program.init(
      token: "token 0",
      send: { page, token in
        // The server looks at the token when the request arrives.
        let isAccepted = token == accepted.value
        let answer = await server.picture(page)
        if !isAccepted { runtime.note("\(page) is refused") }
        return isAccepted ? answer : nil
      },
      refresh: {
        refreshes.value += 1
        let token = "token \(refreshes.value)"
        accepted.value = isFirstVain && refreshes.value == 1 ? "no token" : token
        _ = await server.picture("token")
        return token
      })
    if let expiry { runtime.person(at: expiry, "the token expires") { accepted.value = "no token" } }
    for (page, time) in zip(pages, times) {
      runtime.person(at: time, "open \(page)") {
        Task(name: "open \(page)") { screen.show(await session.page(page) ?? "no page") }
      }
    }
    let needed = isValid ? 0 : expiry == nil && !isFirstVain ? 1 : 2
    return {
      try require(
        refreshes.value == needed,
        "the token is refreshed \(refreshes.value == 1 ? "once" : "\(refreshes.value) times") instead of "
          + ["not at all", "once", "twice"][needed])
      let images = pages.map(data.answer)
      if isFirstVain {
        try require(screen.texts.count == pages.count, "\(pages.count) pages are opened, but \(screen.texts) are shown")
        let last = images[pages.count - 1]
        try require(screen.texts.contains(last), "the newest token is accepted, but \(last) is not shown")
        return screen.texts.joined(separator: ", ")
      }
      try require(
        screen.texts.sorted() == images.sorted(), "the pages are \(images), but the screen shows \(screen.texts)")
      let sent = server.requests.filter { $0 != "token" }
      try require(
        sent.count <= 2 * pages.count,
        "\(pages.count) pages need at most \(2 * pages.count) requests, but \(sent.count) are sent")
      return screen.texts.joined(separator: ", ")
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(plain: lesson) { runtime, data in
      play(program, runtime, data, data.names("A", "B"), times: [0, 1000])
    } act: { runtime, data in
      let names = data.names(data.number(0, 2, or: 2...3), shown: ["A", "B"])
      return play(
        program, runtime, data, names, times: names.map { _ in 0 }, latencies: names.indices.map { 100 + 80 * $0 })
    } further: {
      [
        LessonPlay.Further("ten requests at once", plain: .inOrder) { runtime, data in
          let names = data.names(10, shown: [])
          return play(
            program, runtime, data, names, times: names.map { _ in 0 },
            latencies: names.indices.map { data.number(UInt64($0), 100, or: 20...900) })
        },
        LessonPlay.Further("a token that expires twice", plain: .inOrder) { runtime, data in
          let names = data.names("A", "B", "C")
          return play(program, runtime, data, names, times: [0, 2000, 2010], expiry: 1000)
        },
        LessonPlay.Further("a new token that has expired when it arrives", plain: .searched) { runtime, data in
          let names = data.names("A", "B", "C", "D")
          return play(
            program, runtime, data, names, times: [0, 10, 150, 151], latencies: [100, 90, 0, 10], isFirstVain: true)
        },
        LessonPlay.Further("a valid token", plain: .inOrder) { runtime, data in
          let names = data.names("A", "B", "C")
          return play(program, runtime, data, names, times: [0, 10, 500], isValid: true)
        },
      ]
    }
  }
}
