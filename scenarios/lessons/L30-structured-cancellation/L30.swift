import VirtualTime

/// The lesson's stage: the user cancels the download of an album.
public enum L30 {
  /// The interface that the program implements.
  public protocol Program: Sendable {
    /// Creates a download.
    ///
    /// - Parameters:
    ///   - fetch: Requests a picture. Throws if it cannot be loaded, or if its task is cancelled.
    ///   - store: Stores a picture.
    init(
      fetch: @escaping @Sendable (String) async throws -> String,
      store: @escaping @MainActor @Sendable (String) -> Void)

    /// Loads the pictures one after another, and stores each. Ignores pictures that cannot be loaded. If the task is
    /// cancelled, ends the request in flight, sends no more, and returns.
    func run(_ pictures: [String]) async
  }

  static let lesson = Lesson(
    "L30-structured-cancellation", .cancellation, program: "AlbumDownload", guilty: "let load = Task", isPlain: true,
    timing: .exact, deviations: 0, token: "E1.-.00000000")

  /// - Parameter cancels: When the user cancels the download, if at all.
  @MainActor private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, _ pictures: [String], cancels: Int?,
    broken: Set<String> = [], silent: Set<String> = []
  ) -> @MainActor () async throws -> String {
    let (server, album) = (PictureServer(runtime, data, silent: silent, broken: broken), Screen(runtime))
    let (running, left, end) = (Watched<Task<Void, Never>?>(nil), Watched<[String]>([]), Watched<Duration?>(nil))
    let download = program.init(fetch: { try await server.loadUntilCancelled($0) }, store: { album.show($0) })
    runtime.person(at: 0, "download") {
      running.value = Task(name: "download") {
        await download.run(pictures)
        end.value = runtime.now
      }
    }
    if let cancels {
      runtime.person(at: cancels, "cancel") {
        running.value?.cancel()
        left.value = server.underWay
        if !left.value.isEmpty { runtime.note("in flight: \(left.value.joined(separator: ", "))") }
      }
    }
    let arrived = pictures.enumerated().filter { index, _ in index * 100 + 100 < cancels ?? .max }
    let sent = pictures.indices.filter { $0 * 100 < cancels ?? .max }.map { pictures[$0] }
    return {
      try require(left.value.isEmpty, "the download is cancelled, but the request for \(left.value) continues")
      try require(
        server.requests == sent, "the requests must be \(sent), but are \(server.requests)")
      try album.verify(
        shows: arrived.filter { !broken.contains($1) && !silent.contains($1) }.map {
          (data.answer(to: $1), $0 * 100 + 100)
        })
      let due = Duration.milliseconds(cancels ?? pictures.count * 100)
      try require(
        end.value == due, "the download must end at \(due), but \(end.value.map { "ends at \($0)" } ?? "does not end")")
      return album.texts.joined(separator: " ")
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(plain: lesson) { runtime, data in
      play(program, runtime, data, data.names("A", "B", "C"), cancels: nil)
    } act: { runtime, data in
      let names = data.names(data.number(0, 3, or: 3...6), shown: ["A", "B", "C"])
      return play(program, runtime, data, names, cancels: data.number(1, 150, or: 101...199))
    } further: {
      [
        LessonPlay.Further("a failure and a late cancellation", plain: .inOrder) { runtime, data in
          let names = data.names("A", "B", "C", "D", "E")
          return play(program, runtime, data, names, cancels: data.number(2, 350, or: 310...390), broken: [names[1]])
        },
        LessonPlay.Further("a failure and no cancellation", plain: .inOrder) { runtime, data in
          let names = data.names("A", "B", "C", "D")
          return play(program, runtime, data, names, cancels: nil, broken: [names[0], names[3]])
        },
        LessonPlay.Further("a picture that never arrives", plain: .inOrder) { runtime, data in
          let names = data.names("A", "B")
          return play(
            program, runtime, data, [names[0]], cancels: data.number(3, 5000, or: 4000...9000), silent: [names[0]])
        },
      ]
    }
  }
}
