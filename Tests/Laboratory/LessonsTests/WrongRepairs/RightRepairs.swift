import EventBus
import Lessons
import Synchronization
import Testing

/// A correct repair that differs from the repair of the lesson.
struct RightRepair: Sendable, CustomTestStringConvertible {
  let name: String
  let play: LessonPlay

  var testDescription: String { "\(play.lesson.id): \(name)" }

  init(_ name: String, _ play: LessonPlay) { (self.name, self.play) = (name, play) }

  static let onRuntime = [
    RightRepair("compares names", L03.play(ComparesNames.self)),
    RightRepair("cancels the previous request", L03.play(CancelsPrevious.self)),
    RightRepair("counts selections", L03.play(CountsSelections.self)),
    RightRepair("stays on main", L04.play(StaysOnMain.self)),
    RightRepair("clears the flag at the network", L05.play(ClearsAtOnce.self)),
    RightRepair("cancels on disappear", L06.play(CancelsOnDisappear.self)),
    RightRepair("shows through the bus alone", L12.play(SubscribesAtStart.self)),
    RightRepair("cancels in one place", L13.play(EndsFirst.self)),
    RightRepair("counts the bytes", L14.play(CountsBytes.self)),
    RightRepair("prints the cover before the rest", L17.play(CoverFirst.self)),
    RightRepair("uploads in a chain", L26.play(Chain.self)),
  ]

  static let plain = [
    RightRepair("keeps Task<String, Never>", L18.play(KeepsTasks.self)),
    RightRepair("keeps waiters", L18.play(KeepsWaiters.self)),
    RightRepair("keeps results and tasks", L18.play(KeepsBoth.self)),
    RightRepair("cancels a Task<Void, Never> and checks", L19.play(CancelsAndChecks.self)),
    RightRepair("compares texts", L19.play(ComparesTexts.self)),
    RightRepair("checks before and after", L19.play(ChecksTwice.self)),
    RightRepair("cancels the previous load", L20.play(CancelsLoad.self)),
    RightRepair("awaits the previous task", L21.play(AwaitsPrevious.self)),
    RightRepair("keeps lines under a lock", L21.play(LocksLines.self)),
    RightRepair("resumes a continuation once", L22.play(ResumesOnce.self)),
    RightRepair("starts at once", L23.play(StartsAtOnce.self)),
    RightRepair("keeps results as values", L25.play(KeepsResults.self)),
    RightRepair("starts one child task per picture, which also shows the picture", L25.play(ShowsInChild.self)),
  ]
}

private final class CoverFirst: OnPress, L17.Program, @unchecked Sendable {
  func print(_ album: String) {
    runtime.workers.schedule { [self] in
      press.printCover(of: album)
      runtime.main.schedule { [self] in screen.show(album) }
    }
  }
}

private final class ComparesNames: OnScreen, L03.Program, @unchecked Sendable {
  private var selected = ""

  func select(_ picture: String) {
    selected = picture
    server.fetch(picture) { [self] answer in
      onMain { [self] in if let image = try? answer.get(), selected == picture { screen.show(image) } }
    }
  }
}

private final class CancelsPrevious: OnScreen, L03.Program, @unchecked Sendable {
  private var request: PictureServer.Request?
  private var count = 0

  func select(_ picture: String) {
    request?.cancel()
    count += 1
    request = server.fetch(picture) { [self, count] answer in
      onMain { [self] in if let image = try? answer.get(), self.count == count { screen.show(image) } }
    }
  }
}

private final class CountsSelections: OnScreen, L03.Program, @unchecked Sendable {
  private var waiting: [Int] = []
  private var count = 0

  func select(_ picture: String) {
    count += 1
    waiting = [count]
    server.fetch(picture) { [self, count] answer in
      runtime.workers.schedule { [self] in
        onMain { [self] in if waiting.contains(count), let image = try? answer.get() { screen.show(image) } }
      }
    }
  }
}

private final class StaysOnMain: L04.Program, @unchecked Sendable {
  private enum Entry {
    case waiting([@Sendable (String?) -> Void])
    case loaded(String)
  }

  private let runtime: any Runtime
  private let server: PictureServer
  private var entries: [String: Entry] = [:]

  init(runtime: any Runtime, server: PictureServer) { (self.runtime, self.server) = (runtime, server) }

  func want(_ picture: String, show: @escaping @Sendable (String?) -> Void) {
    switch entries[picture] {
    case .loaded(let image): return show(image)
    case .waiting(let shows): entries[picture] = .waiting(shows + [show])
    case nil:
      entries[picture] = .waiting([show])
      server.fetch(picture) { [self] answer in runtime.main.schedule { [self] in arrived(picture, try? answer.get()) } }
    }
  }

