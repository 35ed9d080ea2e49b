import Dispatch
import Scheduling

/// The state that all connections share: the content and the counters.
final class ServerCore: Sendable {
  private struct State: Sendable {
    var script: Script
    var counters = OriginCounters()
    /// The semaphores that are signaled whenever the counters change.
    var waiters: [DispatchSemaphore] = []
  }

  private let state: Locked<State>

  let policy: OriginPolicy
  let hostNames: HostNames

  init(content: OriginContent, policy: OriginPolicy) {
    state = Locked(State(script: Script(content)))
    self.policy = policy
    hostNames = HostNames(others: policy.hostNames)
  }

  private func count(_ change: (inout OriginCounters) -> Void) {
    let waiters = state.withLock { state in
      change(&state.counters)
      return state.waiters
    }
    for waiter in waiters { waiter.signal() }
  }

  var counters: OriginCounters { state.withLock { $0.counters } }

  func replace(_ content: OriginContent) {
    let script = Script(content)
    state.withLock { $0.script = script }
  }

  func resetCounters() {
    count { counters in
      let open = counters.open
      counters = OriginCounters()
      counters.open = open
    }
  }

  func connectionOpened() {
    count { counters in
      counters.connections += 1
      counters.open += 1
    }
  }

  func connectionClosed() { count { $0.open -= 1 } }
  func sent(_ bytes: Int, for path: OriginPath?) {
    count { counters in
      counters.bytesSent += bytes
      if let path { counters.bytesSentByPath[path, default: 0] += bytes }
    }
  }
  func answered(after time: Duration) {
    count { counters in
      counters.answers += 1
      counters.serviceTime += time
    }
  }
  func received(_ bytes: Int) { count { $0.bytesReceived += bytes } }
  func refused() { count { $0.malformed += 1 } }
  func requested(_ request: RequestHead) {
    count { counters in
      counters.requests += 1
      counters.requestsByPath[request.path, default: 0] += 1
    }
  }

  /// Blocks until the counters satisfy the condition. Returns false if the time limit passes first.
  func wait(until limit: DispatchTime, _ isWanted: (OriginCounters) -> Bool) -> Bool {
    let change = DispatchSemaphore(value: 0)
    state.withLock { $0.waiters.append(change) }
    defer { state.withLock { $0.waiters.removeAll { $0 === change } } }
    while !isWanted(counters) {
      guard change.wait(timeout: limit) == .success else { return false }
    }
    return true
  }

  /// Decides how to respond to a request. Each call consumes the route's next response, so call this method once per
  /// request.
  func plan(for request: RequestHead) -> ResponsePlan {
    guard request.method != .other else { return ResponsePlan(.plain(501), for: request) }
    let (answer, files, latency) = state.withLock { state in
      (state.script.answer(target: request.target, path: request.path), state.script.files, state.script.defaultLatency)
    }
    var plan =
      switch answer {
      case .scripted(let route, let position): ResponsePlan(route.response(at: position, to: request), for: request)
      case .fallback(let response):
        files.flatMap { self.plan(for: request, from: $0) } ?? ResponsePlan(response, for: request)
      }
    if plan.latency == .zero { plan.latency = latency }
    return plan
  }

  /// Plans a response whose body is a file. Returns nil if the file does not exist.
  private func plan(for request: RequestHead, from files: StaticFiles) -> ResponsePlan? {
    let found: (file: OpenFile, mediaType: String)?
    do throws(NoDescriptor) { found = try files.file(at: request.path) } catch {
      return ResponsePlan(.plain(503), for: request)
    }
    guard let (file, mediaType) = found else { return nil }
    if request.method == .post { return ResponsePlan(.plain(405, headers: [("Allow", "GET, HEAD")]), for: request) }
    return ResponsePlan(OriginResponse(headers: [("Content-Type", mediaType)]), body: .file(file), for: request)
  }
}
