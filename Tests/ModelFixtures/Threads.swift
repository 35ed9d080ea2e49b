import Foundation

/// Runs `body` on `count` separate threads concurrently, and returns when all have ended.
///
/// A task group would not suffice, because the cooperative pool has only one thread per core.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (_ number: Int) -> Void) async {
  let start = DispatchSemaphore(value: 0)
  let end = DispatchGroup()
  for number in 0..<count {
    end.enter()
    let thread = Thread {
      start.wait()
      body(number)
      end.leave()
    }
    thread.stackSize = 1 << 20
    thread.start()
  }
  for _ in 0..<count { start.signal() }
  await withCheckedContinuation { continuation in end.notify(queue: .global()) { continuation.resume() } }
}
