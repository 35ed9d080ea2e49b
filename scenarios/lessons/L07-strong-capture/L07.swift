public import EventBus
import VirtualTime

/// The lesson's stage: a page closes before the title changes.
public enum L07 {
  /// Posted when the page title changes.
  public struct TitleChanged: Event {
    /// The new title.
    public let title: String

    /// Creates the event.
    public init(title: String) { self.title = title }
  }

  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a page that is not open yet.
    init(runtime: any Runtime, bus: EventBus, server: PictureServer, screen: Screen)

    /// Loads and shows the picture, and then shows each new title until the page is released. Called on main.
    func open(_ picture: String)
  }

  static let lesson = Lesson(
    "L07-strong-capture", .views, program: "TitledPage", guilty: "bus.subscribe", deviations: 0, token: "E1.-.61a069bf")

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, closesEarly: Bool
  ) -> () throws -> String {
    let (bus, server, screen) = (runtime.makeBus(), PictureServer(runtime), Screen(runtime))
    let page = Watched<(any Program)?>(
      program.init(runtime: runtime, bus: bus, server: server, screen: screen))
    let trace = Trace(page.value)
    runtime.user(at: 0, "open A") { page.value?.open("A") }
    if closesEarly {
      runtime.user(at: 1000, "close") { page.value = nil }
    } else {
      runtime.user(at: 1000, "title") { bus.post(TitleChanged(title: "Summer")) }
    }
    return {
      try screen.verify()
      if closesEarly {
        runtime.note(trace.isAlive ? "the page is alive" : "the page is gone")
        try require(!trace.isAlive, "the page is closed, but still alive at the end of the run")
      } else {
        try require(screen.texts == ["A", "Summer"], "A and Summer are expected, but \(screen.texts) are shown")
      }
      _ = page.value  // keeps the page open until here
      return screen.texts.joined(separator: " ")
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      play(program, runtime, closesEarly: false)
    } act: { runtime in
      play(program, runtime, closesEarly: true)
    }
  }
}

/// Reports whether an object is alive, without keeping it alive.
private final class Trace: Sendable {
  private weak let object: (any L07.Program)?

  init(_ object: (any L07.Program)?) { self.object = object }

  var isAlive: Bool { object != nil }
}
