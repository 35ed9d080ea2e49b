import VirtualTime

/// The lesson's stage: a picture is decoded while the user scrolls.
public enum L27 {
  /// The interface that the program implements.
  @MainActor public protocol Program: AnyObject, Sendable {
    /// Creates a model without a picture.
    ///
    /// - Parameters:
    ///   - fetch: Requests the data of a picture. Returns nil if that fails.
    ///   - decode: Makes an image from the data. This takes long, and blocks its thread.
    ///   - show: Shows an image.
    init(
      fetch: @escaping @Sendable (String) async -> String?, decode: @escaping @Sendable (String) -> String,
      show: @escaping @MainActor (String) -> Void)

    /// Loads, decodes and shows this picture.
    func open(_ picture: String)
  }

  static let lesson = Lesson(
    "L27-isolation", .views, program: "PhotoModel", guilty: "let image = decode(data)", isPlain: true, timing: .exact,
    deviations: 0, token: "E1.-.00000000")

  /// - Parameter isLarge: Whether the pictures are so large that decoding one must not block main.
  @MainActor private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, _ pictures: [String], isLarge: Bool,
    broken: Set<String> = [], silent: Set<String> = []
  ) -> @MainActor () async throws -> String {
    let (server, screen) = (PictureServer(runtime, data, silent: silent, broken: broken), Screen(runtime))
    let (onMain, decoded) = (Watched<[String]>([]), Watched(0))
    let (decoder, duration) = (runtime.network("decoder"), Duration.milliseconds(isLarge ? 300 : 2))
    let model = program.init(
      fetch: { try? await server.load($0) },
      decode: { bytes in
        runtime.note(runtime.main.isCurrent ? "decode \(bytes) on main" : "decode \(bytes)")
        if runtime.main.isCurrent { onMain.value.append(bytes) }
        decoded.value += 1
        // The thread is blocked until the virtual time has passed.
        let isOver = runtime.gate()
        _ = decoder.schedule(after: duration) {
          runtime.note("\(bytes) is decoded")
          isOver.open()
        }
        isOver.wait()
        return "image of \(bytes)"
      }, show: { screen.show($0) })
    for (index, picture) in pictures.enumerated() {
      runtime.person(at: index * 1000, "open \(picture)") { model.open(picture) }
    }
    return {
      try require(
        !isLarge || onMain.value.isEmpty,
        "main is blocked for \(duration) while \(onMain.value.joined(separator: ", ")) is decoded")
      let due = pictures.enumerated().filter { !broken.contains($1) && !silent.contains($1) }
      try screen.verify(shows: due.map { ("image of \(data.answer(to: $1))", $0 * 1000 + (isLarge ? 400 : 102)) })
      try require(decoded.value == due.count, "\(due.count) pictures arrived, but \(decoded.value) were decoded")
      return screen.text
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(plain: lesson) { runtime, data in
      play(program, runtime, data, data.names("A"), isLarge: false)
    } act: { runtime, data in
      play(program, runtime, data, data.names(data.number(0, 1, or: 2...4), shown: ["A"]), isLarge: true)
    } further: {
      [
        LessonPlay.Further("a failure, and a picture that never arrives", plain: .inOrder) { runtime, data in
          let names = data.names("A", "B", "C", "D")
          return play(
            program, runtime, data, names + [names[0]], isLarge: true, broken: [names[1]], silent: [names[2]])
        }
      ]
    }
  }
}
