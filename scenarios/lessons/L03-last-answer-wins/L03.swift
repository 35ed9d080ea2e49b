public import EventBus
import VirtualTime

/// The lesson's stage: a user selects two pictures.
public enum L03 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a page that shows nothing yet.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Called on main when the user selects a picture. Shows it once it has arrived. If it cannot be loaded, the screen
    /// stays as it is.
    func select(_ picture: String)
  }

  static let lesson = Lesson(
    "L03-last-answer-wins", .identity, program: "PicturePage", guilty: "screen.show(image)", deviations: 2,
    token: "E1.0:1,1:1.8cfb6c42")

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ pictures: [String], _ times: [Int],
    _ server: PictureServer
  ) -> Screen {
    let screen = Screen(runtime) { text in
      server.hasDelivered(text) ? nil : "“\(text)” is shown, but the server has not sent it"
    }
    let page = program.init(runtime: runtime, server: server, screen: screen)
    for (picture, time) in zip(pictures, times) {
      runtime.user(at: time, "tap \(picture)") { page.select(picture) }
    }
    return screen
  }

  private static func verify(_ screen: Screen, _ data: RunData, selected: String) throws {
    try screen.verify()
    let image = data.answer(to: selected)
    try require(screen.text == image, "\(selected) is selected, but \(screen.text) is shown")
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      let pictures = data.names("A", "B", "C")
      let screen = play(program, runtime, pictures, [0, 1000, 1050], PictureServer(runtime, data))
      return {
        try screen.verify()
        try require(
          screen.texts.contains(data.answer(to: pictures[0])), "\(pictures[0]) was selected, but never shown")
        try require(
          screen.showings.first == Screen.Showing(text: data.answer(to: pictures[0]), time: .milliseconds(100)),
          "\(pictures[0]) was selected, but is not shown at 0.1 seconds")
        try verify(screen, data, selected: pictures[2])
        let end = screen.showings.last?.time ?? .zero
        try require(
          end <= .milliseconds(1150), "\(pictures[2]) is shown at \(end), long after its answer could have arrived")
        return screen.text
      }
    } act: { runtime, data in
      let count = data.number(0, 2, or: 2...3)
      let pictures = data.names(count, shown: ["A", "B"])
      let times = (0..<count).map { $0 * 1000 }
      let screen = play(program, runtime, pictures, times, PictureServer(runtime, data))
      return {
        try verify(screen, data, selected: pictures[count - 1])
        return screen.texts.joined(separator: " ")
      }
    } further: {
      [
        LessonPlay.Further("a picture that never arrives and one that fails", .inOrder) { runtime, data in
          let names = data.names("A", "B", "C", "D")
          let server = PictureServer(runtime, data, silent: [names[1]], broken: [names[2]])
          let screen = play(
            program, runtime, [names[0], names[1], names[2], names[3], names[0]], [0, 1000, 2000, 3000, 4000], server)
          return {
            try screen.verify(shows: [
              (data.answer(to: names[0]), 100), (data.answer(to: names[3]), 3100), (data.answer(to: names[0]), 4100),
            ])
            return screen.text
          }
        },
        LessonPlay.Further("a slow answer to an earlier tap", .inOrder) { runtime, data in
          let names = data.names("A", "B", "C")
          let server = PictureServer(runtime, data, latencies: { .milliseconds($0 == names[1] ? 400 : 100) })
          let screen = play(program, runtime, [names[0], names[1], names[2]], [0, 1000, 1100], server)
          return {
            try screen.verify(shows: [(data.answer(to: names[0]), 100), (data.answer(to: names[2]), 1200)])
            return screen.text
          }
        },
        LessonPlay.Further("an answer that arrives while a later one is on its way", .inOrder) { runtime, data in
          let names = data.names("A", "B", "C")
          let server = PictureServer(runtime, data, latencies: { .milliseconds($0 == names[2] ? 400 : 100) })
          let screen = play(program, runtime, names, [0, 1000, 1050], server)
          return {
            try screen.verify(shows: [(data.answer(to: names[0]), 100), (data.answer(to: names[2]), 1450)])
            return screen.text
          }
        },
        LessonPlay.Further("a user who returns to the first picture", .searched) { runtime, data in
          let names = data.names("A", "B")
          let screen = play(
            program, runtime, [names[0], names[1], names[0]], [0, 1000, 2000], PictureServer(runtime, data))
          return {
            try verify(screen, data, selected: names[0])
            return screen.texts.joined(separator: " ")
          }
        },
      ]
    }
  }
}
