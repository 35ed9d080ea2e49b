public import EventBus
import VirtualTime

/// The lesson's stage: an origin stalls for 400 ms.
public enum X2 {
  /// An origin that answers each request after 10 ms, except during a stall.
  public final class Origin: Sendable {
    private let network: any Scheduler
    private let runtime: VirtualRuntime
    private let stall: Range<Duration>

    init(_ runtime: VirtualRuntime, stall: Range<Duration>) {
      self.runtime = runtime
      self.stall = stall
      network = runtime.network("network")
    }

    /// Sends a request.
    ///
    /// - Parameter completion: A closure that is called once, on the network queue.
    public func request(_ completion: @escaping @Sendable () -> Void) {
      let now = runtime.now
      runtime.note("request at \(now)")
      let pause = stall.contains(now) ? stall.upperBound - now : .zero
      _ = network.schedule(after: pause + .milliseconds(10)) { [runtime] in
        runtime.note("answer after \(runtime.now - now)")
        completion()
      }
    }
  }

  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a load test that has no measurements yet.
    init(runtime: any Runtime, origin: Origin)

    /// Measures how long users wait if one arrives per interval, even if earlier users still wait. Called on main.
    func measure(_ users: Int, every interval: Duration)

    /// Each user's waiting time, in any order.
    var waits: [Duration] { get }
  }

  static let lesson = Lesson(
    "X2-coordinated-omission", .load, program: "LoadTest", guilty: "let begin = runtime.now", timing: .exact,
    deviations: 0, token: "E1.-.00000000")

  /// - Parameter stall: The time of the stall in milliseconds.
  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, stall: Range<Int>, users: Int = 8, interval: Int = 100
  ) -> () throws -> String {
    let origin = Origin(
      runtime, stall: Duration.milliseconds(stall.lowerBound)..<Duration.milliseconds(stall.upperBound))
    let test = program.init(runtime: runtime, origin: origin)
    runtime.user(at: 0, "measure") { test.measure(users, every: .milliseconds(interval)) }
    return {
      let waits = test.waits
      try require(waits.count == users, "\(users) users arrive, but the test reports \(waits.count) waits")
      let due = (0..<users).map { user in
        let start = user * interval
        return Duration.milliseconds((stall.contains(start) ? stall.upperBound - start : 0) + 10)
      }
      let slow = due.count { $0 > .milliseconds(50) }
      let found = waits.count { $0 > .milliseconds(50) }
      try require(found == slow, "\(slow) of \(users) users wait longer than 50 ms, but the test reports \(found)")
      let (longest, expected) = (waits.max() ?? .zero, due.max() ?? .zero)
      try require(longest == expected, "the longest wait is \(expected), but the test reports \(longest)")
      try require(waits.sorted() == due.sorted(), "the users wait \(due), but the test reports \(waits)")
      return "\(found) of \(users)"
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      play(program, runtime, stall: 0..<0, users: data.number(0, 8, or: 5...12))
    } act: { runtime, data in
      let start = data.number(1, 200, or: 100...400)
      return play(
        program, runtime, stall: start..<(start + data.number(2, 400, or: 300...700)),
        users: data.number(3, 8, or: 12...16), interval: data.number(4, 100, or: 70...90))
    } further: {
      [
        LessonPlay.Further("a stall at the start", .inOrder) { runtime, data in
          play(
            program, runtime, stall: 0..<data.number(0, 300, or: 200...500), users: 10,
            interval: data.number(1, 50, or: 30...60))
        }
      ]
    }
  }
}
