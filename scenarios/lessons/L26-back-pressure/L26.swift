public import EventBus
import VirtualTime

/// The lesson's stage: a card is read faster than its pictures can be uploaded.
public enum L26 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates an importer that uploads to this server.
    init(runtime: any Runtime, server: PictureServer)

    /// Accepts a picture, and returns as soon as the next one can be read. Pictures are uploaded one at a time.
    /// Several tasks may add pictures.
    func add(_ picture: String) async

    /// Signals that no more pictures will follow.
    func close()
  }

  static let lesson = Lesson(
    "L26-back-pressure", .load, program: "Importer", guilty: "bufferingPolicy", timing: .exact, deviations: 0,
    token: "E1.-.ff3cd4bf")

  /// Reads pictures from one card or from two, and adds them to one importer.
  ///
  /// - Parameters:
  ///   - cards: The pictures on each card.
  ///   - reading: The time to read one picture, in milliseconds.
  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, _ cards: [[String]], reading: Int
  ) -> () throws -> String {
    let server = PictureServer(runtime, data)
    let importer = program.init(runtime: runtime, server: server)
    let (counts, maximum, open) = (Watched(0), Watched(0), Watched(cards.count))
    for card in cards {
      _ = runtime.task {
        for picture in card {
          await runtime.sleep(for: .milliseconds(reading))
          runtime.note("read \(picture)")
          counts.value += 1
          maximum.value = max(maximum.value, counts.value - server.answered.count)
          await importer.add(picture)
        }
        open.value -= 1
        if open.value == 0 { importer.close() }
      }
    }
    let (pictures, room) = (cards.flatMap(\.self), cards.count + 1)
    return {
      try require(
        server.requests.sorted() == pictures.sorted(),
        "\(pictures.joined()) are read, but only \(server.requests.joined()) are uploaded")
      for card in cards {
        try require(
          server.requests.filter(card.contains) == card,
          "\(card.joined()) are read in this order, but uploaded as \(server.requests.joined())")
      }
      try require(
        server.maximumUnderWay <= 1,
        "\(server.maximumUnderWay) pictures are uploaded at the same time, but only one is allowed")
      try require(
        maximum.value <= room, "\(maximum.value) pictures are in memory, which has room for \(room)")
      let each = reading * (cards.map(\.count).max() ?? 0)
      let expected = Duration.milliseconds(max(each + cards.count * 100, reading + pictures.count * 100))
      try require(
        runtime.now <= expected, "the upload could have finished at \(expected), but finished at \(runtime.now)")
      return server.requests.joined()
    }
  }

  private static func card(_ data: RunData) -> [String] {
    data.names(data.number(0, 4, or: 3...6), shown: ["A", "B", "C", "D"])
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      play(program, runtime, data, [card(data)], reading: data.number(1, 200, or: 150...300))
    } act: { runtime, data in
      play(program, runtime, data, [card(data)], reading: data.number(2, 10, or: 5...40))
    } further: {
      [
        LessonPlay.Further("two cards at the same time", .searched) { runtime, data in
          let names = data.names("A", "B", "C", "D", "E", "F")
          return play(
            program, runtime, data, [Array(names[..<3]), Array(names[3...])], reading: data.number(3, 10, or: 5...40))
        }
      ]
    }
  }
}
