public import EventBus
import VirtualTime

/// The stage of the lesson: a page that is closed before a title has changed.
public enum L07 {
  /// Posted when the title of the pages changes.
  public struct TitleChanged: Event {
    /// The new one.
    public let title: String

    /// Makes the event.
    public init(title: String) { self.title = title }
  }

  /// What the stage asks of the program.
  public protocol Program: AnyObject, Sendable {
    /// Makes a page that is not open.
    init(runtime: any Runtime, bus: EventBus, server: PictureServer, screen: Screen)

    /// Loads the picture and shows it, and shows each new title, until the page is dropped. On main.
    func open(_ picture: String)
  }

  static let lesson = Lesson(
    "L07-strong-capture", .views, program: "TitledPage", guilty: "bus.subscribe", deviations: 0, token: "E1.-.61a069bf")

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, closesEarly: Bool
  ) -> () throws -> String {
    let (bus, server, screen) = (EventBus(runtime: runtime), PictureServer(runtime), Screen(runtime))
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
        try require(!trace.isAlive, "the page is closed, and still alive when everything is over")
      } else {
        try require(screen.texts == ["A", "Summer"], "A and Summer are due, and \(screen.texts) are shown")
      }
      _ = page.value  // open until here
      return screen.texts.joined(separator: " ")
    }
  }

  /// Puts a program on the stage.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      play(program, runtime, closesEarly: false)
    } act: { runtime in
      play(program, runtime, closesEarly: true)
    }
  }
}

/// Sees whether something is alive, and does not keep it alive.
private final class Trace: Sendable {
  private weak let object: (any L07.Program)?

  init(_ object: (any L07.Program)?) { self.object = object }

  var isAlive: Bool { object != nil }
}
