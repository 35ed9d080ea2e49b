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
    send(users, at: runtime.now, every: interval)
  }

  /// - Parameter planned: The planned time. Late requests catch up.
  private func send(
    _ users: Int, at planned: Duration, every interval: Duration
  ) {
    guard users > 0 else { return }
    let begin = runtime.now
    origin.request { [self] in
      let now = runtime.now
      measured.withLock { $0.append(now - begin) }
      let next = planned + interval
      _ = runtime.main.schedule(after: next - now) { [self] in
        send(users - 1, at: next, every: interval)
      }
    }
  }
}
