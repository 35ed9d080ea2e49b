public import EventBus
import VirtualTime

/// The lesson's stage: a connection closes too early.
public enum L14 {
  /// The interface that the program implements. The stage makes all calls on the network queue.
  public protocol Program: AnyObject, Sendable {
    /// Creates a receiver for one picture.
    init(runtime: any Runtime, screen: Screen)

    /// Called when an answer starts. The header announces this number of bytes.
    func began(_ length: Int)

    /// Called with the next bytes of the answer.
    func received(_ bytes: String)

    /// Called when the connection has closed. Shows the picture, or “error” if the number of its
    /// bytes is not the announced one.
    func closed()
  }

  static let lesson = Lesson(
    "L14-truncated-is-not-success", .delivery, program: "PictureReceiver", guilty: "guard !data.isEmpty",
    timing: .exact, deviations: 0, token: "E1.-.00000000")

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, pieces: [String], missing: Int = 0
  ) -> () throws -> String {
    let screen = Screen(runtime)
    let receiver = program.init(runtime: runtime, screen: screen)
    let network = runtime.network("network")
    let picture = pieces.joined()
    let length = picture.utf8.count + missing
    network.schedule {
      runtime.note("\(length) bytes announced")
      receiver.began(length)
    }
    for (index, piece) in pieces.enumerated() {
      _ = network.schedule(after: .milliseconds(100 * (index + 1))) {
        runtime.note("bytes “\(piece)”")
        receiver.received(piece)
      }
    }
    _ = network.schedule(after: .milliseconds(500)) {
      runtime.note("closed")
      receiver.closed()
    }
    let expected = missing == 0 ? picture : "error"
    return {
      try screen.verify()
      try require(
        screen.texts == [expected], "\(picture.utf8.count) of \(length) bytes arrived, but “\(screen.text)” is shown")
      try screen.verify(shows: [(expected, 500)])
      return screen.text
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      let names = data.names("sun", "set")
      return play(program, runtime, pieces: ["PNG \(names[0])", names[1]])
    } act: { runtime, data in
      let names = data.names("sun")
      return play(program, runtime, pieces: ["PNG \(names[0])"], missing: data.number(0, 3, or: 1...9))
    } further: {
      [
        LessonPlay.Further("a picture with longer letters", .inOrder) { runtime, data in
          play(program, runtime, pieces: ["PNG \(data.names("A")[0])", "é", "où", "ça"])
        },
        LessonPlay.Further("longer letters and a missing byte", .inOrder) { runtime, data in
          play(program, runtime, pieces: ["PNG \(data.names("A")[0])", "é"], missing: 1)
        },
        LessonPlay.Further("more bytes than announced", .inOrder) { runtime, data in
          play(
            program, runtime, pieces: ["PNG \(data.names("A")[0])", "sunset"], missing: -data.number(0, 1, or: 1...6))
        },
      ]
    }
  }
}
