public import EventBus
import VirtualTime

/// The lesson's stage: a page closes while its picture is loading.
public enum L23 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a loader.
    init(runtime: any Runtime, server: PictureServer)

    /// Returns the picture, or nil if the task is cancelled. Cancelling the task also ends the request.
    func picture(_ name: String) async -> String?
  }

  static let lesson = Lesson(
    "L23-cancel-before-the-handle", .cancellation, program: "TaskLoader", guilty: "func store(", deviations: 1,
    token: "E1.0:1.82c0d5b8")

  private static func open(
    _ picture: String, _ loader: any Program, _ runtime: VirtualRuntime, _ screen: Screen
  ) -> Task<Void, Never> {
    runtime.task {
      let text = await loader.picture(picture) ?? "nothing"
      runtime.main.schedule { screen.show(text) }
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let (loader, load) = (program.init(runtime: runtime, server: server), Watched<Task<Void, Never>?>(nil))
      runtime.user(at: 0, "open A") { load.value = open("A", loader, runtime, screen) }
      runtime.user(at: 50, "close") { load.value?.cancel() }
      runtime.user(at: 1000, "open B") { load.value = open("B", loader, runtime, screen) }
      return {
        try require(server.requests == ["A", "B"], "the requests must be A and B, but are \(server.requests)")
        try require(server.answered == ["B"], "A is closed and B is open, but \(server.answered) are answered")
        try require(screen.texts == ["nothing", "B"], "A is cancelled and B is loaded, but \(screen.texts) are shown")
        let times = screen.showings.map(\.time)
        try require(times == [.milliseconds(50), .milliseconds(1100)], "the loads do not end on time: \(times)")
        return screen.text
      }
    } act: { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let (loader, load) = (program.init(runtime: runtime, server: server), Watched<Task<Void, Never>?>(nil))
      let answeredBefore = Watched(0)
      runtime.user(at: 0, "open A") { load.value = open("A", loader, runtime, screen) }
      runtime.user(at: 1000, "close") {
        answeredBefore.value = server.answered.count
        load.value?.cancel()
      }
      return {
        try require(screen.texts.count == 1, "the load must end once, but ends \(screen.texts.count) times")
        try require(
          server.answered.count == answeredBefore.value, "the page is closed, but its picture is downloaded in full")
        return screen.text
      }
    }
  }
}
