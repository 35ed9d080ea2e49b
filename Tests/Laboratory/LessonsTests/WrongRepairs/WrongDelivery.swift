import EventBus
import Lessons

extension WrongRepair {
  /// Wrong repairs of the lessons about sharing and delivery.
  static let delivery = [
    WrongRepair("never clears loading", L04.play(NeverClears.self), "must be requested again"),
    WrongRepair("stores the image before it arrives", L04.play(StoresEarly.self), "must show"),
    WrongRepair("shows a failed image", L04.play(ShowsName.self), "must show"),
    WrongRepair("serves the last view only", L04.play(ServesLast.self), "must show"),
    WrongRepair("clears the flag by a timer", L05.play(TimerOf500.self), "requests"),
    WrongRepair("throttles without a flag", L05.play(Throttle.self), "requests"),
    WrongRepair("skips the first two subscribers only", L09.play(KnowsNumbers.self), "after it has unsubscribed"),
    WrongRepair("bans departed subscribers", L10.play(Bans.self), "must show"),
    WrongRepair("special-cases the rain", L10.play(KnowsRain.self), "after it has unsubscribed"),
    WrongRepair("loads 5 s later", L12.play(LoadsLater.self), "must show “Summer” at 0.1 seconds"),
    WrongRepair("special-cases the picture", L14.play(KnowsPicture.self), "bytes arrived, but"),
    WrongRepair("counts characters", L14.play(CountsCharacters.self), "bytes arrived, but"),
    WrongRepair("accepts more than announced", L14.play(AtLeast.self), "bytes arrived, but"),
    WrongRepair("uses a done flag by name", L15.play(DoneByName.self), "must show"),
    WrongRepair("leaves the request running", L15.play(LeavesRequest.self), "still in flight"),
  ]
}

private class Store: @unchecked Sendable {
  typealias Show = @Sendable (String?) -> Void

  let runtime: any Runtime
  let server: PictureServer
  var loading: Set<String> = []
  var images: [String: String] = [:]
  var waiting: [String: [Show]] = [:]

  required init(runtime: any Runtime, server: PictureServer) { (self.runtime, self.server) = (runtime, server) }

  func load(_ picture: String, _ done: @escaping @Sendable (String?) -> Void) {
    server.fetch(picture) { [runtime] answer in runtime.main.schedule { done(try? answer.get()) } }
  }
}

private final class NeverClears: Store, L04.Program, @unchecked Sendable {
  func want(_ picture: String, show: @escaping Show) {
    if let image = images[picture] { return show(image) }
    waiting[picture, default: []].append(show)
    guard loading.insert(picture).inserted else { return }
    load(picture) { [self] image in
      images[picture] = image
      for show in waiting.removeValue(forKey: picture) ?? [] { show(image) }
    }
  }
}

private final class StoresEarly: Store, L04.Program, @unchecked Sendable {
  func want(_ picture: String, show: @escaping Show) {
    if let image = images[picture] { return runtime.main.schedule { show(image) } }
    images[picture] = picture
    load(picture) { image in show(image) }
  }
}

private final class ShowsName: Store, L04.Program, @unchecked Sendable {
  func want(_ picture: String, show: @escaping Show) {
    if let image = images[picture] { return show(image) }
    waiting[picture, default: []].append(show)
    guard loading.insert(picture).inserted else { return }
    load(picture) { [self] image in
      loading.remove(picture)
      images[picture] = image
      for show in waiting.removeValue(forKey: picture) ?? [] { show(image ?? picture) }
    }
  }
}

private final class ServesLast: Store, L04.Program, @unchecked Sendable {
  func want(_ picture: String, show: @escaping Show) {
    if let image = images[picture] { return show(image) }
    waiting[picture] = [show]
    guard loading.insert(picture).inserted else { return }
    load(picture) { [self] image in
      loading.remove(picture)
      images[picture] = image
      for show in waiting.removeValue(forKey: picture) ?? [] { show(image) }
    }
  }
}

private final class TimerOf500: OnScreen, L05.Program, @unchecked Sendable {
  private var isLoading = false

  func tap() {
    guard !isLoading else { return }
    isLoading = true
    _ = runtime.main.schedule(after: .milliseconds(500)) { [self] in isLoading = false }
    server.fetch("sunset") { [self] answer in
      onMain { [self] in if let image = try? answer.get(), !image.isEmpty { screen.show(image) } }
    }
  }
}

private final class Throttle: OnScreen, L05.Program, @unchecked Sendable {
  private var last = Duration.seconds(-1)

  func tap() {
    guard runtime.now - last >= .milliseconds(500) else { return }
    last = runtime.now
    server.fetch("sunset") { [self] answer in
      onMain { [self] in if let image = try? answer.get(), !image.isEmpty { screen.show(image) } }
    }
  }
}

private final class KnowsNumbers: L09.Program, @unchecked Sendable {
  private var handlers: [(number: Int, handler: @Sendable (String) -> Void)] = []
  private var count = 0

  init(runtime: any Runtime) {}

