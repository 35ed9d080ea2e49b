/// A reply that returns the first of several answers to its waiter. It counts the answers that it accepts, because a
/// second resume would end the process.
actor Reply {
  private var continuation: UnsafeContinuation<String, Never>?
  private var early: String?
  private var isResumed = false
  private(set) var resumes = 0
  private let isGuarded: Bool

  init(isGuarded: Bool) { self.isGuarded = isGuarded }

  func wait() async -> String {
    if let early { return early }
    return await withUnsafeContinuation { continuation = $0 }
  }

  func answer(_ text: String) async {
    guard !isResumed else { return }
    if isGuarded { isResumed = true }
    // This stands for a call that records the answer.
    await Task.yield()
    isResumed = true
    resumes += 1
    early = text
    continuation?.resume(returning: text)
    continuation = nil
  }
}
