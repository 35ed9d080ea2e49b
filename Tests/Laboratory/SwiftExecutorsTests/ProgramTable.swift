import ScheduleExplorer
import VirtualTime

/// A program with a bug, its repair, and their possible outcomes.
struct ProgramPair: Sendable {
  /// Runs a program and returns its outcome. `settle` waits until no other work is left.
  typealias Body = @Sendable (_ settle: @Sendable () async -> Void) async -> String

  let name: String
  let timing: Timing
  let broken: Body
  let repaired: Body
  /// All outcomes of the broken program.
  let outcomes: Set<String>
  /// The correct outcome.
  let right: String
  /// The number of orders of whole jobs in each program, or nil if there are many.
  var counts: (broken: Int, repaired: Int)?
  /// The number of deviations of the smallest failing schedule.
  let cost: Int
}

extension ProgramPair {
  static let table: [ProgramPair] = [
    ProgramPair(
      name: "two answers race", timing: .any, broken: { await gallery(false, $0) },
      repaired: { await gallery(true, $0) },
      outcomes: ["moon", "sun"], right: "sun", cost: 1),
    ProgramPair(
      name: "an actor is entered again", timing: .any,
      broken: { _ in
        let thumbnails = HastyThumbnails()
        async let one = thumbnails.size(of: "moon")
        async let two = thumbnails.size(of: "moon")
        _ = await (one, two)
        return "\(await thumbnails.fetches)"
      },
      repaired: { _ in
        let thumbnails = Thumbnails()
        async let one = thumbnails.size(of: "moon")
        async let two = thumbnails.size(of: "moon")
        _ = await (one, two)
        return "\(await thumbnails.fetches)"
      }, outcomes: ["1", "2"], right: "1", counts: (200, 114), cost: 0),
    ProgramPair(
      name: "tasks into an actor", timing: .exact,
      broken: { _ in
        let journal = Journal()
        for task in HastyWriter(journal: journal).write([1, 2, 3]) { await task.value }
        return "\(await journal.lines)"
      },
      repaired: { _ in
        let journal = Journal()
        for task in OrderlyWriter(journal: journal).write([1, 2, 3]) { await task.value }
        return "\(await journal.lines)"
      },
      outcomes: ["[1, 2, 3]", "[1, 3, 2]", "[2, 1, 3]", "[2, 3, 1]", "[3, 1, 2]", "[3, 2, 1]"], right: "[1, 2, 3]",
      counts: (54, 1), cost: 1),
    ProgramPair(
      name: "a timeout waits for its loser", timing: .exact,
      broken: { _ in
        let download = Download()
        let first = await timeOutInGroup { await download.run() }
        return "\(first), download complete: \(download.isComplete)"
      },
      repaired: { _ in
        let download = Download()
        let first = await timeOut { await download.run() }
        return "\(first), download complete: \(download.isComplete)"
      }, outcomes: ["timeout, download complete: true"], right: "timeout, download complete: false", counts: (3, 3),
      cost: 0),
    ProgramPair(
      name: "a cancelled group", timing: .any, broken: { await uploads(false, $0) },
      repaired: { await uploads(true, $0) },
      outcomes: ["0", "1", "2"], right: "0", cost: 1),
    ProgramPair(
      name: "a debounce", timing: .exact, broken: { await draft(false, $0) }, repaired: { await draft(true, $0) },
      outcomes: [#"["a", "ab"]"#], right: #"["ab"]"#, counts: (30, 30), cost: 0),
    ProgramPair(
      name: "a search field", timing: .any, broken: { await searchField(false, $0) },
      repaired: { await searchField(true, $0) },
      outcomes: [#"["s 1", "s 2"]"#, #"["sw 1", "sw 2"]"#], right: #"["sw 1", "sw 2"]"#, cost: 2),
    ProgramPair(
      name: "a double resume", timing: .exact, broken: { _ in await reply(false) },
      repaired: { _ in await reply(true) },
      outcomes: ["1", "2"], right: "1", cost: 0),
    ProgramPair(
      name: "a slow consumer", timing: .exact, broken: { _ in "\(await sum(of: 3, keeping: .bufferingNewest(1)))" },
      repaired: { _ in "\(await sum(of: 3, keeping: .unbounded))" }, outcomes: ["3", "4", "5", "6"],
      right: "6", cost: 2),
    ProgramPair(
      name: "an async let is never awaited", timing: .exact,
      broken: { _ in
        let settings = Settings()
        await closeHastily(settings)
        return "\(await settings.isSaved)"
      },
      repaired: { _ in
        let settings = Settings()
        await close(settings)
        return "\(await settings.isSaved)"
      }, outcomes: ["false", "true"], right: "true", counts: (6, 1), cost: 1),
    ProgramPair(
      name: "a view model that is gone", timing: .any, broken: { await profile(false, $0) },
      repaired: { await profile(true, $0) }, outcomes: ["0", "1"], right: "0", cost: 1),
  ]

  @MainActor private static func gallery(_ isRepaired: Bool, _ settle: () async -> Void) async -> String {
    let gallery = Gallery(checksSelection: isRepaired)
    gallery.select("moon", answeringIn: .milliseconds(10))
    gallery.select("sun", answeringIn: .milliseconds(20))
    await settle()
    return gallery.shown
  }

  @MainActor private static func uploads(_ isRepaired: Bool, _ settle: () async -> Void) async -> String {
    let uploads = Uploads(checksCancellation: isRepaired)
    uploads.start(["a", "b"])
    try? await Task.sleep(for: .milliseconds(20))
    uploads.cancel()
    await settle()
    return "\(uploads.storedAfterCancel.count)"
  }

  @MainActor private static func draft(_ isRepaired: Bool, _ settle: () async -> Void) async -> String {
    let draft = Draft(respectsCancellation: isRepaired)
    draft.type("a")
    draft.type("ab")
    await settle()
    return "\(draft.saved)"
  }

  @MainActor private static func searchField(_ isRepaired: Bool, _ settle: () async -> Void) async -> String {
    let field = SearchField(checksCancellation: isRepaired)
    field.type("s")
    try? await Task.sleep(for: .milliseconds(200))
    field.type("sw")
    await settle()
    return "\(field.results)"
  }

  private static func reply(_ isGuarded: Bool) async -> String {
    let reply = Reply(isGuarded: isGuarded)
    async let text = reply.wait()
    async let yes: Void = reply.answer("yes")
    async let no: Void = reply.answer("no")
    _ = await (text, yes, no)
    return "\(await reply.resumes)"
  }

  @MainActor private static func profile(_ isRepaired: Bool, _ settle: () async -> Void) async -> String {
    let screen = Screen()
    var profile: Profile? = Profile(screen: screen)
    if isRepaired { profile?.load() } else { profile?.loadHastily() }
    try? await Task.sleep(for: .milliseconds(100))
    screen.close()
    profile = nil
    await settle()
    return "\(screen.updatesAfterClose)"
  }
}
