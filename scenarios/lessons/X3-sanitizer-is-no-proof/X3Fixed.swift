import EventBus
import Lessons
import Synchronization

/// Counts the bytes of all downloads.
final class Traffic: X3.Program {
  private let runtime: any Runtime
  private let stored = Mutex(0)

  init(runtime: any Runtime) {
    self.runtime = runtime
  }

  var total: Int { stored.withLock { $0 } }

  func add(_ bytes: Int) {
    runtime.workers.schedule { [self] in
      stored.withLock { $0 += bytes }
    }
  }
}
