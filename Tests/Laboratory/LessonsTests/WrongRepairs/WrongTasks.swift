import Lessons

extension WrongRepair {
  /// Wrong repairs of the lessons in plain Swift.
  static let plain = [
    WrongRepair("returns a made-up answer", L18.play(MadeUp.self), "must show"),
    WrongRepair("special-cases a name", L18.play(SharesOne.self), "the requests must be"),
    WrongRepair("loads one picture at a time", L18.play(OneAtATime.self), "must show"),
    WrongRepair("special-cases a text", L19.play(KnowsCats.self), "must show"),
    WrongRepair("the longest text wins", L19.play(LongestWins.self), "must show"),
    WrongRepair("shows what was searched", L19.play(ShowsText.self), "but the server has not sent it"),
    WrongRepair("special-cases the newer answer", L20.play(KnowsNewer.self), "the frame uses the"),
    WrongRepair("counts the switches only", L20.play(CountsSwitches.self), "the frame uses the"),
    WrongRepair("knows the lines", L21.play(KnowsLines.self), "the notebook contains"),
    WrongRepair("sorts the lines", L21.play(SortsLines.self), "the notebook contains"),
    WrongRepair("keeps each line once", L21.play(KeepsOnce.self), "the notebook contains"),
    WrongRepair("always waits for two seconds", L22.play(AlwaysTwoSeconds.self), "must show"),
    WrongRepair("does not ask", L22.play(NeverAsks.self), "arrives in time, but"),
    WrongRepair("returns nil and leaves the request", L23.play(LeavesRequest.self), "are answered"),
    WrongRepair("loads one after another", L25.play(OneByOne.self), "must show"),
    WrongRepair("returns before the pictures are shown", L25.play(ReturnsEarly.self), "`load` returns when 0 of"),
    WrongRepair("shows the names of failures", L25.play(ShowsFailures.self), "arrived, but"),
    WrongRepair("decodes in another task", L27.play(DecodesInTask.self), "main is blocked"),
    WrongRepair("forgets each load at its end", L28.play(ForgetsLoads.self), "the requests must be"),
    WrongRepair("cancels the load of all callers", L28.play(CancelsAll.self), "must show"),
    WrongRepair("keeps the first refresh forever", L29.play(KeepsRefresh.self), "is refreshed once instead of twice"),
    WrongRepair("refreshes before each page", L29.play(AlwaysRefreshes.self), "is refreshed"),
    WrongRepair("lets each caller end the refresh", L29.play(EachEndsRefresh.self), "is refreshed 3 times"),
    WrongRepair("pauses after a failure", L30.play(KeepsLoading.self), "must show"),
    WrongRepair("loads one after another", L31.play(OneSlot.self), "with three requests at a time"),
    WrongRepair("drops failures", L31.play(DropsNil.self), "the result must be"),
    WrongRepair("retries until it works", L25.play(Retries.self), "the requests must be"),
  ]
}

private actor MadeUp: L18.Program {
  private let fetch: @Sendable (String) async -> String
  private var asked: Set<String> = []

  init(fetch: @escaping @Sendable (String) async -> String) { self.fetch = fetch }

  func thumbnail(_ picture: String) async -> String { asked.insert(picture).inserted ? await fetch(picture) : picture }
}

private actor SharesOne: L18.Program {
  private let fetch: @Sendable (String) async -> String
  private var thumbnails: [String: String] = [:]
  private var first: Task<String, Never>?

  init(fetch: @escaping @Sendable (String) async -> String) { self.fetch = fetch }

  func thumbnail(_ picture: String) async -> String {
    if let thumbnail = thumbnails[picture] { return thumbnail }
    if picture == "A" {
      let task = first ?? Task { await fetch(picture) }
      first = task
      return await task.value
    }
    let thumbnail = await fetch(picture)
    thumbnails[picture] = thumbnail
    return thumbnail
  }
}

private actor OneAtATime: L18.Program {
  private let fetch: @Sendable (String) async -> String
  private var thumbnails: [String: String] = [:]
  private var last: Task<Void, Never>?

  init(fetch: @escaping @Sendable (String) async -> String) { self.fetch = fetch }

  func thumbnail(_ picture: String) async -> String {
    if thumbnails[picture] == nil {
      let task = Task { [last] in
        await last?.value
        if thumbnails[picture] == nil { thumbnails[picture] = await fetch(picture) }
      }
      last = task
      await task.value
    }
    return thumbnails[picture] ?? ""
  }
}

@MainActor private class Field {
  let find: @Sendable (String) async -> String
  let show: @MainActor (String) -> Void
  var newest = ""

  required init(find: @escaping @Sendable (String) async -> String, show: @escaping @MainActor (String) -> Void) {
    (self.find, self.show) = (find, show)
  }
}

private final class KnowsCats: Field, L19.Program {
  func search(_ text: String) {
    newest = text
    Task {
      let found = await find(text)
      if text != "cat" || newest == text { show(found) }
    }
  }
}

private final class LongestWins: Field, L19.Program {
  func search(_ text: String) {
    if text.count >= newest.count { newest = text }
    Task {
      let found = await find(text)
      if newest == text || newest.isEmpty { show(found) }
    }
  }
}

