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

  private static let users = 8

  /// - Parameter slow: The number of users who wait longer than 50 ms.
  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, stall: Range<Duration>, slow: Int
  ) -> () throws -> String {
    let test = program.init(runtime: runtime, origin: Origin(runtime, stall: stall))
    runtime.user(at: 0, "measure") { test.measure(users, every: .milliseconds(100)) }
    return {
      let waits = test.waits
      try require(waits.count == users, "\(users) users arrive, but the test reports \(waits.count) waits")
      let found = waits.count { $0 > .milliseconds(50) }
      try require(found == slow, "\(slow) of \(users) users wait longer than 50 ms, but the test reports \(found)")
      let longest = waits.max() ?? .zero
      let expected = (stall.upperBound - stall.lowerBound) + .milliseconds(10)
      try require(longest == expected, "the longest wait is \(expected), but the test reports \(longest)")
      return "\(found) of \(users)"
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      play(program, runtime, stall: Duration.zero..<Duration.zero, slow: 0)
    } act: { runtime in
      play(program, runtime, stall: Duration.milliseconds(200)..<Duration.milliseconds(600), slow: 4)
    }
  }
}