  private func arrived(_ picture: String, _ image: String?) {
    guard case .waiting(let shows) = entries[picture] else { return }
    entries[picture] = image.map { .loaded($0) }
    for show in shows { show(image) }
  }
}

private final class ClearsAtOnce: OnScreen, L05.Program, @unchecked Sendable {
  private var isLoading = false

  func tap() {
    if isLoading { return }
    isLoading = true
    server.fetch("sunset") { [self] answer in
      onMain { [self] in
        isLoading = false
        if let image = try? answer.get(), image != "" { screen.show(image) }
      }
    }
  }
}

private final class CancelsOnDisappear: OnScreen, L06.Program, @unchecked Sendable {
  private var request: PictureServer.Request?
  private var appearances = 0
  private var shownAppearance = 0

  func appear(_ picture: String) {
    appearances += 1
    shownAppearance = appearances
    request = server.fetch(picture) { [self, appearances] answer in
      onMain { [self] in if let image = try? answer.get(), shownAppearance == appearances { screen.show(image) } }
    }
  }

  func disappear() {
    request?.cancel()
    shownAppearance = 0
  }
}

private final class SubscribesAtStart: L12.Program, @unchecked Sendable {
  private let bus: EventBus
  private let server: PictureServer
  private let subscription: Subscription

  init(runtime: any Runtime, bus: EventBus, server: PictureServer, screen: Screen) {
    (self.bus, self.server) = (bus, server)
    subscription = bus.subscribe(to: L12.AlbumArrived.self, on: .main) { screen.show($0.title) }
  }

  func open(_ album: String) {
    server.fetch(album) { [bus] in if let title = try? $0.get() { bus.post(L12.AlbumArrived(title: title)) } }
  }
}

private final class EndsFirst: OnScreen, L13.Program, @unchecked Sendable {
  private var request: PictureServer.Request?

  func start(_ picture: String) {
    request = server.fetch(picture) { [self] answer in
      onMain { [self] in
        guard request != nil else { return }
        request = nil
        screen.show((try? answer.get()) ?? "failed")
      }
    }
  }

  func cancel() {
    guard let request else { return }
    self.request = nil
    request.cancel()
    screen.show("cancelled")
  }
}

private final class CountsBytes: L14.Program, @unchecked Sendable {
  private let runtime: any Runtime
  private let screen: Screen
  private var missing = 0
  private var pieces: [String] = []

  init(runtime: any Runtime, screen: Screen) { (self.runtime, self.screen) = (runtime, screen) }

  func began(_ length: Int) { missing = length }

  func received(_ bytes: String) {
    missing -= Array(bytes.utf8).count
    pieces.append(bytes)
  }

  func closed() { runtime.main.schedule { [self] in screen.show(missing == 0 ? pieces.joined() : "error") } }
}

private final class Chain: L26.Program, @unchecked Sendable {
  private let runtime: any Runtime
  private let server: PictureServer
  private var last: Task<Void, Never>?

  init(runtime: any Runtime, server: PictureServer) { (self.runtime, self.server) = (runtime, server) }

  func add(_ picture: String) async {
    let previous = enqueue(picture)
    await previous?.value
  }

  private func enqueue(_ picture: String) -> Task<Void, Never>? {
    let previous = last
    last = runtime.task { [server] in
      await previous?.value
      _ = await server.picture(picture)
    }
    return previous
  }

  func close() {}
}

private actor KeepsTasks: L18.Program {
  private let fetch: @Sendable (String) async -> String
  private var loads: [String: Task<String, Never>] = [:]

  init(fetch: @escaping @Sendable (String) async -> String) { self.fetch = fetch }

  func thumbnail(_ picture: String) async -> String {
    let load = loads[picture] ?? Task<String, Never> { await fetch(picture) }
    loads[picture] = load
    return await load.value
  }
}

private actor KeepsWaiters: L18.Program {
  private let fetch: @Sendable (String) async -> String
  private var thumbnails: [String: String] = [:]
  private var waiting: [String: [CheckedContinuation<String, Never>]] = [:]

  init(fetch: @escaping @Sendable (String) async -> String) { self.fetch = fetch }

  func thumbnail(_ picture: String) async -> String {
    if let thumbnail = thumbnails[picture] { return thumbnail }
    if waiting[picture] != nil {
      return await withCheckedContinuation { waiting[picture, default: []].append($0) }
    }
    waiting[picture] = []
    let thumbnail = await fetch(picture)
    thumbnails[picture] = thumbnail
    for waiter in waiting.removeValue(forKey: picture) ?? [] { waiter.resume(returning: thumbnail) }
    return thumbnail
  }
}

