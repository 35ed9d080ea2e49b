import EventBus
import Lessons

extension WrongRepair {
  /// Wrong repairs of the lessons about blocking, load, and tasks on the runtime.
  static let pools = [
    WrongRepair("blocks a worker", L02.play(BlocksWorker.self), "a thread is blocked"),
    WrongRepair("blocks a queue", L02.play(BlocksQueue.self), "a thread is blocked"),
    WrongRepair("creates a queue for each picture", L16.play(QueuePerPicture.self), "threads are blocked"),
    WrongRepair("skips the cover", L17.play(SkipsCover.self), "before its cover is printed"),
    WrongRepair("prints the cover on main", L17.play(CoverOnMain.self), "before its cover is printed"),
    WrongRepair("returns an error as success", L24.play(ErrorAsSuccess.self), "cannot be loaded, but"),
    WrongRepair("returns the word for nil", L24.play(SaysNo.self), "returns a picture that does not exist"),
    WrongRepair("gives up after two seconds", L24.play(TimerForFailures.self), "must show"),
    WrongRepair("uploads for two cards at once", L26.play(TwoUploads.self), "at the same time"),
    WrongRepair("knows the total", X3.play(KnowsTotal.self), "the total is 350 instead of"),
  ]
}

private final class BlocksWorker: OnScreen, L02.Program, @unchecked Sendable {
  func select(_ picture: String) {
    runtime.workers.schedule { [self] in
      let image = read(picture)
      onMain { [self] in screen.show(image) }
    }
  }
}

private final class BlocksQueue: OnScreen, L02.Program, @unchecked Sendable {
  func select(_ picture: String) {
    runtime.serial(picture).schedule { [self] in
      let image = read(picture)
      onMain { [self] in screen.show(image) }
    }
  }
}

private final class QueuePerPicture: OnScreen, L16.Program, @unchecked Sendable {
  func load(_ pictures: [String]) {
    for picture in pictures {
      runtime.serial(picture).schedule { [self] in
        let image = read(picture)
        onMain { [self] in screen.show(image) }
      }
    }
  }

  func count() {
    runtime.workers.schedule { [self] in onMain { [self] in screen.show("count") } }
  }
}

class OnPress: @unchecked Sendable {
  let runtime: any Runtime
  let press: L17.Press
  let screen: Screen

  required init(runtime: any Runtime, press: L17.Press, screen: Screen) {
    (self.runtime, self.press, self.screen) = (runtime, press, screen)
  }
}

private final class SkipsCover: OnPress, L17.Program, @unchecked Sendable {
  func print(_ album: String) {
    runtime.workers.schedule { [self] in runtime.main.schedule { [self] in screen.show(album) } }
  }
}

private final class CoverOnMain: OnPress, L17.Program, @unchecked Sendable {
  func print(_ album: String) {
    press.printCover(of: album)
    screen.show(album)
  }
}

private class Loader: @unchecked Sendable {
  let runtime: any Runtime
  let server: PictureServer
  let continuations: L24.Continuations

  required init(runtime: any Runtime, server: PictureServer, continuations: L24.Continuations) {
    (self.runtime, self.server, self.continuations) = (runtime, server, continuations)
  }
}

private final class ErrorAsSuccess: Loader, L24.Program, @unchecked Sendable {
  func picture(_ name: String) async -> String? {
    await continuations.suspend { continuation in
      server.fetch(name) { continuation.resume(returning: (try? $0.get()) ?? name) }
    }
  }
}

private final class SaysNo: Loader, L24.Program, @unchecked Sendable {
  func picture(_ name: String) async -> String? {
    await continuations.suspend { continuation in
      server.fetch(name) { continuation.resume(returning: (try? $0.get()) ?? "no \(name)") }
    }
  }
}

private final class TimerForFailures: Loader, L24.Program, @unchecked Sendable {
  func picture(_ name: String) async -> String? {
    await continuations.suspend { continuation in
      server.fetch(name) { [runtime] answer in
        if let image = try? answer.get() { return continuation.resume(returning: image) }
        _ = runtime.main.schedule(after: .seconds(2)) { continuation.resume(returning: nil) }
      }
    }
  }
}

private final class TwoUploads: L26.Program, @unchecked Sendable {
  private let runtime: any Runtime
  private let server: PictureServer
  private let upload = Locked<Task<Void, Never>?>(nil)

  init(runtime: any Runtime, server: PictureServer) { (self.runtime, self.server) = (runtime, server) }

  func add(_ picture: String) async {
    await upload.withLock { $0 }?.value
    let next = runtime.task { [server] in _ = await server.picture(picture) }
    upload.withLock { $0 = next }
  }

  func close() {}
}

private final class KnowsTotal: X3.Program {
  init(runtime: any Runtime) {}

  func add(_ bytes: Int) {}

  var total: Int { 350 }
}
