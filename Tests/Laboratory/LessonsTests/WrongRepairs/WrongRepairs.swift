import EventBus
import Lessons
import Testing

/// A repair that the judge must refuse, because it cheats or fits only the runs that the commands show.
struct WrongRepair: Sendable, CustomTestStringConvertible {
  let name: String
  let play: LessonPlay
  /// Part of the reason that the judge states.
  let reason: String

  var testDescription: String { "\(play.lesson.id): \(name)" }

  init(_ name: String, _ play: LessonPlay, _ reason: String) {
    (self.name, self.play, self.reason) = (name, play, reason)
  }

  static let table =
    views + delivery + pools + plain

  /// The repairs that run on the runtime. The others need a separate process.
  static let onRuntime = table.filter { !$0.play.lesson.isPlain }
}

/// The base class of most programs on the runtime. A run uses one thread at a time, so the subclasses need no locks.
class OnScreen: @unchecked Sendable {
  let runtime: any Runtime
  let server: PictureServer
  let screen: Screen

  required init(runtime: any Runtime, server: PictureServer, screen: Screen) {
    (self.runtime, self.server, self.screen) = (runtime, server, screen)
  }

  func read(_ picture: String) -> String {
    let isHere = runtime.gate()
    let request = server.fetch(picture) { _ in isHere.open() }
    isHere.wait()
    return request.image ?? "no picture"
  }

  func onMain(_ action: @escaping @Sendable () -> Void) { runtime.main.schedule(action) }
}
