public import EventBus
import VirtualTime

/// The lesson's stage: a handler is unsubscribed while a delivery to it is pending.
public enum L10 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a board without subscribers.
    init(runtime: any Runtime)

    /// Adds a handler that runs on main and receives all news from now on. Returns a number for
    /// `unsubscribe`. Called on main.
    func subscribe(_ handler: @escaping @Sendable (String) -> Void) -> Int

    /// Removes a handler. It is never called after this method returns. Called on main.
    func unsubscribe(_ number: Int)

    /// Publishes the news. Called on any thread.
    func post(_ news: String)
  }

  static let lesson = Lesson(
    "L10-queued-delivery", .delivery, program: "NewsBoard", guilty: "handler(news)", deviations: 1,
    token: "E1.0:1.0f491029")

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      let (board, screen, names) = (
        program.init(runtime: runtime), Screen(runtime), data.names("list", "page", "rain", "sun")
      )
      let page = Watched(0)
      runtime.user(at: 0, "subscribe") {
        _ = board.subscribe { screen.show("\(names[0]): \($0)") }
        page.value = board.subscribe { screen.show("\(names[1]): \($0)") }
      }
      _ = runtime.workers.schedule(after: .seconds(1)) { board.post(names[2]) }
      runtime.user(at: 2000, "unsubscribe \(names[1])") { board.unsubscribe(page.value) }
      _ = runtime.workers.schedule(after: .seconds(3)) { board.post(names[3]) }
      return {
        try screen.verify(shows: [
          ("\(names[0]): \(names[2])", 1000), ("\(names[1]): \(names[2])", 1000), ("\(names[0]): \(names[3])", 3000),
        ])
        return screen.text
      }
    } act: { runtime, data in
      let (isThere, names) = (Watched(false), data.names("page", "rain"))
      let board = program.init(runtime: runtime)
      let screen = Screen(runtime) { _ in isThere.value ? nil : "the handler is called after it has unsubscribed" }
      runtime.user(at: 0, "subscribe") {
        isThere.value = true
        let number = board.subscribe { screen.show($0) }
        runtime.main.schedule {
          runtime.note("unsubscribe")
          board.unsubscribe(number)
          isThere.value = false
        }
        runtime.workers.schedule {
          runtime.note("post \(names[1])")
          board.post(names[1])
        }
      }
      return {
        try screen.verify()
        return screen.texts.joined(separator: " ")
      }
    } further: {
      [
        LessonPlay.Further("subscribers that leave and return", .inOrder) { runtime, data in
          let (board, screen) = (program.init(runtime: runtime), Screen(runtime))
          let names = data.names("list", "page", "map", "rain", "sun", "snow")
          let numbers = Watched<[Int]>([])
          let subscribe: @Sendable (String) -> Void = { name in
            numbers.value.append(board.subscribe { screen.show("\(name): \($0)") })
          }
          runtime.user(at: 0, "subscribe") { names[..<3].forEach(subscribe) }
          runtime.user(at: 1000, "unsubscribe \(names[0])") { board.unsubscribe(numbers.value[0]) }
          runtime.user(at: 1500, "subscribe \(names[0]) again") { subscribe(names[0]) }
          _ = runtime.workers.schedule(after: .seconds(2)) { board.post(names[3]) }
          runtime.user(at: 3000, "unsubscribe \(names[0]) again") { board.unsubscribe(numbers.value[3]) }
          _ = runtime.workers.schedule(after: .seconds(4)) { board.post(names[4]) }
          return {
            try screen.verify(
              shows: [0, 1, 2].map { ("\(names[$0]): \(names[3])", 2000) }
                + [1, 2].map { ("\(names[$0]): \(names[4])", 4000) })
            return screen.text
          }
        },
        LessonPlay.Further("a subscriber that returns while a delivery is pending", .searched) { runtime, data in
          let names = data.names("rain", "sun")
          let (board, screen) = (program.init(runtime: runtime), Screen(runtime))
          let isThere = Watched(false)
          runtime.user(at: 0, "subscribe") {
            let number = board.subscribe { _ in
              if !isThere.value { screen.show("late") }
            }
            isThere.value = true
            runtime.main.schedule {
              runtime.note("unsubscribe and subscribe again")
              board.unsubscribe(number)
              isThere.value = false
              _ = board.subscribe { screen.show($0) }
            }
            runtime.workers.schedule {
              runtime.note("post \(names[0])")
              board.post(names[0])
              runtime.workers.schedule { runtime.main.schedule { board.post(names[1]) } }
            }
          }
          return {
            try require(!screen.texts.contains("late"), "the handler is called after it has unsubscribed")
            try require(screen.texts.count <= 2, "a handler received news twice: \(screen.texts)")
            return screen.texts.joined(separator: " ")
          }
        },
      ]
    }
  }
}
