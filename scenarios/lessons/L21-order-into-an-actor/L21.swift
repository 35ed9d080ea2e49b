public import EventBus
import VirtualTime

/// The lesson's stage: two notes are written one after the other.
public enum L21 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates an empty notebook.
    init(runtime: any Runtime)

    /// Writes a line. Called on main.
    func write(_ line: String)

    /// Signals that no more lines will follow, so that a task that reads them can finish.
    func close()

    /// Returns the lines in the order in which they are stored.
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
      try require(screen.text == "wake up, eat", "the notebook contains: \(screen.text)")
      return screen.text
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) {
      play(program, $0)
    } act: {
      play(program, $0)
    }
  }
}
