import VirtualTime

/// The lesson's stage: a picture is loaded from the web and from the disk.
public enum L20 {
  /// The interface that the program implements.
  @MainActor public protocol Program: AnyObject, Sendable {
    /// Creates an empty frame that loads its pictures from this source.
    ///
    /// - Parameters:
    ///   - source: The name of the source.
    ///   - load: Loads a picture from the source. Returns nil if that fails.
    ///   - show: Shows a picture in the frame.
    init(
      source: String, load: @escaping @Sendable (String) async -> String?,
      show: @escaping @MainActor (String) -> Void)

    /// Loads this picture and shows it.
    func open(_ picture: String)

    /// Switches to this source and reloads the open picture.
    func use(_ source: String, load: @escaping @Sendable (String) async -> String?)
  }

  static let lesson = Lesson(
    "L20-switch-mid-flight", .identity, program: "PictureFrame", guilty: "opened == picture", isPlain: true,
    deviations: 2, token: "E1.5:1,7:1.22f3d2a0")

  private static let web = "web"
  private static let disk = "disk"

  /// - Parameters:
  ///   - pictures: The pictures that the user opens, one second after another.
  ///   - switches: The sources to which the user then switches, one second after another.
  ///   - fails: The number of the switch whose answer is a failure, counted from one.
  @MainActor private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, pictures: [String], switches: [String],
    fails: Int? = nil
  ) -> (screen: Screen, due: [(String, Int)], check: @MainActor () throws -> String) {
    let sources = [web] + switches
    let servers = [web: PictureServer(runtime, data, named: web), disk: PictureServer(runtime, data, named: disk)]
    let image: @Sendable (Int, String) -> String = { number, picture in
      data.isShown
        ? "\(number > 0 && sources[number] == web ? "newer " : "")\(picture) from the \(sources[number])"
        : "\(data.answer(to: picture)), \(number)"
    }
    let load: (Int) -> @Sendable (String) async -> String? = { number in
      { [server = servers[sources[number]]] picture in
        try? await server?.load(
          picture, answer: number == fails ? .failure(.offline) : .success(image(number, picture)))
      }
    }
    let screen = Screen(runtime) { text in
      servers.values.contains { $0.hasDelivered(text) } ? nil : "“\(text)” is shown, but no server has sent it"
    }
    let frame = program.init(source: web, load: load(0), show: { screen.show($0) })
    for (index, picture) in pictures.enumerated() {
      runtime.person(at: index * 1000, "open \(picture)") { frame.open(picture) }
    }
    for (number, source) in sources.enumerated().dropFirst() {
      let load = load(number)
      runtime.person(at: (pictures.count + number - 1) * 1000, "use the \(source)") { frame.use(source, load: load) }
    }
    let last = pictures[pictures.count - 1]
    let loads = pictures.map { (0, $0) } + switches.indices.map { ($0 + 1, last) }
    let due = loads.enumerated().filter { $1.0 != fails || $1.0 == 0 }.map { (image($1.0, $1.1), $0 * 1000 + 100) }
    return (
      screen, due,
      {
        try screen.verify()
        for (name, server) in servers.sorted(by: { $0.key > $1.key }) {
          let wanted = loads.filter { sources[$0.0] == name }.map(\.1)
          try require(
            server.requests.sorted() == wanted.sorted(),
            "each switch must load the picture again, but the requests to the \(name) are \(server.requests)")
        }
        if fails == nil {
          try require(
            screen.text == image(switches.count, last),
            "the frame uses the \(sources[switches.count]), but shows “\(screen.text)”")
        }
        return screen.texts.joined(separator: ", ")
      }
    )
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(plain: lesson) { runtime, data in
      let (screen, due, check) = play(
        program, runtime, data, pictures: data.names("A"), switches: [disk, web])
      return {
        try screen.verify(shows: due)
        return try check()
      }
    } act: { runtime, data in
      play(program, runtime, data, pictures: data.names("A"), switches: [disk, web]).check
    } further: {
      [
        LessonPlay.Further("three pictures, and an answer that fails", plain: .inOrder) { runtime, data in
          let names = data.names("A", "B")
          let (screen, due, check) = play(
            program, runtime, data, pictures: names + [names[0]], switches: [disk, disk, web], fails: 2)
          return {
            try screen.verify(shows: due)
            return try check()
          }
        },
        LessonPlay.Further("a switch to the source in use", plain: .searched) { runtime, data in
          play(program, runtime, data, pictures: data.names("A"), switches: [web]).check
        },
        LessonPlay.Further("two pictures of one source", plain: .searched) { runtime, data in
          play(program, runtime, data, pictures: data.names("A", "B"), switches: []).check
        },
        LessonPlay.Further("two pictures", plain: .searched) { runtime, data in
          let names = data.names("A", "B")
          return play(program, runtime, data, pictures: [names[0], names[1]], switches: [disk]).check
        },
      ]
    }
  }
}
