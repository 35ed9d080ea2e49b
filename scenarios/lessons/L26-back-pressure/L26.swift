public import EventBus
import VirtualTime

/// The stage of the lesson: a card that is read more quickly than its pictures can be uploaded.
public enum L26 {
  /// What the stage asks of the program.
  public protocol Program: AnyObject, Sendable {
    /// Makes an importer that uploads to this server.
    init(runtime: any Runtime, server: PictureServer)

    /// Takes a picture over, and returns when the next one may be read. Pictures are uploaded one after the other.
    func add(_ picture: String) async

    /// No picture comes any more.
    func close()
  }

  static let lesson = Lesson(
    "L26-back-pressure", .load, program: "Importer", guilty: "bufferingPolicy", timing: .exact, deviations: 0,
    token: "E1.-.ff3cd4bf")

  /// How many pictures fit into memory: one on its way out, and one on its way in.
  private static let room = 2

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, reading: Duration
  ) -> () throws -> String {
    let server = PictureServer(runtime)
    let importer = program.init(runtime: runtime, server: server)
    let (mostInMemory, pictures) = (Watched(0), ["A", "B", "C", "D"])
    _ = runtime.task {
      for (index, picture) in pictures.enumerated() {
        await runtime.sleep(for: reading)
        let inMemory = index + 1 - server.answered.count
        runtime.note("read \(picture)")
        mostInMemory.value = max(mostInMemory.value, inMemory)
        await importer.add(picture)
      }
      importer.close()
    }
    return {
      try require(
        server.requests == pictures, "\(pictures.joined()) are read, and \(server.requests.joined()) uploaded")
      try require(
        mostInMemory.value <= room, "\(mostInMemory.value) pictures are in memory, which has room for \(room)")
      let expected = max(reading * 4 + .milliseconds(100), reading + .milliseconds(400))
      try require(
        runtime.now <= expected, "everything could be uploaded after \(expected), and is after \(runtime.now)")
      return server.requests.joined()
    }
  }

  /// Puts a program on the stage.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      play(program, runtime, reading: .milliseconds(200))
    } act: { runtime in
      play(program, runtime, reading: .milliseconds(10))
    }
  }
}
