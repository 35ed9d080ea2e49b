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

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ downloads: [(time: Int, bytes: Int)]
  ) -> () throws -> String {
    let traffic = program.init(runtime: runtime)
    for (time, bytes) in downloads {
      runtime.user(at: time, "add \(bytes)") { traffic.add(bytes) }
    }
    let sum = downloads.map(\.bytes).reduce(0, +)
    let terms = downloads.map { "\($0.bytes)" }.joined(separator: " + ")
    return {
      let total = traffic.total
      runtime.note("total \(total)")
      try require(total == sum, "the total is \(total) instead of \(terms) = \(sum)")
      return "\(total)"
    }
  }

  /// Two or three downloads.
  private static func downloads(_ data: RunData) -> [(Int, Int)] {
    let bytes = [data.number(0, 300, or: 100...900), data.number(1, 50, or: 10...99), data.number(2, 7, or: 1...9)]
    return bytes.prefix(data.number(3, 2, or: 2...3)).enumerated().map { ($0 * 1000, $1) }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      play(program, runtime, downloads(data))
    } act: { runtime, data in
      play(program, runtime, downloads(data))
    } further: {
      [
        LessonPlay.Further("downloads on two threads", .searched) { runtime, data in
          let traffic = program.init(runtime: runtime)
          let bytes = [data.number(0, 300, or: 100...900), data.number(1, 50, or: 10...99)]
          for bytes in bytes {
            runtime.workers.schedule {
              runtime.note("add \(bytes)")
              traffic.add(bytes)
            }
          }
          return {
            try require(
              traffic.total == bytes[0] + bytes[1], "the total is \(traffic.total) instead of \(bytes[0] + bytes[1])")
            return "\(traffic.total)"
          }
        }
      ]
    }
  }
}