private final class ShowsText: Field, L19.Program {
  func search(_ text: String) {
    newest = text
    Task {
      _ = await find(text)
      show(newest)
    }
  }
}

@MainActor private class Frame {
  var load: @Sendable (String) async -> String?
  let show: @MainActor (String) -> Void
  var opened = ""
  var last = ""

  required init(
    source: String, load: @escaping @Sendable (String) async -> String?, show: @escaping @MainActor (String) -> Void
  ) {
    (self.load, self.show) = (load, show)
  }

  func open(_ picture: String) {
    opened = picture
    reload()
  }

  func use(_ source: String, load: @escaping @Sendable (String) async -> String?) {
    self.load = load
    reload()
  }

  func arrived(_ image: String, _ picture: String) {}

  private func reload() {
    let (picture, load) = (opened, load)
    Task { if let image = await load(picture) { arrived(image, picture) } }
  }
}

private final class KnowsNewer: Frame, L20.Program {
  override func arrived(_ image: String, _ picture: String) {
    if last.hasPrefix("newer") { return }
    last = image
    show(image)
  }
}

@MainActor private final class CountsSwitches: L20.Program {
  private var load: @Sendable (String) async -> String?
  private let show: @MainActor (String) -> Void
  private var (opened, switches) = ("", 0)

  init(source: String, load: @escaping @Sendable (String) async -> String?, show: @escaping @MainActor (String) -> Void)
  {
    (self.load, self.show) = (load, show)
  }

  func open(_ picture: String) {
    opened = picture
    reload()
  }

  func use(_ source: String, load: @escaping @Sendable (String) async -> String?) {
    self.load = load
    switches += 1
    reload()
  }

  private func reload() {
    let (picture, load, number) = (opened, load, switches)
    Task { if let image = await load(picture), switches == number { show(image) } }
  }
}

private class Lines: @unchecked Sendable {
  var written: [String] = []

  required init() {}

  func write(_ line: String) { written.append(line) }

  func close() {}
}

private final class KnowsLines: Lines, L21.Program, @unchecked Sendable {
  func lines() async -> [String] { ["wake up", "eat"] }
}

private final class SortsLines: Lines, L21.Program, @unchecked Sendable {
  func lines() async -> [String] { written.sorted(by: >) }
}

private final class KeepsOnce: Lines, L21.Program, @unchecked Sendable {
  override func write(_ line: String) { if !written.contains(line) { written.append(line) } }

  func lines() async -> [String] { written }
}

private struct AlwaysTwoSeconds: L22.Program {
  let fetch: @Sendable (String) async -> String

  func load(_ picture: String) async -> String? {
    let task = Task { await fetch(picture) }
    let (stream, continuation) = AsyncStream<String>.makeStream()
    Task { continuation.yield(await task.value) }
    try? await Task.sleep(for: .seconds(2))
    continuation.finish()
    for await image in stream { return image }
    return nil
  }
}

private struct NeverAsks: L22.Program {
  let fetch: @Sendable (String) async -> String

  func load(_ picture: String) async -> String? {
    if picture == "A" { return await AlwaysTwoSeconds(fetch: fetch).load(picture) }
    try? await Task.sleep(for: .seconds(2))
    return nil
  }
}

private final class LeavesRequest: L23.Program {
  private let start: @Sendable (String, @escaping @Sendable (String?) -> Void) -> @Sendable () -> Void

  init(start: @escaping @Sendable (String, @escaping @Sendable (String?) -> Void) -> @Sendable () -> Void) {
    self.start = start
  }

  func picture(_ name: String) async -> String? {
    let (stream, continuation) = AsyncStream<String?>.makeStream()
    let cancel = start(name) { continuation.yield($0) }
    return await withTaskCancellationHandler {
      for await image in stream { return image }
      return nil
    } onCancel: {
      // Only the second picture and later ones are cancelled.
      if name != "A" { cancel() } else { continuation.finish() }
    }
  }
}

private struct OneByOne: L25.Program {
  let fetch: @Sendable (String) async throws -> String
  let show: @MainActor @Sendable (String) -> Void

  func load(_ pictures: [String]) async {
    for picture in pictures { if let image = try? await fetch(picture) { await show(image) } }
  }
}

private struct ReturnsEarly: L25.Program {
  let fetch: @Sendable (String) async throws -> String
  let show: @MainActor @Sendable (String) -> Void

  func load(_ pictures: [String]) async {
    for picture in pictures { Task { if let image = try? await fetch(picture) { await show(image) } } }
  }
}

private struct ShowsFailures: L25.Program {
  let fetch: @Sendable (String) async throws -> String
  let show: @MainActor @Sendable (String) -> Void

  func load(_ pictures: [String]) async {
    await withTaskGroup(of: String.self) { group in
      for picture in pictures { group.addTask { (try? await fetch(picture)) ?? picture } }
      for await image in group { await show(image) }
    }
  }
}

private struct Retries: L25.Program {
  let fetch: @Sendable (String) async throws -> String
  let show: @MainActor @Sendable (String) -> Void

