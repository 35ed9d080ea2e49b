public import EventBus
import VirtualTime

/// The lesson's stage: an answer races with a deadline.
public enum L15 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a loader.
    init(runtime: any Runtime, server: PictureServer)

    /// Calls the completion once, on main, with the picture, or with nil if no answer arrives within two seconds.
    func load(_ picture: String, completion: @escaping @Sendable (String?) -> Void)
  }

  static let lesson = Lesson(
    "L15-completed-twice", .delivery, program: "TimedLoader", guilty: "completion(nil)", deviations: 1,
    token: "E1.0:1.c8564e53")

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let (server, screen) = (PictureServer(runtime, silent: ["nowhere"]), Screen(runtime))
      let loader = program.init(runtime: runtime, server: server)
      for picture in ["A", "nowhere"] {
        runtime.user(at: 0, "load \(picture)") { loader.load(picture) { screen.show($0 ?? "timeout") } }
      }
      return {
        try screen.verify()
        try require(
          screen.texts == ["A", "timeout"], "A and a timeout are expected, but the completions report \(screen.texts)")
        let times = screen.showings.map(\.time)
        try require(times == [.milliseconds(100), .seconds(2)], "the completions are not called on time: \(times)")
        return screen.text
      }
    } act: { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let loader = program.init(runtime: runtime, server: server)
      runtime.user(at: 0, "load A") { loader.load("A") { screen.show($0 ?? "timeout") } }
      return {
        try screen.verify()
        try require(screen.texts.count == 1, "one load completes \(screen.texts.count) times: \(screen.texts)")
        return screen.text
      }
    }
  }
}