private actor KeepsBoth: L18.Program {
  private let fetch: @Sendable (String) async -> String
  private var thumbnails: [String: String] = [:]
  private var loads: [String: Task<Void, Never>] = [:]

  init(fetch: @escaping @Sendable (String) async -> String) { self.fetch = fetch }

  func thumbnail(_ picture: String) async -> String {
    while true {
      if let thumbnail = thumbnails[picture] { return thumbnail }
      if loads[picture] == nil {
        loads[picture] = Task {
          thumbnails[picture] = await fetch(picture)
          loads[picture] = nil
        }
      }
      await loads[picture]?.value
    }
  }
}

@MainActor private final class CancelsAndChecks: L19.Program {
  private let find: @Sendable (String) async -> String
  private let show: @MainActor (String) -> Void
  private var running: Task<Void, Never>?

  init(find: @escaping @Sendable (String) async -> String, show: @escaping @MainActor (String) -> Void) {
    (self.find, self.show) = (find, show)
  }

  func search(_ text: String) {
    running?.cancel()
    running = Task<Void, Never> {
      let found = await find(text)
      if !Task.isCancelled { show(found) }
    }
  }
}

@MainActor private final class ComparesTexts: L19.Program {
  private let find: @Sendable (String) async -> String
  private let show: @MainActor (String) -> Void
  private var newest = ""

  init(find: @escaping @Sendable (String) async -> String, show: @escaping @MainActor (String) -> Void) {
    (self.find, self.show) = (find, show)
  }

  func search(_ text: String) {
    newest = text
    Task.detached { [self, find] in
      let found = await find(text)
      await MainActor.run { if newest == text { show(found) } }
    }
  }
}

@MainActor private final class ChecksTwice: L19.Program {
  private let find: @Sendable (String) async -> String
  private let show: @MainActor (String) -> Void
  private var number = 0

  init(find: @escaping @Sendable (String) async -> String, show: @escaping @MainActor (String) -> Void) {
    (self.find, self.show) = (find, show)
  }

  func search(_ text: String) {
    number += 1
    Task { [number] in
      guard number == self.number else { return }
      async let found = find(text)
      let result = await found
      guard number == self.number else { return }
      show(result)
    }
  }
}

@MainActor private final class CancelsLoad: L20.Program {
  private var load: @Sendable (String) async -> String?
  private let show: @MainActor (String) -> Void
  private var opened = ""
  private var running: Task<Void, Never>?

  init(
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

  private func reload() {
    running?.cancel()
    running = Task { [opened, load] in
      let image = await load(opened)
      if let image, !Task.isCancelled { show(image) }
    }
  }
}

private actor Page {
  private(set) var lines: [String] = []

  func append(_ line: String) { lines.append(line) }
}

private final class AwaitsPrevious: L21.Program {
  private let page = Page()
  private let last = Mutex<Task<Void, Never>?>(nil)

  func write(_ line: String) {
    last.withLock { last in
      last = Task { [page, last] in
        await last?.value
        await page.append(line)
      }
    }
  }

  func close() {}

  func lines() async -> [String] {
    await last.withLock { $0 }?.value
    return await page.lines
  }
}

private final class LocksLines: L21.Program {
  private let written = Mutex<[String]>([])

  func write(_ line: String) { written.withLock { $0.append(line) } }

  func close() {}

  func lines() async -> [String] { written.withLock { $0 } }
}

private struct ResumesOnce: L22.Program {
  let fetch: @Sendable (String) async -> String

  func load(_ picture: String) async -> String? {
    await withCheckedContinuation { continuation in
      let waiting = Waiting(continuation)
      Task { waiting.resume(await fetch(picture)) }
      Task {
        try? await Task.sleep(for: .seconds(2))
        waiting.resume(nil)
      }
    }
  }

  private final class Waiting: Sendable {
    private let continuation: Mutex<CheckedContinuation<String?, Never>?>

    init(_ continuation: CheckedContinuation<String?, Never>) { self.continuation = Mutex(continuation) }

    func resume(_ image: String?) { continuation.withLock { $0.take() }?.resume(returning: image) }
  }
}

private final class StartsAtOnce: L23.Program {
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
      cancel()
    }
  }
}

private struct KeepsResults: L25.Program {
  let fetch: @Sendable (String) async throws -> String
  let show: @MainActor @Sendable (String) -> Void

  func load(_ pictures: [String]) async {
    await withTaskGroup(of: Result<String, any Error>.self) { group in
      for picture in pictures {
        group.addTask {
          do { return .success(try await fetch(picture)) } catch { return .failure(error) }
        }
      }
      for await result in group { if case .success(let image) = result { await show(image) } }
    }
  }
}

private struct ShowsInChild: L25.Program {
  let fetch: @Sendable (String) async throws -> String
  let show: @MainActor @Sendable (String) -> Void

  func load(_ pictures: [String]) async {
    await withDiscardingTaskGroup { group in
      for picture in pictures {
        group.addTask { if let image = try? await fetch(picture) { await show(image) } }
      }
    }
  }
}