  func load(_ pictures: [String]) async {
    await withTaskGroup(of: String?.self) { group in
      for picture in pictures {
        group.addTask {
          for _ in 1...3 { if let image = try? await fetch(picture) { return image } }
          return nil
        }
      }
      for await image in group { if let image { await show(image) } }
    }
  }
}

@MainActor private final class DecodesInTask: L27.Program {
  private let fetch: @Sendable (String) async -> String?
  private let decode: @Sendable (String) -> String
  private let show: @MainActor (String) -> Void

  init(
    fetch: @escaping @Sendable (String) async -> String?, decode: @escaping @Sendable (String) -> String,
    show: @escaping @MainActor (String) -> Void
  ) {
    (self.fetch, self.decode, self.show) = (fetch, decode, show)
  }

  func open(_ picture: String) {
    Task {
      guard let data = await fetch(picture) else { return }
      show(await Task { decode(data) }.value)
    }
  }
}

private actor ForgetsLoads: L28.Program {
  private let fetch: @Sendable (String) async throws -> String
  private var loads: [String: Task<String, any Error>] = [:]

  init(fetch: @escaping @Sendable (String) async throws -> String) { self.fetch = fetch }

  func image(_ picture: String) async throws -> String {
    if let load = loads[picture] { return try await load.value }
    let load = Task {
      defer { loads[picture] = nil }
      return try await fetch(picture)
    }
    loads[picture] = load
    return try await load.value
  }
}

private actor CancelsAll: L28.Program {
  private let fetch: @Sendable (String) async throws -> String
  private var loads: [String: Task<String, any Error>] = [:]

  init(fetch: @escaping @Sendable (String) async throws -> String) { self.fetch = fetch }

  func image(_ picture: String) async throws -> String {
    let load =
      loads[picture]
      ?? Task {
        do { return try await fetch(picture) } catch {
          loads[picture] = nil
          throw error
        }
      }
    loads[picture] = load
    return try await withTaskCancellationHandler {
      try await load.value
    } onCancel: {
      load.cancel()
    }
  }
}

private actor KeepsRefresh: L29.Program {
  private var token: String
  private let send: @Sendable (String, String) async -> String?
  private let refresh: @Sendable () async -> String
  private var refreshing: Task<String, Never>?

  init(
    token: String, send: @escaping @Sendable (String, String) async -> String?,
    refresh: @escaping @Sendable () async -> String
  ) {
    (self.token, self.send, self.refresh) = (token, send, refresh)
  }

  func page(_ name: String) async -> String? {
    if let page = await send(name, token) { return page }
    let task = refreshing ?? Task { await refresh() }
    refreshing = task
    token = await task.value
    return await send(name, token)
  }
}

private actor AlwaysRefreshes: L29.Program {
  private let send: @Sendable (String, String) async -> String?
  private let refresh: @Sendable () async -> String
  private var token: Task<String, Never>?

  init(
    token: String, send: @escaping @Sendable (String, String) async -> String?,
    refresh: @escaping @Sendable () async -> String
  ) {
    (self.send, self.refresh) = (send, refresh)
  }

  func page(_ name: String) async -> String? {
    let token = token ?? Task { await refresh() }
    self.token = token
    return await send(name, await token.value)
  }
}

private actor EachEndsRefresh: L29.Program {
  private var token: String
  private let send: @Sendable (String, String) async -> String?
  private let refresh: @Sendable () async -> String
  private var refreshing: Task<String, Never>?

  init(
    token: String, send: @escaping @Sendable (String, String) async -> String?,
    refresh: @escaping @Sendable () async -> String
  ) {
    (self.token, self.send, self.refresh) = (token, send, refresh)
  }

  func page(_ name: String) async -> String? {
    let used = token
    if let page = await send(name, used) { return page }
    if used == token {
      let task = refreshing ?? Task { await refresh() }
      refreshing = task
      token = await task.value
      // A waiter that resumes late ends the next refresh.
      refreshing = nil
    }
    return await send(name, token)
  }
}

private struct KeepsLoading: L30.Program {
  let fetch: @Sendable (String) async throws -> String
  let store: @MainActor @Sendable (String) -> Void

  func run(_ pictures: [String]) async {
    for picture in pictures where !Task.isCancelled {
      if let image = try? await fetch(picture) {
        await store(image)
      } else {
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
  }
}

private struct OneSlot: L31.Program {
  let fetch: @Sendable (String) async throws -> String

  func load(_ pictures: [String]) async -> [String?] {
    var images: [String?] = []
    for picture in pictures { images.append(try? await fetch(picture)) }
    return images
  }
}

private struct DropsNil: L31.Program {
  let fetch: @Sendable (String) async throws -> String

  func load(_ pictures: [String]) async -> [String?] {
    await withTaskGroup(of: String?.self) { group in
      for picture in pictures.prefix(3) { group.addTask { try? await fetch(picture) } }
      var (images, next) = ([String?](), 3)
      for await image in group {
        images.append(image)
        if next < pictures.count { group.addTask { [next] in try? await fetch(pictures[next]) } }
        next += 1
      }
      return images
    }
  }
}
