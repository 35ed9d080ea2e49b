import Dispatch

/// Blocks the measuring thread until a task ends.
func wait<Result: Sendable>(for work: @escaping @Sendable () async -> Result) -> Result {
  nonisolated(unsafe) var result: Result?
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    result = await work()
    done.signal()
  }
  done.wait()
  return result!
}
