public import EventBus
import VirtualTime

/// The lesson's stage: a server is offline at first.
public enum L05 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a button that loads nothing yet.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Called on main when the user taps the button. Requests the picture “sunset” and shows it, but does nothing while
    /// a request is in flight. If no picture arrives, or an empty one, the screen stays as it is.
    func tap()
  }

  static let lesson = Lesson(
    "L05-flag-never-cleared", .sharing, program: "ReloadButton", guilty: "guard case .success", timing: .exact,
    deviations: 0, token: "E1.-.00000000")

  /// - Parameters:
  ///   - answers: The answers to the requests.
  ///   - taps: The times of the taps in milliseconds.
  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, latency: Int = 100,
    answers: [Result<String, PictureServer.Failure>], taps: [Int]
  ) -> (server: PictureServer, screen: Screen) {
    let server = PictureServer(runtime, data, latency: .milliseconds(latency), answers: answers)
    let screen = Screen(runtime)
    let button = program.init(runtime: runtime, server: server, screen: screen)
    for time in taps { runtime.user(at: time, "tap") { button.tap() } }
    return (server, screen)
  }

  private static func image(_ data: RunData, _ number: Int) -> String {
    data.isShown ? "sunset" : "\(data.answer(to: data.names("A")[0])), number \(number)"
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      let images = [image(data, 1), image(data, 2)]
      let (server, screen) = play(
        program, runtime, data, answers: images.map { .success($0) }, taps: [0, 50, 1000])
      return {
        let count = server.requests.count
        try require(count == 2, "one of three taps comes during a load, but there are \(count) requests")
        try screen.verify(shows: [(images[0], 100), (images[1], 1100)])
        return screen.text
      }
    } act: { runtime, data in
      let image = image(data, 1)
      let (_, screen) = play(
        program, runtime, data, answers: [.failure(.offline), .success(""), .success(image)], taps: [0, 1000, 2000])
      return {
        try screen.verify()
        try require(screen.text == image, "the server is online again, but \(screen.text) is shown")
        return screen.texts.joined(separator: " ")
      }
    } further: {
      [
        LessonPlay.Further("a slow answer", .inOrder) { runtime, data in
          let (images, latency) = ([image(data, 1), image(data, 2)], data.number(0, 2000, or: 1500...4000))
          let (server, screen) = play(
            program, runtime, data, latency: latency, answers: images.map { .success($0) },
            taps: [0, 600, latency - 1, latency + 1])
          return {
            let count = server.requests.count
            try require(
              count == 2, "two of four taps come during a load of \(latency) ms, but there are \(count) requests")
            try screen.verify(shows: [(images[0], latency), (images[1], 2 * latency + 1)])
            return screen.text
          }
        },
        LessonPlay.Further("taps just after an answer and a failure", .inOrder) { runtime, data in
          let (images, latency) = ([image(data, 1), image(data, 2)], data.number(0, 20, or: 10...40))
          let (server, screen) = play(
            program, runtime, data, latency: latency,
            answers: [.success(images[0]), .failure(.offline), .success(""), .success(images[1])],
            taps: (0..<4).map { $0 * (latency + 1) })
          return {
            let count = server.requests.count
            try require(
              count == 4, "each of four taps comes after the previous answer, but there are \(count) requests")
            try screen.verify(shows: [(images[0], latency), (images[1], 4 * latency + 3)])
            return screen.text
          }
        },
      ]
    }
  }
}
