import Synchronization

/// A download that ignores cancellation.
final class Download: Sendable {
  private let state = Mutex(false)

  var isComplete: Bool { state.withLock { $0 } }

  func run() async -> String {
    await Task.detached { try? await Task.sleep(for: .seconds(30)) }.value
    state.withLock { $0 = true }
    return "data"
  }
}

/// Returns late, because a group ends only after all of its children.
func timeOutInGroup(_ work: @escaping @Sendable () async -> String) async -> String {
  await withTaskGroup(of: String.self) { group in
    group.addTask { await work() }
    group.addTask {
      try? await Task.sleep(for: .milliseconds(100))
      return "timeout"
    }
    defer { group.cancelAll() }
    return await group.next() ?? "nothing"
  }
}

/// Returns the first result, and does not wait for the other task.
func timeOut(_ work: @escaping @Sendable () async -> String) async -> String {
  let (stream, continuation) = AsyncStream.makeStream(of: String.self)
  let worker = Task { continuation.yield(await work()) }
  let timer = Task {
    try await Task.sleep(for: .milliseconds(100))
    continuation.yield("timeout")
  }
  var iterator = stream.makeAsyncIterator()
  let first = await iterator.next() ?? "nothing"
  worker.cancel()
  timer.cancel()
  return first
}
