public import EventBus
import PlainText
import Synchronization
import VirtualTime

/// The lesson's stage: two albums are printed on a pool of two threads.
public enum L17 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a printer.
    init(runtime: any Runtime, press: Press, screen: Screen)

    /// Prints the album's cover on the workers, then shows the album's title. Called on main.
    func print(_ album: String)
  }

  /// A press that prints covers.
  public final class Press: Sendable {
    private let runtime: VirtualRuntime
    private let printed = Mutex<Set<String>>([])

    init(_ runtime: VirtualRuntime) { self.runtime = runtime }

    /// Prints the cover of an album. Call this on the workers only.
    public func printCover(of album: String) {
      guard runtime.workers.isCurrent else { return runtime.note("the cover of \(album) is not on the workers") }
      runtime.note("cover of \(album)")
      printed.withLock { _ = $0.insert(album) }
    }

    /// Returns an error if the cover of an album was not printed on the workers.
    func complaint(about album: String) -> String? {
      printed.withLock { $0.contains(album) } ? nil : "\(album) is shown before its cover is printed on the workers"
    }
  }

  static let lesson = Lesson(
    "L17-waiting-in-the-pool", .pools, program: "AlbumPrinter", guilty: "isReady.wait()", pool: .fixed(width: 2),
    deviations: 1, token: "E1.0:1.692b241b")

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ albums: [String], isExact: Bool, interval: Int = 1000
  ) -> () throws -> String {
    let press = Press(runtime)
    let screen = Screen(runtime) { press.complaint(about: $0) }
    let printer = program.init(runtime: runtime, press: press, screen: screen)
    for (index, album) in albums.enumerated() {
      runtime.user(at: index * interval, "print \(album)") { printer.print(album) }
    }
    return {
      try screen.verify()
      try require(
        screen.texts.sorted() == albums.sorted(), "the user printed \(albums), but the screen shows \(screen.texts)")
      if isExact { try screen.verify(shows: albums.enumerated().map { ($1, $0 * interval) }) }
      return screen.texts.joined(separator: " ")
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      play(program, runtime, data.names("Summer", "Winter"), isExact: true)
    } act: { runtime, data in
      play(
        program, runtime, data.names(data.number(0, 2, or: 2...3), shown: ["Summer", "Winter"]), isExact: false)
    } further: {
      [
        LessonPlay.Further("many albums at once", .inOrder) { runtime, data in
          play(
            program, runtime, data.names(data.number(1, 4, or: 4...8), shown: []), isExact: true, interval: 0)
        }
      ]
    }
  }
}
