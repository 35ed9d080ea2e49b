public import EventBus
import VirtualTime

/// The lesson's stage: a loader uses a fast server and a slow server.
public enum L22 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a loader.
    init(runtime: any Runtime, server: PictureServer)

    /// Returns the picture, or nil if it does not arrive within two seconds.
    func load(_ picture: String) async -> String?
  }

  static let lesson = Lesson(
    "L22-timeout-that-waits", .tasks, program: "PatientLoader", guilty: "return await group.next()", timing: .exact,
    deviations: 0, token: "E1.-.0ac953ff")

  private static func load(
    _ program: any Program.Type, _ runtime: VirtualRuntime, latency: Duration
  ) -> Screen {
    let (server, screen) = (PictureServer(runtime, latency: latency), Screen(runtime))
    let loader = program.init(runtime: runtime, server: server)
    runtime.user(at: 0, "load A") {
      _ = runtime.task {
        let text = await loader.load("A") ?? "timeout"
        runtime.main.schedule { screen.show(text) }
      }
    }
    return screen
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let screen = load(program, runtime, latency: .milliseconds(100))
      return {
        try require(screen.texts == ["A"], "A arrives in time, but \(screen.texts) are shown")
        return screen.text
      }
    } act: { runtime in
      let screen = load(program, runtime, latency: .seconds(30))
      return {
        try require(screen.texts == ["timeout"], "a timeout is expected, but \(screen.texts) are shown")
        let time = screen.showings.last?.time ?? .zero
        try require(time == .seconds(2), "the load times out after \(time) instead of 2")
        return screen.text
      }
    }
  }
}
