/// The posts of one bus that are not yet due. They are made in the order of their times, equal ones in the order in which they
/// were asked for, on a serial scheduler of the bus.
final class DelayedPosts: Sendable {
  private let runtime: any Runtime
  private let state = Locked(State())

  fileprivate struct State: Sendable {
    var scheduler: (any Scheduler)?
    var number = 0
    /// A binary heap, the next one first.
    var heap: [DelayedPost] = []
    var isClosed = false
  }

  init(_ runtime: any Runtime) { self.runtime = runtime }

  func add(after delay: Duration, _ post: @escaping @Sendable () -> Void) -> any Cancellation {
    let due = runtime.now + max(delay, .zero)
    let scheduler = scheduler
    let entry = state.withLock { state in
      state.number += 1
      let entry = DelayedPost(due: due, number: state.number, post)
      if !state.isClosed { state.push(entry) }
      return entry
    }
    entry.keep(scheduler.schedule(after: delay) { [weak self] in self?.make(until: entry) })
    return entry
  }

  /// Made when first needed.
  private var scheduler: any Scheduler {
    if let known = state.withLock({ $0.scheduler }) { return known }
    let made = runtime.serial("delayed posts")
    return state.withLock { state in
      if let known = state.scheduler { return known }
      state.scheduler = made
      return made
    }
  }

  /// The time of this post has come, and so has that of all before it: timers may fire in another order.
  private func make(until last: DelayedPost) {
    while let entry = state.withLock({ $0.pop(until: last) }) { entry.take()?.post() }
  }

  /// For the bus that dies.
  func close() {
    let released = state.withLock { state in
      state.isClosed = true
      defer { state.heap = [] }
      return state.heap
    }
    for entry in released { entry.cancel() }
  }
}

/// One of them.
private final class DelayedPost: Cancellation {
  struct Action: Sendable {
    let post: @Sendable () -> Void
  }

  private struct State: Sendable {
    var action: Action?
    var timer: (any Cancellation)?
  }

  let due: Duration
  let number: Int
  private let state: Locked<State>

  init(due: Duration, number: Int, _ post: @escaping @Sendable () -> Void) {
    self.due = due
    self.number = number
    state = Locked(State(action: Action(post: post)))
  }

  func precedes(_ other: DelayedPost) -> Bool { due == other.due ? number < other.number : due < other.due }

  /// Nil if it was cancelled.
  func take() -> Action? { state.withLock { $0.action.take() } }

  func keep(_ timer: any Cancellation) {
    let isOver = state.withLock { state in
      state.timer = timer
      return state.action == nil
    }
    if isOver { timer.cancel() }
  }

  func cancel() {
    let (action, timer) = state.withLock { ($0.action.take(), $0.timer.take()) }
    timer?.cancel()
    withExtendedLifetime(action) {}
  }
}

extension DelayedPosts.State {
  fileprivate mutating func push(_ entry: DelayedPost) {
    heap.append(entry)
    var place = heap.count - 1
    while place > 0, heap[place].precedes(heap[(place - 1) / 2]) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Takes out the first, unless it comes after `last`.
  fileprivate mutating func pop(until last: DelayedPost) -> DelayedPost? {
    guard let first = heap.first, first === last || first.precedes(last) else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var place = 0
    while true {
      let child = [2 * place + 1, 2 * place + 2].filter { $0 < heap.count }.min { heap[$0].precedes(heap[$1]) }
      guard let child, heap[child].precedes(heap[place]) else { return first }
      heap.swapAt(place, child)
      place = child
    }
  }
}
