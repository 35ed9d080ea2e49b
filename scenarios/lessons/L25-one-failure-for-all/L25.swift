import VirtualTime

/// The lesson's stage: one of three pictures cannot be loaded.
public enum L25 {
  /// The interface that the program implements.
  public protocol Program: Sendable {
    /// Creates an empty gallery.
    ///
    /// - Parameters:
    ///   - fetch: Requests a picture. Throws if it cannot be loaded.
    ///   - show: Shows a picture.
    init(
      fetch: @escaping @Sendable (String) async throws -> String, show: @escaping @MainActor @Sendable (String) -> Void)

    /// Loads the pictures concurrently, and shows each one that can be loaded, as soon as it has arrived. Returns when each
    /// picture has been shown or has failed.
    func load(_ pictures: [String]) async
  }

  static let lesson = Lesson(
    "L25-one-failure-for-all", .tasks, program: "GroupGallery", guilty: "for try await", isPlain: true, timing: .exact,
    deviations: 0, token: "E1.-.e63a5a57")

  @MainActor private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, _ pictures: [String],
    broken: Set<String> = [], silent: Set<String> = [], latencies: [Int] = []
  ) -> @MainActor () async throws -> String {
    let latency: @Sendable (String) -> Int = { name in
      pictures.firstIndex(of: name).flatMap { latencies.indices.contains($0) ? latencies[$0] : nil } ?? 100
    }
    let server = PictureServer(
      runtime, data, latencies: { .milliseconds(latency($0)) }, silent: silent, broken: broken)
    // The number of pictures on the screen when the load returns.
    let (screen, shown) = (Screen(runtime), Watched<Int?>(nil))
    let gallery = program.init(fetch: { try await server.load($0) }, show: { screen.show($0) })
    runtime.person(at: 0, "load \(pictures.joined(separator: " "))") {
      Task(name: "load") {
        await gallery.load(pictures)
        shown.value = screen.texts.count
      }
    }
    return {
      try screen.verify()
      try server.verify(requests: pictures)
      let due = pictures.filter { !broken.contains($0) && !silent.contains($0) }
      let images = due.map(data.answer)
      try require(
        screen.texts.sorted() == images.sorted(), "\(images) arrived, but the screen shows \(screen.texts)")
      try screen.verify(shows: due.map { (data.answer(to: $0), latency($0)) })
      try require(shown.value != nil || !silent.isEmpty, "the load does not end")
      let atEnd = shown.value ?? due.count
      try require(atEnd == due.count, "`load` returns when \(atEnd) of \(due.count) pictures are on the screen")
      return screen.text
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(plain: lesson) { runtime, data in
      play(program, runtime, data, data.names(data.number(0, 3, or: 4...7), shown: ["A", "B", "C"]))
    } act: { runtime, data in
      let names = data.names("A", "B", "C")
      return play(program, runtime, data, names, broken: [names[data.number(1, 0, or: 0...2)]])
    } further: {
      [
        LessonPlay.Further("several failures, a slow answer, and one that never arrives", plain: .inOrder) {
          runtime, data in
          let names = data.names("A", "B", "C", "D", "E", "F")
          return play(
            program, runtime, data, names, broken: [names[0], names[2], names[5]], silent: [names[3]],
            latencies: [50, 70, 20, 10, 400, 900])
        },
        LessonPlay.Further("failures only", plain: .inOrder) { runtime, data in
          let names = data.names("A", "B")
          return play(program, runtime, data, names, broken: Set(names))
        },
      ]
    }
  }
}
