public import EventBus
import VirtualTime

/// The stage of the lesson: a gallery on a pool of two threads.
public enum L16 {
  /// What the stage asks of the program.
  public protocol Program: AnyObject, Sendable {
    /// Makes an empty gallery.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Loads these pictures, and shows each when it has arrived. On main.
    func load(_ pictures: [String])

    /// Computes something small on the workers, and shows it. On main.
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
      try require(server.requests.sorted() == pictures, "the requests are \(server.requests)")
      try require(
        screen.texts.sorted() == pictures + ["count"], "\(pictures) and the count are due, and \(screen.texts) shown")
      let time = screen.showings.first { $0.text == "count" }?.time ?? .zero
      try require(time <= .milliseconds(10), "the count needs no network, and comes at \(time)")
      let last = screen.showings.last?.time ?? .zero
      try require(last <= .milliseconds(100), "the last picture comes at \(last)")
      return screen.texts.joined(separator: " ")
    }
  }

  /// Puts a program on the stage.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      play(program, runtime, ["A"])
    } act: { runtime in
      play(program, runtime, ["A", "B", "C"])
    }
  }
}
