import VirtualTime

/// The lesson's stage: the first load of a picture fails.
public enum L28 {
  /// The interface that the program implements.
  public protocol Program: Actor {
    /// Creates an empty store.
    ///
    /// - Parameter fetch: Requests a picture. Throws if it cannot be loaded, and ends early if its task is cancelled.
    init(fetch: @escaping @Sendable (String) async throws -> String)

    /// Returns the picture, and shares one request among all callers that wait for it. A failure is not kept. A caller
    /// that is cancelled has no effect on the others.
    func image(_ picture: String) async throws -> String
  }

  static let lesson = Lesson(
    "L28-complete-single-flight", .sharing, program: "ImageStore", guilty: "loads[picture] = load", isPlain: true,
    timing: .exact, deviations: 0, token: "E1.-.ba6c61d4")

  /// A view that wants a picture.
  private struct Wish {
    let time: Int
    let picture: String
    var retries = false
    var cancelled: Int?
  }

  /// Shows on one screen per view what the view receives.
  @MainActor private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, _ server: PictureServer, _ wishes: [Wish]
  ) -> [Screen] {
    let store = program.init { try await server.loadUntilCancelled($0) }
    return wishes.enumerated().map { index, wish in
      let (screen, running) = (Screen(runtime), Watched<Task<Void, Never>?>(nil))
      runtime.person(at: wish.time, "view \(index + 1) wants \(wish.picture)") {
        running.value = Task(name: "view \(index + 1)") {
          var image = try? await store.image(wish.picture)
          if image == nil, wish.retries { image = try? await store.image(wish.picture) }
          screen.show(image ?? data.missing("no picture"))
        }
      }
      if let time = wish.cancelled {
        runtime.person(at: time, "view \(index + 1) disappears") { running.value?.cancel() }
      }
      return screen
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(plain: lesson) { runtime, data in
      let (server, names) = (PictureServer(runtime, data), data.names("A", "B"))
      let wishes = [(0, names[0]), (10, names[0]), (20, names[1]), (1000, names[0])].map { Wish(time: $0, picture: $1) }
      let screens = play(program, runtime, data, server, wishes)
      return {
        try server.verify(requests: names)
        let images = names.map(data.answer)
        for (screen, due) in zip(screens, [(images[0], 100), (images[0], 100), (images[1], 120), (images[0], 1000)]) {
          try screen.verify(shows: [due])
        }
        return screens[0].text
      }
    } act: { runtime, data in
      let picture = data.names("A")[0]
      let server = PictureServer(runtime, data, answers: [.failure(.offline)])
      let count = data.number(0, 2, or: 2...3)
      let wishes = (0..<count).map { _ in Wish(time: 0, picture: picture, retries: true) }
      let screens = play(program, runtime, data, server, wishes)
      return {
        for (index, screen) in screens.enumerated() {
          try require(
            screen.texts == [data.answer(to: picture)],
            "the second load of \(picture) succeeds, but view \(index + 1) shows \(screen.text)")
        }
        try require(
          server.requests.count == 2,
          "\(picture) is requested \(server.requests.count) times, but one request fails and one succeeds")
        return screens[0].text
      }
    } further: {
      [
        LessonPlay.Further("a first caller that is cancelled", plain: .inOrder) { runtime, data in
          let (server, names) = (PictureServer(runtime, data), data.names("A", "B"))
          let screens = play(
            program, runtime, data, server,
            [
              Wish(time: 0, picture: names[0], cancelled: 50), Wish(time: 10, picture: names[0]),
              Wish(time: 20, picture: names[1], cancelled: 30), Wish(time: 60, picture: names[0]),
              Wish(time: 2000, picture: names[1]),
            ])
          return {
            let image = data.answer(to: names[0])
            for index in [1, 3] { try screens[index].verify(shows: [(image, 100)]) }
            try require(
              screens[4].texts == [data.answer(to: names[1])],
              "a cancelled view wanted \(names[1]), and a later one must get it, but it shows \(screens[4].text)")
            try require(
              server.requests.filter { $0 == names[0] }.count == 1,
              "\(names[0]) is requested again, although only one of its callers is cancelled")
            return image
          }
        },
        LessonPlay.Further("a picture that never arrives, and one that fails for two callers", plain: .inOrder) {
          runtime, data in
          let names = data.names("A", "B", "C")
          let server = PictureServer(runtime, data, silent: [names[0]], broken: [names[1]])
          let times = [(0, 0), (10, 1), (20, 1), (30, 2), (1000, 1), (2000, 2)]
          let screens = play(program, runtime, data, server, times.map { Wish(time: $0, picture: names[$1]) })
          return {
            let image = data.answer(to: names[2])
            let due = [
              [], [(data.missing("no picture"), 110)], [(data.missing("no picture"), 110)], [(image, 130)],
              [(data.missing("no picture"), 1100)], [(image, 2000)],
            ]
            for (screen, due) in zip(screens, due) { try screen.verify(shows: due) }
            try server.verify(requests: [names[0], names[1], names[2], names[1]])
            return image
          }
        },
      ]
    }
  }
}
