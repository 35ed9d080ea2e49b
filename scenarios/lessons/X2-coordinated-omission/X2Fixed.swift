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
    let start = runtime.now
    for user in 0..<users {
      let planned = start + interval * user
      _ = runtime.main.schedule(after: interval * user) { [self] in
        send(planned)
      }
    }
  }

  private func send(_ planned: Duration) {
    origin.request { [self] in
      let wait = runtime.now - planned
      measured.withLock { $0.append(wait) }
    }
  }
}
