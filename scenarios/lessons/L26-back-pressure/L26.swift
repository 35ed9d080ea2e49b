public import EventBus
import VirtualTime

/// The lesson's stage: a card is read faster than its pictures can be uploaded.
public enum L26 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates an importer that uploads to this server.
    init(runtime: any Runtime, server: PictureServer)

    /// Accepts a picture, and returns as soon as the next one can be read. Pictures are uploaded one at a time.
    func add(_ picture: String) async

    /// Signals that no more pictures will follow.
    func close()
  }

  static let lesson = Lesson(
    "L26-back-pressure", .load, program: "Importer", guilty: "bufferingPolicy", timing: .exact, deviations: 0,
    token: "E1.-.ff3cd4bf")

  /// The number of pictures that fit in memory: one that is being uploaded and one that is being read.
  private static let room = 2

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, reading: Duration
  ) -> () throws -> String {
    let server = PictureServer(runtime)
    let importer = program.init(runtime: runtime, server: server)
    let (maximumInMemory, pictures) = (Watched(0), ["A", "B", "C", "D"])
    _ = runtime.task {
      for (index, picture) in pictures.enumerated() {
        await runtime.sleep(for: reading)
        let inMemory = index + 1 - server.answered.count
        runtime.note("read \(picture)")
        maximumInMemory.value = max(maximumInMemory.value, inMemory)
        await importer.add(picture)
      }
      importer.close()
    }
    return {
      try require(
        server.requests == pictures, "\(pictures.joined()) are read, but only \(server.requests.joined()) are uploaded")
      try require(
        maximumInMemory.value <= room, "\(maximumInMemory.value) pictures are in memory, which has room for \(room)")
      let expected = max(reading * 4 + .milliseconds(100), reading + .milliseconds(400))
      try require(
        runtime.now <= expected, "the upload could have finished at \(expected), but finished at \(runtime.now)")
      return server.requests.joined()
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      play(program, runtime, reading: .milliseconds(200))
    } act: { runtime in
      play(program, runtime, reading: .milliseconds(10))
    }
  }
}
