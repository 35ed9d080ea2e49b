import VirtualTime

/// The lesson's stage: a loader uses a fast server and a slow server.
public enum L22 {
  /// The interface that the program implements.
  public protocol Program: Sendable {
    /// Creates a loader.
    ///
    /// - Parameter fetch: Requests a picture. It does not react to a cancellation.
    init(fetch: @escaping @Sendable (String) async -> String)

    /// Returns the picture, or nil if it does not arrive within two seconds.
    func load(_ picture: String) async -> String?
  }

  static let lesson = Lesson(
    "L22-timeout-that-waits", .tasks, program: "PatientLoader", guilty: "return await group.next()", isPlain: true,
    timing: .exact, deviations: 0, token: "E1.-.e7c81109")

  /// Loads one picture after each of these latencies, and shows the results.
  @MainActor private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, latencies: [Int?], names: [String],
    starts: [Int]
  ) -> Screen {
    let screen = Screen(runtime)
    let server = PictureServer(
      runtime, data, latencies: { name in .milliseconds(names.firstIndex(of: name).flatMap { latencies[$0] } ?? 0) },
      silent: Set(zip(names, latencies).filter { $0.1 == nil }.map(\.0)))
    let loader = program.init { await server.picture($0) }
    for (name, start) in zip(names, starts) {
      runtime.person(at: start, "load \(name)") {
        Task(name: "load \(name)") { screen.show(await loader.load(name) ?? data.missing("timeout")) }
      }
    }
    return screen
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(plain: lesson) { runtime, data in
      let (names, latency) = (data.names("A"), data.number(0, 100, or: 50...1900))
      let screen = play(program, runtime, data, latencies: [latency], names: names, starts: [0])
      return {
        let image = data.answer(to: names[0])
        try require(screen.texts == [image], "\(names[0]) arrives in time, but \(screen.texts) are shown")
        if !data.isShown { try screen.verify(shows: [(image, latency)]) }
        return screen.text
      }
    } act: { runtime, data in
      let latency = data.number(1, 30_000, or: 2100...40_000)
      let screen = play(program, runtime, data, latencies: [latency], names: data.names("A"), starts: [0])
      return {
        try require(screen.texts == [data.missing("timeout")], "a timeout is expected, but \(screen.texts) are shown")
        let time = screen.showings.last?.time ?? .zero
        try require(time == .seconds(2), "the load times out after \(time) instead of 2")
        return screen.text
      }
    } further: {
      [
        LessonPlay.Further("several loads at once, one of which never ends", plain: .inOrder) { runtime, data in
          let names = data.names("A", "B", "C", "D")
          let screen = play(
            program, runtime, data, latencies: [nil, 1990, 5000, 20], names: names, starts: [0, 10, 20, 3000])
          return {
            try screen.verify(shows: [
              (data.missing("timeout"), 2000), (data.answer(to: names[1]), 2000), (data.missing("timeout"), 2020),
              (data.answer(to: names[3]), 3020),
            ])
            return screen.text
          }
        }
      ]
    }
  }
}
