import Foundation

/// Runs `body` on so many threads of its own at once, and returns when all have ended.
///
/// Not a task group: the cooperative pool has as many threads as the machine has cores, which is no crowd.
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
