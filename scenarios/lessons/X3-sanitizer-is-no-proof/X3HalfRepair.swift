import EventBus
import Lessons
import Synchronization

/// Counts the bytes of all downloads.
final class Traffic: X3.Program {
  private let queue: any Scheduler
  private let stored = Mutex(0)

  init(runtime: any Runtime) {
    queue = runtime.serial("traffic")  // runs one closure at a time
  }

  var total: Int { stored.withLock { $0 } }

  func add(_ bytes: Int) {
    load { [self] total in
      save(total + bytes)
    }
  }

  private func load(_ completion: @escaping @Sendable (Int) -> Void) {
    queue.schedule { [self] in
      completion(stored.withLock { $0 })
    }
  }

  private func save(_ total: Int) {
    queue.schedule { [self] in
      stored.withLock { $0 = total }
    }
  }
}
