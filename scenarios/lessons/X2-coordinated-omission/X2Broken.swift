import EventBus
import Lessons
import Synchronization

/// Measures how long users wait for a response.
final class LoadTest: X2.Program {
  private let runtime: any Runtime
  private let origin: X2.Origin
  private let measured = Mutex<[Duration]>([])

  init(runtime: any Runtime, origin: X2.Origin) {
    self.runtime = runtime
    self.origin = origin
  }

  var waits: [Duration] { measured.withLock { $0 } }

  func measure(_ users: Int, every interval: Duration) {
    guard users > 0 else { return }
    let begin = runtime.now
    origin.request { [self] in
      let wait = runtime.now - begin
      measured.withLock { $0.append(wait) }
      _ = runtime.main.schedule(after: interval - wait) { [self] in
        measure(users - 1, every: interval)
      }
    }
  }
}
