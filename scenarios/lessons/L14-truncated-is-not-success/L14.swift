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

    /// Called when the connection has closed. Shows the picture, or “error” if the picture is incomplete.
    func closed()
  }

  static let lesson = Lesson(
    "L14-truncated-is-not-success", .delivery, program: "PictureReceiver", guilty: "guard !data.isEmpty",
    timing: .exact, deviations: 0, token: "E1.-.00000000")

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, pieces: [String], shows expected: String
  ) -> () throws -> String {
    let screen = Screen(runtime)
    let receiver = program.init(runtime: runtime, screen: screen)
    let network = runtime.network("network")
    network.schedule {
      runtime.note("10 bytes announced")
      receiver.began(10)
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
    return {
      try screen.verify()
      try require(
        screen.texts == [expected], "\(pieces.joined().count) of 10 bytes arrived, but “\(screen.text)” is shown")
      return screen.text
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      play(program, runtime, pieces: ["PNG sun", "set"], shows: "PNG sunset")
    } act: { runtime in
      play(program, runtime, pieces: ["PNG sun"], shows: "error")
    }
  }
}
