public import EventBus
import VirtualTime

/// The lesson's stage: a row scrolls away while its picture is loading.
public enum L08 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a row that does not load anything yet.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Makes the row show this picture from now on. A request that the row no longer needs is not in flight any more.
    /// Called on main.
    func show(_ picture: String)
  }

  static let lesson = Lesson(
    "L08-weak-is-not-cancel", .cancellation, program: "PhotoRow", guilty: "server.fetch(picture)", deviations: 1,
    token: "E1.2:1.bc4e9fb0")

  /// Shows pictures in a row at some times, and then releases the row.
  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ server: PictureServer,
    _ shows: [(time: Int, picture: String)], releases: Int
  ) -> Screen {
    let screen = Screen(runtime)
    let row = Watched<(any Program)?>(program.init(runtime: runtime, server: server, screen: screen))
    for (time, picture) in shows {
      runtime.user(at: time, "show \(picture)") { row.value?.show(picture) }
    }
    runtime.user(at: releases, "row scrolls away") {
      row.value = nil
      server.nothingIsWanted()
      if !server.inVain.isEmpty { runtime.note("in flight: \(server.inVain.joined(separator: ", "))") }
    }
    return screen
  }

  private static func verify(_ server: PictureServer) throws {
    try require(server.inVain == [], "the row is gone, but \(server.inVain) is still loading")
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      let (server, names) = (PictureServer(runtime, data), data.names("A", "B"))
      let screen = play(program, runtime, server, [(0, names[0]), (1000, names[1])], releases: 2000)
      return {
        try screen.verify(shows: [(data.answer(to: names[0]), 100), (data.answer(to: names[1]), 1100)])
        return screen.text
      }
    } act: { runtime, data in
      let server = PictureServer(runtime, data)
      let count = data.number(0, 2, or: 2...3)
      let names = data.names(count, shown: ["A", "B"])
      let shows = names.enumerated().map { ($0 * 1000, $1) }
      let screen = play(program, runtime, server, shows, releases: count * 1000)
      return {
        try verify(server)
        return screen.texts.joined(separator: " ")
      }
    } further: {
      [
        LessonPlay.Further("a row that changes and goes while it loads", .inOrder) { runtime, data in
          let names = data.names("A", "B", "C", "D")
          let server = PictureServer(runtime, data, silent: [names[1]], broken: [names[2]])
          let shows = [(0, names[0]), (1000, names[1]), (2000, names[2]), (3000, names[0]), (3050, names[3])]
          let screen = play(program, runtime, server, shows, releases: 3080)
          return {
            try verify(server)
            try require(
              !server.underWay.contains(names[1]), "the row shows another picture, but \(names[1]) is still loading")
            try screen.verify(shows: [(data.answer(to: names[0]), 100)])
            try server.verify(requests: shows.map(\.1))
            return screen.text
          }
        },
        LessonPlay.Further("two pictures in a short time", .inOrder) { runtime, data in
          let (server, names) = (PictureServer(runtime, data), data.names("A", "B"))
          let screen = play(program, runtime, server, [(0, names[0]), (50, names[1])], releases: 1000)
          return {
            try screen.verify(shows: [(data.answer(to: names[1]), 150)])
            try require(server.answered == [names[1]], "\(names[0]) is no longer wanted, but is loaded completely")
            return screen.text
          }
        },
      ]
    }
  }
}
