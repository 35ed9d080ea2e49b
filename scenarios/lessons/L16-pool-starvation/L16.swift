public import EventBus
import PlainText
import VirtualTime

/// The lesson's stage: a gallery shares a pool of two threads with a computation.
public enum L16 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates an empty gallery.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Loads these pictures, and shows each one as soon as it has arrived. Called on main.
    func load(_ pictures: [String])

    /// Runs a small computation on the workers and shows its result. Called on main.
    func count()
  }

  static let lesson = Lesson(
    "L16-pool-starvation", .pools, program: "Gallery", guilty: "isHere.wait()", timing: .exact,
    pool: .fixed(width: 2), deviations: 0, token: "E1.-.524701d5")

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ pictures: [String]
  ) -> () throws -> String {
    let (server, screen) = (PictureServer(runtime), Screen(runtime))
    let gallery = program.init(runtime: runtime, server: server, screen: screen)
    runtime.user(at: 0, "load \(pictures.joined(separator: " "))") { gallery.load(pictures) }
    runtime.user(at: 10, "count") { gallery.count() }
    return {
      try screen.verify()
      try require(server.requests.sorted() == pictures, "the requests are wrong: \(server.requests)")
      try require(
        screen.texts.sorted() == pictures + ["count"],
        "\(pictures) and the count are expected, but \(screen.texts) are shown")
      let time = screen.showings.first { $0.text == "count" }?.time ?? .zero
      try require(time <= .milliseconds(10), "the count needs no network, but appears only at \(time)")
      let last = screen.showings.last?.time ?? .zero
      try require(last <= .milliseconds(100), "a picture loads in 0.1 seconds, but the last one appears at \(last)")
      return screen.texts.joined(separator: " ")
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      play(program, runtime, ["A"])
    } act: { runtime in
      play(program, runtime, ["A", "B", "C"])
    }
  }
}
