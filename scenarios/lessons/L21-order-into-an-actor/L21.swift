import VirtualTime

/// The lesson's stage: notes are written one after the other.
public enum L21 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates an empty notebook.
    init()

    /// Writes a line. Code outside of all actors calls this method, one call at a time.
    func write(_ line: String)

    /// Signals that no more lines will follow, so that a task that reads them can finish.
    func close()

    /// Returns the lines in the order in which they are stored.
    func lines() async -> [String]
  }

  static let lesson = Lesson(
    "L21-order-into-an-actor", .tasks, program: "Notebook", guilty: "await page.append", isPlain: true, timing: .exact,
    deviations: 1, token: "E1.0:1.fe78b633")

  /// Writes each group of lines at once, and the groups one second apart.
  ///
  /// - Parameter producers: The names of the producers that write the groups in turn.
  @MainActor private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ groups: [[String]], producers: [String] = ["main"]
  ) -> @MainActor () async throws -> String {
    let screen = Screen(runtime)
    let notebook = program.init()
    for (index, lines) in groups.enumerated() {
      let producer = producers[index % producers.count]
      let scheduler = producer == "main" ? runtime.main : runtime.serial(producer)
      _ = scheduler.schedule(after: .seconds(index)) {
        for line in lines {
          runtime.note("write \(line)")
          notebook.write(line)
        }
      }
    }
    runtime.person(at: groups.count * 1000, "close") {
      notebook.close()
      Task(name: "read") { screen.show(await notebook.lines().joined(separator: ", ")) }
    }
    let due = groups.joined().joined(separator: ", ")
    return {
      try require(screen.text == due, "the notebook contains: \(screen.text)")
      try screen.verify(shows: [(due, groups.count * 1000)])
      return screen.text
    }
  }

  private static func groups(_ data: RunData) -> [[String]] {
    if data.isShown { return [["wake up", "eat"]] }
    let names = data.names(data.number(0, 3, or: 3...4), shown: [])
    // A line can be written again.
    return [Array(names[..<2]), Array(names[2...] + [names[0]])]
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(plain: lesson) { runtime, data in
      play(program, runtime, groups(data))
    } act: { runtime, data in
      play(program, runtime, groups(data))
    } further: {
      [
        LessonPlay.Further("two producers", plain: .searched) { runtime, data in
          let names = data.names("A", "B", "C", "D")
          return play(program, runtime, [Array(names[..<2]), Array(names[2...])], producers: ["reader", "writer"])
        },
        LessonPlay.Further("no lines", plain: .inOrder) { runtime, data in play(program, runtime, [[]]) },
      ]
    }
  }
}
