public import EventBus
import VirtualTime

/// The lesson's stage: two downloads add their byte counts to a shared total.
public enum X3 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a counter that starts at zero.
    init(runtime: any Runtime)

    /// Adds the bytes of a download to the total. Called on any thread.
    func add(_ bytes: Int)

    /// The total number of bytes in all downloads.
    var total: Int { get }
  }

  static let lesson = Lesson(
    "X3-sanitizer-is-no-proof", .load, program: "Traffic", guilty: "save(total + bytes)", deviations: 1,
    token: "E1.0:1.7abbe051")

  private static func play(_ program: any Program.Type, _ runtime: VirtualRuntime) -> () throws -> String {
    let traffic = program.init(runtime: runtime)
    for (time, bytes) in [(0, 300), (1000, 50)] {
      runtime.user(at: time, "add \(bytes)") { traffic.add(bytes) }
    }
    return {
      let total = traffic.total
      runtime.note("total \(total)")
      try require(total == 350, "the total is \(total) instead of 300 + 50 = 350")
      return "\(total)"
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
