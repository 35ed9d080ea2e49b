public import EventBus
import PlainText
import VirtualTime

/// The lesson's stage: a gallery shares a pool of two threads with a computation.
public enum L16 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates an empty gallery.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Loads these pictures, and shows each one as soon as it has arrived. Called on main. Blocks no thread.
    func load(_ pictures: [String])

    /// Runs a small computation on the workers and shows its result. Called on main.
    func count()
  }

  static let lesson = Lesson(
    "L16-pool-starvation", .pools, program: "Gallery", guilty: "isHere.wait()", timing: .exact,
    pool: .fixed(width: 2), deviations: 0, token: "E1.-.524701d5")

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, _ pictures: [String],
    silent: Set<String> = []
  ) -> () throws -> String {
    let (server, screen) = (PictureServer(runtime, data, silent: silent), Screen(runtime))
    let gallery = program.init(runtime: runtime, server: server, screen: screen)
    runtime.user(at: 0, "load \(pictures.joined(separator: " "))") { gallery.load(pictures) }
    runtime.user(at: 10, "count") { gallery.count() }
    return {
      try screen.verify()
      try server.verify(requests: pictures)
      let time = screen.showings.first { $0.text == "count" }?.time ?? .zero
      try require(time <= .milliseconds(10), "the count needs no network, but appears only at \(time)")
      let images = pictures.filter { !silent.contains($0) }.map { (data.answer(to: $0), 100) }
      try screen.verify(shows: images + [("count", 10)])
      try require(
        data.isShown || runtime.waits == 0,
        "\(runtime.waits) threads are blocked until their pictures arrive: with many pictures, the process runs out of threads"
      )
      return screen.texts.joined(separator: " ")
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      play(program, runtime, data, data.names(data.number(0, 1, or: 3...6), shown: ["A"]))
    } act: { runtime, data in
      play(program, runtime, data, data.names(data.number(1, 3, or: 2...4), shown: ["A", "B", "C"]))
    } further: {
      [
        LessonPlay.Further("two pictures that never arrive", .inOrder) { runtime, data in
          let names = data.names("A", "B", "C", "D")
          return play(program, runtime, data, names, silent: [names[0], names[1]])
        }
      ]
    }
  }
}
