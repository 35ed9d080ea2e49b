public import EventBus
import VirtualTime

/// The stage of the lesson: three notes that are written down one after the other.
public enum L21 {
  /// What the stage asks of the program.
  public protocol Program: AnyObject, Sendable {
    /// Makes an empty notebook.
    init(runtime: any Runtime)

    /// Writes a line. On main.
    func write(_ line: String)

    /// Writes no more, and lets go of what reads.
    func close()

    /// The lines, in the order in which they stand.
    func lines() async -> [String]
  }

  static let lesson = Lesson(
    "L21-order-into-an-actor", .tasks, program: "Notebook", guilty: "runtime.task", timing: .exact, deviations: 1,
    token: "E1.0:1.00ecf97c")

  private static func play(_ program: any Program.Type, _ runtime: VirtualRuntime) -> () throws -> String {
    let screen = Screen(runtime)
    let notebook = program.init(runtime: runtime)
    runtime.main.schedule {
      for line in ["wake up", "eat"] {
        runtime.note("write \(line)")
        notebook.write(line)
      }
    }
    _ = runtime.main.schedule(after: .seconds(1)) {
      notebook.close()
      _ = runtime.task {
        let text = await notebook.lines().joined(separator: ", ")
        runtime.main.schedule { screen.show(text) }
      }
    }
    return {
      try require(screen.text == "wake up, eat", "the notebook says: \(screen.text)")
      return screen.text
    }
  }

  /// Puts a program on the stage.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) {
      play(program, $0)
    } act: {
      play(program, $0)
    }
  }
}
