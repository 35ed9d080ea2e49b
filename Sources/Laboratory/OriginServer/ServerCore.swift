import Dispatch
import Scheduling

/// The state that all connections share: the content and the counters.
final class ServerCore: Sendable {
  private struct State: Sendable {
    var script: Script
    var counters = OriginCounters()
    /// The number of bytes that further paths without a route may occupy in the counters.
    var room = ServerCore.roomForPaths
    /// The semaphores that are signaled whenever the counters change.
    var waiters: [DispatchSemaphore] = []

    mutating func requested(_ path: OriginPath) {
      counters.requests += 1
      Self.add(1, for: path, to: &counters.requestsByPath, room: &room, script)
    }

    mutating func sent(_ bytes: Int, for path: OriginPath?) {
      counters.bytesSent += bytes
      if let path { Self.add(bytes, for: path, to: &counters.bytesSentByPath, room: &room, script) }
    }

    private static func add(
      _ count: Int, for path: OriginPath, to counts: inout [OriginPath: Int], room: inout Int, _ script: Script
    ) {
      if let index = counts.index(forKey: path) {
        counts.values[index] += count
      } else if script.hasRoute(path) {
        counts[path] = count
      } else if case let size = path.text.utf8.count + ServerCore.entryBytes, size <= room {
        room -= size
        counts[path] = count
      }
    }
  }

  /// The size of the paths without a route in the counters. Without a limit, a client could fill the memory.
  private static let roomForPaths = 1024 * 1024
  /// The approximate size of a dictionary entry, not counting its path.
  private static let entryBytes = 64

  private let state: Locked<State>

  let policy: OriginPolicy
  let hostNames: HostNames
  /// Responds to every request, or nil if the content does.
  let handler: RequestHandler?
  /// Holds each response, or nil if a response waits for its latency.
  let hold: ResponseHold?
  /// The queue for routes that compute their responses in the background.
  let background = DispatchQueue(label: "origin.background")

  init(content: OriginContent, policy: OriginPolicy, handler: RequestHandler? = nil, hold: ResponseHold? = nil) {
    state = Locked(State(script: Script(content)))
    self.policy = policy
    self.handler = handler
    self.hold = hold
    hostNames = HostNames(others: policy.hostNames)
  }

  private func change(_ change: (inout State) -> Void) {
    let waiters = state.withLock { state in
      change(&state)
      return state.waiters
    }
    for waiter in waiters { waiter.signal() }
  }

  private func count(_ change: (inout OriginCounters) -> Void) { self.change { change(&$0.counters) } }

  var counters: OriginCounters { state.withLock { $0.counters } }

  func replace(_ content: OriginContent) {
    let script = Script(content)
    state.withLock { $0.script = script }
  }

  func resetCounters() {
    change { state in
      let open = state.counters.open
      state.counters = OriginCounters()
      state.counters.open = open
      state.room = Self.roomForPaths
    }
  }

  func connectionOpened() {
    count { counters in
      counters.connections += 1
      counters.open += 1
    }
  }

  func connectionClosed() { count { $0.open -= 1 } }
  func sent(_ bytes: Int, for path: OriginPath?) { change { $0.sent(bytes, for: path) } }
  func answered(after time: Duration) {
    count { counters in
      counters.answers += 1
      counters.serviceTime += time
    }
  }
  func received(_ bytes: Int) { count { $0.bytesReceived += bytes } }
  func refused() { count { $0.malformed += 1 } }
  func requested(_ request: RequestHead) { change { $0.requested(request.path) } }

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

  /// The plan for a response, or the work that makes it.
  enum Planning {
    case ready(ResponsePlan)
    /// The plan takes long to make, so it must be made on the background queue.
    case background(@Sendable () -> ResponsePlan)
  }

  /// Decides how to respond to a request. Each call consumes the route's next response, so call this method once per
  /// request.
  ///
  /// - Parameter body: the body of the request, or an empty array if there is no handler.
  func plan(for request: RequestHead, _ body: [UInt8]) -> Planning {
    if let handler { return .ready(plan(for: request, handler(ReceivedRequest(request, body)))) }
    guard request.method != .other else { return .ready(ResponsePlan(.plain(501), for: request)) }
    let (answer, files, latency) = state.withLock { state in
      (state.script.answer(target: request.target, path: request.path), state.script.files, state.script.defaultLatency)
    }
    let make: @Sendable () -> ResponsePlan = {
      var plan =
        switch answer {
        case .scripted(let route, let position): ResponsePlan(route.response(at: position, to: request), for: request)
        case .fallback(let response):
          files.flatMap { self.plan(for: request, from: $0) } ?? ResponsePlan(response, for: request)
        }
      if plan.latency == .zero { plan.latency = latency }
      return plan
    }
    if case .scripted(let route, _) = answer, route.isComputedInBackground { return .background(make) }
    return .ready(make())
  }

  private func plan(for request: RequestHead, _ handled: HandledRequest) -> ResponsePlan {
    switch handled {
    case .response(let response): return ResponsePlan(response, for: request)
    case .stream(var response, let stream):
      response.sendsContentLength = false
      var plan = ResponsePlan(response, for: request)
      plan.stream = stream
      return plan
    }
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
