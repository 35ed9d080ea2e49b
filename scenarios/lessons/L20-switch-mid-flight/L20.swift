public import EventBus
import VirtualTime

/// The lesson's stage: a picture is loaded from the web and from the disk.
public enum L20 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates an empty frame that loads its pictures from this server.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Loads this picture and shows it. Called on main.
    func open(_ picture: String)

    /// Switches to this server and reloads the open picture. Called on main.
    func use(_ server: PictureServer)
  }

  static let lesson = Lesson(
    "L20-switch-mid-flight", .identity, program: "PictureFrame", guilty: "opened.withLock({ $0 }) == picture",
    deviations: 2, token: "E1.2:1,3:1.36c90a33")

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime
  ) -> (screen: Screen, check: () throws -> String) {
    let web = PictureServer(
      runtime, named: "web", answers: [.success("A from the web"), .success("newer A from the web")])
    let disk = PictureServer(runtime, named: "disk", answers: [.success("A from the disk")])
    let screen = Screen(runtime)
    let frame = program.init(runtime: runtime, server: web, screen: screen)
    runtime.user(at: 0, "open A") { frame.open("A") }
    runtime.user(at: 1000, "use the disk") { frame.use(disk) }
    runtime.user(at: 2000, "use the web") { frame.use(web) }
    return (
      screen,
      {
        try screen.verify()
        try require(web.requests.count == 2 && disk.requests.count == 1, "each switch must load A again")
        try require(
          screen.text == "newer A from the web", "the web is in use, but “\(screen.text)” is shown")
        return screen.texts.joined(separator: ", ")
      }
    )
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let (screen, check) = play(program, runtime)
      return {
        let times = screen.showings.map(\.time)
        try require(
          times == [.milliseconds(100), .milliseconds(1100), .milliseconds(2100)], "A is not shown on time: \(times)")
        return try check()
      }
    } act: { runtime in
      play(program, runtime).check
    }
  }
}
