public import EventBus
import Synchronization
import VirtualTime

/// The lesson's stage: a server fails once, and the stage counts extra resumptions.
public enum L24 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a loader.
    init(runtime: any Runtime, server: PictureServer, continuations: Continuations)

    /// Returns the picture, or nil if it cannot be loaded.
    func picture(_ name: String) async -> String?
  }

  /// Replaces `withCheckedContinuation`. A second resumption is recorded and does not terminate the process.
  public final class Continuations: Sendable {
    private let runtime: VirtualRuntime
    private let tooMany = Mutex(0)

    init(_ runtime: VirtualRuntime) { self.runtime = runtime }

    /// Suspends the task and calls the body immediately. The task continues when the continuation is resumed.
    public func suspend(_ body: (Continuation) -> Void) async -> String? {
      // A task that is never resumed leaks, as with any continuation.
      await withUnsafeContinuation { inner in
        body(
          Continuation { [self] result, isFirst in
            runtime.note(isFirst ? "resume" : "resume again")
            if isFirst { inner.resume(returning: result) } else { tooMany.withLock { $0 += 1 } }
          })
      }
    }

    func verify() throws {
      let count = tooMany.withLock { $0 }
      try require(count == 0, "a continuation is resumed a second time, which would terminate a real process")
    }
  }

  /// Resumes a suspended task.
  public final class Continuation: Sendable {
    private let isResumed = Mutex(false)
    private let action: @Sendable (String?, _ isFirst: Bool) -> Void

    init(_ action: @escaping @Sendable (String?, _ isFirst: Bool) -> Void) { self.action = action }

    /// Resumes the task. Call this exactly once, on any thread.
    public func resume(returning result: String?) {
      let isFirst = isResumed.withLock { isResumed in
        defer { isResumed = true }
        return !isResumed
      }
      action(result, isFirst)
    }
  }

  static let lesson = Lesson(
    "L24-resumed-never-or-twice", .tasks, program: "CallbackLoader", guilty: "guard case .success", deviations: 0,
    token: "E1.-.61a069bf")

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, _ pictures: [String],
    broken: Set<String>
  ) -> (screen: Screen, check: () throws -> String) {
    let (server, screen) = (PictureServer(runtime, data, broken: broken), Screen(runtime))
    let continuations = Continuations(runtime)
    let loader = program.init(runtime: runtime, server: server, continuations: continuations)
    for (index, picture) in pictures.enumerated() {
      runtime.user(at: index * 5000, "load \(picture)") {
        _ = runtime.task {
          let text = await loader.picture(picture) ?? data.missing("no \(picture)")
          runtime.main.schedule { screen.show(text) }
        }
      }
    }
    return (
      screen,
      {
        try continuations.verify()
        for picture in pictures {
          let fails = broken.contains(picture)
          let due = fails ? data.missing("no \(picture)") : data.answer(to: picture)
          let other = fails ? data.answer(to: picture) : data.missing("no \(picture)")
          try require(
            !screen.texts.contains(other),
            fails
              ? "\(picture) cannot be loaded, but \(other) is returned" : "\(picture) is loaded, but nil is returned")
          try require(
            screen.texts.contains(due),
            screen.texts.count < pictures.count
              ? "the load of \(picture) never finishes" : "the load of \(picture) returns a picture that does not exist"
          )
        }
        return screen.texts.joined(separator: ", ")
      }
    )
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      let names = data.names("A", "B")
      let (screen, check) = play(program, runtime, data, names, broken: [])
      return {
        try screen.verify(shows: [(data.answer(to: names[0]), 100), (data.answer(to: names[1]), 5100)])
        return try check()
      }
    } act: { runtime, data in
      let names = data.names("A", "B")
      return play(program, runtime, data, names, broken: [names[0]]).check
    } further: {
      [
        LessonPlay.Further("two failures", .inOrder) { runtime, data in
          let names = data.names("A", "B", "C", "D")
          let (screen, check) = play(program, runtime, data, names, broken: [names[1], names[2]])
          return {
            _ = try check()
            try screen.verify(shows: [
              (data.answer(to: names[0]), 100), (data.missing("no \(names[1])"), 5100),
              (data.missing("no \(names[2])"), 10100),
              (data.answer(to: names[3]), 15100),
            ])
            return screen.text
          }
        }
      ]
    }
  }
}
