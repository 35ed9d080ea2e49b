public import EventBus
import VirtualTime

/// The lesson's stage: one of three pictures cannot be loaded.
public enum L25 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates an empty gallery.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Loads the pictures concurrently, and shows the pictures that could be loaded.
    func load(_ pictures: [String]) async
  }

  static let lesson = Lesson(
    "L25-one-failure-for-all", .tasks, program: "GroupGallery", guilty: "for try await", timing: .exact,
    deviations: 0, token: "E1.-.80455a72")

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ answers: [Result<String, PictureServer.Failure>]
  ) -> () throws -> String {
    let (server, screen) = (PictureServer(runtime, answers: answers), Screen(runtime))
    let gallery = program.init(runtime: runtime, server: server, screen: screen)
    runtime.user(at: 0, "load A B C") { _ = runtime.task { await gallery.load(["A", "B", "C"]) } }
    return {
      try screen.verify()
      try require(
        server.requests.sorted() == ["A", "B", "C"], "the requests must be A, B, and C, but are \(server.requests)")
      let due = answers.compactMap { try? $0.get() }
      try require(screen.texts.sorted() == due, "\(due) arrived, but the screen shows \(screen.texts)")
      let last = screen.showings.last?.time ?? .zero
      try require(
        last <= .milliseconds(100), "the last picture must appear after at most 0.1 seconds, but appears at \(last)")
      return screen.text
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      play(program, runtime, [.success("A"), .success("B"), .success("C")])
    } act: { runtime in
      play(program, runtime, [.failure(.offline), .success("B"), .success("C")])
    }
  }
}
