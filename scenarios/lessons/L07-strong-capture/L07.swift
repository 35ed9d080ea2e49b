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
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, closes: Int?, titles: [Int] = [],
    neverArrives: Bool = false, isExact: Bool = true
  ) -> () throws -> String {
    let (bus, screen) = (runtime.makeBus(), Screen(runtime))
    let names = data.names("A", "Summer", "Winter")
    let page = Watched<(any Program)?>(
      program.init(
        runtime: runtime, bus: bus, server: PictureServer(runtime, data, silent: neverArrives ? [names[0]] : []),
        screen: screen))
    let trace = Trace(page.value)
    let wasAlive = Watched(false)
    runtime.user(at: 0, "open \(names[0])") { page.value?.open(names[0]) }
    for (index, time) in titles.enumerated() {
      runtime.user(at: time, "title") { bus.post(TitleChanged(title: names[1 + index])) }
    }
    if let closes {
      runtime.user(at: closes, "close") {
        page.value = nil
        if !data.isShown { wasAlive.value = trace.isAlive }
      }
    }
    return {
      try screen.verify()
      if closes == nil || !data.isShown {
        var due = titles.enumerated().filter { $1 < closes ?? .max }.map { (names[1 + $0], $1) }
        if !neverArrives, closes ?? .max > 100 { due.append((data.answer(to: names[0]), 100)) }
        if isExact { try screen.verify(shows: due) }
      }
      if closes != nil {
        runtime.note(trace.isAlive ? "the page is alive" : "the page is gone")
        try require(!trace.isAlive, "the page is closed, but still alive at the end of the run")
        try require(!wasAlive.value, "the page is closed, but is not released at once")
      }
      _ = page.value  // keeps the page open until here
      return screen.texts.joined(separator: " ")
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      play(program, runtime, data, closes: nil, titles: [1000])
    } act: { runtime, data in
      play(program, runtime, data, closes: 1000, isExact: false)
    } further: {
      [
        LessonPlay.Further("two titles before the page closes", .inOrder) { runtime, data in
          play(program, runtime, data, closes: data.number(0, 3000, or: 2500...9000), titles: [1000, 2000])
        },
        LessonPlay.Further("a page that closes while its picture loads", .inOrder) { runtime, data in
          play(program, runtime, data, closes: data.number(0, 50, or: 20...80), titles: [10, 1000])
        },
        LessonPlay.Further("two titles and a picture that never arrives", .inOrder) { runtime, data in
          play(program, runtime, data, closes: nil, titles: [500, 1500], neverArrives: true)
        },
      ]
    }
  }
}

/// Reports whether an object is alive, without keeping it alive.
private final class Trace: Sendable {
  private weak let object: (any L07.Program)?

  init(_ object: (any L07.Program)?) { self.object = object }

  var isAlive: Bool { object != nil }
}
