import ScheduleExplorer
import VirtualTime

/// The lesson's stage: a long list of pictures is loaded.
public enum L31 {
  /// The interface that the program implements.
  public protocol Program: Sendable {
    /// Creates a loader.
    ///
    /// - Parameter fetch: Requests a picture. Throws if it cannot be loaded.
    init(fetch: @escaping @Sendable (String) async throws -> String)

    /// Loads the pictures with at most three requests at a time, and returns them in the given order. A picture that
    /// cannot be loaded is nil. While pictures are left, three requests are in flight.
    func load(_ pictures: [String]) async -> [String?]
  }

  static let lesson = Lesson(
    "L31-bounded-group", .load, program: "ListLoader", guilty: "for index in pictures.indices", isPlain: true,
    timing: .exact, deviations: 0, token: "E1.-.1a2a4cbc")

  /// The maximum number of requests at a time.
  private static let bound = 3

  @MainActor private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, _ pictures: [String], latencies: [Int],
    broken: Set<String> = []
  ) -> @MainActor () async throws -> String {
    let times = Dictionary(uniqueKeysWithValues: zip(pictures, latencies))
    let server = PictureServer(runtime, data, latencies: { .milliseconds(times[$0] ?? 0) }, broken: broken)
    let result = Watched<(images: [String?], time: Duration)?>(nil)
    let loader = program.init { try await server.load($0) }
    runtime.person(at: 0, "load \(pictures.count) pictures") {
      Task(name: "load") { result.value = (await loader.load(pictures), runtime.now) }
    }
    // Each picture takes the first slot that is free.
    var slots = Array(repeating: 0, count: bound)
    for latency in latencies {
      let first = slots.indices.min { slots[$0] < slots[$1] } ?? 0
      slots[first] += latency
    }
    let end = Duration.milliseconds(slots.max() ?? 0)
    return {
      try require(
        server.maximumUnderWay <= bound,
        "\(server.maximumUnderWay) requests are in flight at the same time, but only \(bound) are allowed")
      guard let (images, time) = result.value else { throw Finding(.check, "the load does not end") }
      let due = pictures.map { broken.contains($0) ? nil : data.answer(to: $0) }
      try require(images == due, "the result must be \(words(due)), but is \(words(images))")
      try server.verify(requests: pictures)
      try require(time <= end, "with three requests at a time, the load ends at \(end), but it ends at \(time)")
      return words(images)
    }
  }

  private static func words(_ images: [String?]) -> String { images.map { $0 ?? "nil" }.joined(separator: ", ") }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(plain: lesson) { runtime, data in
      play(program, runtime, data, data.names("A", "B", "C"), latencies: [100, 100, 100])
    } act: { runtime, data in
      let names = data.names(data.number(0, 5, or: 5...9), shown: ["A", "B", "C", "D", "E"])
      return play(program, runtime, data, names, latencies: names.indices.map { $0 == 0 ? 300 : 100 })
    } further: {
      [
        LessonPlay.Further("failures, and answers that take different times", plain: .inOrder) { runtime, data in
          let names = data.names("A", "B", "C", "D", "E", "F", "G", "H")
          return play(
            program, runtime, data, names,
            latencies: names.indices.map { data.number(UInt64($0), 100, or: 20...400) },
            broken: [names[0], names[4], names[7]])
        },
        LessonPlay.Further("one picture, or none", plain: .inOrder) { runtime, data in
          play(program, runtime, data, data.names(data.number(1, 1, or: 0...1), shown: []), latencies: [70])
        },
      ]
    }
  }
}