  func subscribe(_ handler: @escaping @Sendable (String) -> Void) -> Int {
    count += 1
    handlers.append((count, handler))
    return count
  }

  func unsubscribe(_ number: Int) { handlers.removeAll { $0.number == number } }

  func post(_ news: String) {
    for (number, handler) in handlers where number > 2 || handlers.contains(where: { $0.number == number }) {
      handler(news)
    }
  }
}

private class Board: @unchecked Sendable {
  let runtime: any Runtime
  var handlers: [(number: Int, handler: @Sendable (String) -> Void)] = []

  required init(runtime: any Runtime) { self.runtime = runtime }
}

private final class Bans: Board, L10.Program, @unchecked Sendable {
  private var gone: Set<Int> = []

  func subscribe(_ handler: @escaping @Sendable (String) -> Void) -> Int {
    let number = (handlers.map(\.number).max() ?? 0) + 1
    // A free number is reused.
    let free = (1...number).first { number in !handlers.contains { $0.number == number } } ?? number
    handlers.append((free, handler))
    return free
  }

  func unsubscribe(_ number: Int) {
    gone.insert(number)
    handlers.removeAll { $0.number == number }
  }

  func post(_ news: String) {
    for (number, handler) in handlers {
      runtime.main.schedule { [self] in if !gone.contains(number) { handler(news) } }
    }
  }
}

private final class KnowsRain: Board, L10.Program, @unchecked Sendable {
  private var count = 0

  func subscribe(_ handler: @escaping @Sendable (String) -> Void) -> Int {
    count += 1
    handlers.append((count, handler))
    return count
  }

  func unsubscribe(_ number: Int) { handlers.removeAll { $0.number == number } }

  func post(_ news: String) {
    for (number, handler) in handlers {
      runtime.main.schedule { [self] in
        if news != "rain" || handlers.contains(where: { $0.number == number }) { handler(news) }
      }
    }
  }
}

private final class LoadsLater: L12.Program, @unchecked Sendable {
  private let runtime: any Runtime
  private let bus: EventBus
  private let server: PictureServer
  private let screen: Screen
  private var subscription: Subscription?

  init(runtime: any Runtime, bus: EventBus, server: PictureServer, screen: Screen) {
    (self.runtime, self.bus, self.server, self.screen) = (runtime, bus, server, screen)
  }

  func open(_ album: String) {
    runtime.main.schedule { [self] in
      subscription = bus.subscribe(to: L12.AlbumArrived.self, on: .main) { [screen] in screen.show($0.title) }
    }
    _ = runtime.main.schedule(after: .seconds(5)) { [server, bus] in
      server.fetch(album) { if let title = try? $0.get() { bus.post(L12.AlbumArrived(title: title)) } }
    }
  }
}

private class Receiver: @unchecked Sendable {
  let runtime: any Runtime
  let screen: Screen
  var length = 0
  var data = ""

  required init(runtime: any Runtime, screen: Screen) { (self.runtime, self.screen) = (runtime, screen) }

  var isWhole: Bool { false }

  func began(_ length: Int) { self.length = length }

  func received(_ bytes: String) { data += bytes }

  func closed() { runtime.main.schedule { [self] in screen.show(isWhole ? data : "error") } }
}

private final class KnowsPicture: Receiver, L14.Program, @unchecked Sendable {
  override var isWhole: Bool { data != "PNG sun" && !data.isEmpty }
}

private final class CountsCharacters: Receiver, L14.Program, @unchecked Sendable {
  override var isWhole: Bool { data.count == length }
}

private final class AtLeast: Receiver, L14.Program, @unchecked Sendable {
  override var isWhole: Bool { data.utf8.count >= length }
}

private final class DoneByName: L15.Program, @unchecked Sendable {
  private let runtime: any Runtime
  private let server: PictureServer
  private var done: Set<String> = []

  init(runtime: any Runtime, server: PictureServer) { (self.runtime, self.server) = (runtime, server) }

  func load(_ picture: String, completion: @escaping @Sendable (String?) -> Void) {
    let finish: @Sendable (String?) -> Void = { [self] in if done.insert(picture).inserted { completion($0) } }
    let request = server.fetch(picture) { [runtime] answer in runtime.main.schedule { finish(try? answer.get()) } }
    _ = runtime.main.schedule(after: .seconds(2)) {
      finish(nil)
      request.cancel()
    }
  }
}

private final class LeavesRequest: L15.Program, @unchecked Sendable {
  private let runtime: any Runtime
  private let server: PictureServer

  init(runtime: any Runtime, server: PictureServer) { (self.runtime, self.server) = (runtime, server) }

  func load(_ picture: String, completion: @escaping @Sendable (String?) -> Void) {
    let isDone = Locked(false)
    let finish: @Sendable (String?) -> Void = { image in
      let isFirst = isDone.withLock { isDone in
        defer { isDone = true }
        return !isDone
      }
      if isFirst { completion(image) }
    }
    _ = runtime.main.schedule(after: .seconds(2)) { finish(nil) }
    server.fetch(picture) { [runtime] answer in runtime.main.schedule { finish(try? answer.get()) } }
  }
}
