import VirtualTime

/// The lesson's stage: a page closes while its picture is loading.
public enum L23 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a loader.
    ///
    /// - Parameter start: Starts a request, and returns a closure that cancels it. The completion is called once, on any
    ///   thread, with the picture, or with nil after a cancel or a failure.
    init(start: @escaping @Sendable (String, @escaping @Sendable (String?) -> Void) -> @Sendable () -> Void)

    /// Returns the picture, or nil if the task is cancelled. Cancelling the task also ends the request.
    func picture(_ name: String) async -> String?
  }

  static let lesson = Lesson(
    "L23-cancel-before-the-handle", .cancellation, program: "TaskLoader", guilty: "func store(", isPlain: true,
    deviations: 1, token: "E1.0:1.1055eaef")

  @MainActor private static func make(_ program: any Program.Type, _ server: PictureServer) -> any Program {
    program.init { name, completion in
      let request = server.fetch(name) { completion(try? $0.get()) }
      return { request.cancel() }
    }
  }

  /// Opens pages, and closes some of them.
  ///
  /// - Parameter times: For each picture, when its page opens and, if it does, when it closes.
  @MainActor private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, _ server: PictureServer,
    _ times: [(picture: String, opens: Int, closes: Int?)]
  ) -> Screen {
    let screen = Screen(runtime)
    let loader = make(program, server)
    for (picture, opens, closes) in times {
      let load = Watched<Task<Void, Never>?>(nil)
      runtime.person(at: opens, "open \(picture)") {
        load.value = Task(name: "load \(picture)") {
          screen.show(await loader.picture(picture) ?? data.missing("nothing"))
        }
        if closes == opens { load.value?.cancel() }
      }
      if let closes, closes > opens {
        runtime.person(at: closes, "close") { load.value?.cancel() }
      }
    }
    return screen
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(plain: lesson, isInterrupted: false) { runtime, data in
      let (server, names) = (PictureServer(runtime, data), data.names("A", "B"))
      let screen = play(program, runtime, data, server, [(names[0], 0, 50), (names[1], 1000, nil)])
      return {
        try server.verify(requests: names)
        try require(
          server.answered == [names[1]],
          "\(names[0]) is closed and \(names[1]) is open, but \(server.answered) are answered")
        try screen.verify(shows: [(data.missing("nothing"), 50), (data.answer(to: names[1]), 1100)])
        return screen.text
      }
    } act: { runtime, data in
      let (server, screen, name) = (PictureServer(runtime, data), Screen(runtime), data.names("A")[0])
      let loader = make(program, server)
      let (load, answeredBefore) = (Watched<Task<Void, Never>?>(nil), Watched(0))
      runtime.person(at: 0, "open \(name)") {
        load.value = Task(name: "load \(name)") { screen.show(await loader.picture(name) ?? data.missing("nothing")) }
      }
      runtime.person(at: 1000, "close") {
        answeredBefore.value = server.answered.count
        load.value?.cancel()
      }
      return {
        try require(screen.texts.count == 1, "the load must end once, but ends \(screen.texts.count) times")
        try require(
          server.answered.count == answeredBefore.value, "the page is closed, but its picture is downloaded in full")
        let (image, shown) = (data.answer(to: name), screen.text)
        try require(
          shown == data.missing("nothing") || server.answered == [name] && shown == image, "\(shown) is returned")
        return screen.text
      }
    } further: {
      [
        // A picture that never arrives, because an answer may come before the request is stored.
        LessonPlay.Further("a page that closes while its request starts", plain: .interrupted) { runtime, data in
          let name = data.names("A")[0]
          let (server, screen) = (PictureServer(runtime, data, silent: [name]), Screen(runtime))
          let (loader, load) = (make(program, server), Watched<Task<Void, Never>?>(nil))
          runtime.person(at: 0, "open \(name)") {
            load.value = Task(name: "load \(name)") {
              screen.show(await loader.picture(name) ?? data.missing("nothing"))
            }
          }
          runtime.person(at: 1000, "close") { load.value?.cancel() }
          return {
            try require(server.underWay == [], "the page is closed, but \(name) is still requested")
            try require(screen.texts.count == 1, "the load must end once, but ends \(screen.texts.count) times")
            return screen.text
          }
        },
        LessonPlay.Further("a page that closes at once, a failure, and an answer that never arrives", plain: .inOrder) {
          runtime, data in
          let names = data.names("A", "B", "C", "D")
          let server = PictureServer(runtime, data, silent: [names[2]], broken: [names[1]])
          let screen = play(
            program, runtime, data, server,
            [
              (names[0], 0, 0), (names[1], 1000, nil), (names[2], 2000, 6000), (names[3], 2010, nil),
              (names[0], 7000, nil),
            ])
          return {
            try screen.verify(shows: [
              (data.missing("nothing"), 0), (data.missing("nothing"), 1100), (data.answer(to: names[3]), 2110),
              (data.missing("nothing"), 6000),
              (data.answer(to: names[0]), 7100),
            ])
            try require(server.underWay == [], "the pages are closed, but \(server.underWay) are still in flight")
            return screen.text
          }
        },
      ]
    }
  }
}
