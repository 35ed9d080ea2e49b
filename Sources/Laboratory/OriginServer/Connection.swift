import Dispatch
import HTTPWire

/// One connection, which reads requests and responds to them in order.
///
/// `Sendable` is unchecked, because the state is confined to the queue of the connection's event loop.
final class Connection: @unchecked Sendable {
  private enum Phase {
    /// Waiting for a complete request head.
    case head
    /// Reading this many more bytes of a request body before the response can start.
    case body(RequestHead, remaining: Int)
    /// Waiting for a background route to compute its response.
    case computing
    /// Waiting before sending the first byte.
    case latency(ResponseWriter)
    /// Sending, or waiting until the socket is writable.
    case sending(ResponseWriter)
    /// Sending the last bytes of the response.
    case finishing(ResponsePlan.Ending)
    /// Waiting until the next bytes are due.
    case pacing(ResponseWriter)
    /// Stalling: sending nothing more until the client gives up.
    case stalled
    /// Waiting before the close, after everything has been sent.
    case lingering
    /// Reading the client's remaining bytes. Closing before they are read would reset the connection and could discard
    /// the response.
    case draining
    /// Sending the bytes of a stream, or waiting for them.
    case streaming(any ResponseStream)
    case closed
  }

  /// The fields that a browser sends with the requests of pages, in lowercase. The handshake of a WebSocket has only the
  /// last two.
  private static let ofBrowsers: Set<String> = ["sec-fetch-site", "origin", "upgrade"]
  private static let drainTime = Duration.milliseconds(500)
  /// The maximum number of steps before the event loop serves its other connections. A request takes at least four
  /// steps, and a step reads or sends at most 64 KiB.
  private static let stepsAtOnce = 32

  private let socket: ConnectionSocket
  private unowned let loop: EventLoop
  private var phase = Phase.head
  private var input: [UInt8] = []
  private var inputStart = 0
  private var inputEnded = false
  private var output: [UInt8] = []
  private var outputStart = 0
  /// The body of the request, if a handler needs it.
  private var body: [UInt8] = []
  /// The stream to send after the head of the response.
  private var stream: (any ResponseStream)?
  /// Called when the connection closes while a response is held.
  private var forgetHeld: (@Sendable () -> Void)?
  /// The time at which the connection began to wait for its current request.
  private var requested = ContinuousClock.now
  /// The time until which the client may keep the server waiting, or nil while the client is waiting for the server.
  private var deadline: ContinuousClock.Instant?
  /// The current request, for the counters.
  private var answering: (path: OriginPath, since: ContinuousClock.Instant)?
  /// Whether the deadline applies to a head. Further bytes of the head do not extend the deadline.
  private var isReadingHead = false
  /// Whether the rest of the work waits in the event loop's queue.
  private var isQueued = false

  init(_ socket: ConnectionSocket, loop: EventLoop) {
    self.socket = socket
    self.loop = loop
  }

  func start() { socket.startReading { [weak self] in self?.run() } }

  func close(reset: Bool = false) {
    if case .closed = phase { return }
    phase = .closed
    stream.take()?.close()
    forgetHeld.take()?()
    socket.close(reset: reset)
    loop.forget(self)
  }

  /// The time since which the connection has waited for a request that its client completes, for a client that reads its
  /// response, or for the last bytes of a client. Nil if the client waits for the server.
  var awaitsClientSince: ContinuousClock.Instant? {
    switch phase {
    case .head, .body, .draining: requested
    case .sending, .finishing: deadline == nil ? nil : requested
    case .computing, .latency, .pacing, .stalled, .lingering, .streaming, .closed: nil
    }
  }

  // MARK: Events

  private func timeIsUp() {
    switch phase {
    case .latency(let writer), .pacing(let writer):
      phase = .sending(writer)
      run()
    case .lingering, .draining: close()
    case .head, .body, .computing, .sending, .finishing, .stalled, .streaming, .closed: return
    }
  }

  func endIfLate(_ now: ContinuousClock.Instant) {
    guard let deadline, now >= deadline else { return }
    switch phase {
    case .head where !isReadingHead: close()
    case .head, .body:
      refuse(.plain(408))
      run()
    case .sending, .finishing, .streaming: close(reset: true)
    case .computing, .latency, .pacing, .stalled, .lingering, .draining, .closed: return
    }
  }

  // MARK: Work

  /// Works and reads until the connection must wait. If that takes too many steps, the rest of the work waits behind
  /// the event loop's other connections.
  private func run() {
    guard !isQueued else { return }
    for _ in 0..<Self.stepsAtOnce { guard work() || read() else { return } }
    // The server keeps the client waiting, except for the rest of a head.
    if !isReadingHead { deadline = nil }
    isQueued = true
    loop.queue.async { [weak self] in
      self?.isQueued = false
      self?.run()
    }
  }

  /// Takes the next step. Returns false if the connection must wait.
  private func work() -> Bool {
    switch phase {
    case .head: readHead()
    case .body(let request, let remaining): readBody(request, remaining)
    case .sending(let writer): send(writer)
    case .finishing(let ending): finish(ending)
    case .streaming(let stream): send(stream)
    case .computing, .latency, .pacing, .stalled, .lingering, .draining, .closed: false
    }
  }

  /// Reads one piece. Returns false if no bytes are left. The caller repeats the call until then, because Dispatch on
  /// Linux reports nothing more after a hang-up.
  private func read() -> Bool {
    updateReading()
    guard socket.isReading else { return false }
    switch socket.receive(into: loop.scratch) {
    case .nothing: return false
    case .failed: close()
    case .end: inputEnded = true
    case .bytes(let bytes): input.append(contentsOf: bytes)
    }
    return true
  }

  /// When the connection must wait, decides whether to read and how long the client may take.
  private func updateReading() {
    var reads = !inputEnded
    deadline = isReadingHead ? deadline : nil
    switch phase {
    case .closed: return
    case .sending, .finishing:
      reads = reads && unread <= RequestLimits.readAhead
      allow(loop.core.policy.idleTimeout)
    // A client that half-closes its connection while its response is delayed is treated as disconnected.
    case _ where inputEnded: return close()
    case .head where unread > 0:
      guard !isReadingHead else { break }
      isReadingHead = true
      allow(loop.core.policy.headTimeout)
    case .head, .body: allow(loop.core.policy.idleTimeout)
    case .streaming:
      consume(unread)
      if !output.isEmpty { allow(loop.core.policy.idleTimeout) }
    case .computing, .latency, .pacing: if unread > RequestLimits.readWhileWaiting { return close(reset: true) }
    case .stalled, .lingering, .draining: consume(unread)
    }
    socket.setReading(reads)
  }

  private func allow(_ time: Duration) { deadline = .now + time }

  private func readHead() -> Bool {
    let outcome = input.withUnsafeBytes { RequestParser.parse($0[inputStart...]) }
    switch outcome {
    case .incomplete where unread > loop.core.policy.headBytes:
      refuse(.plain(431))
      return false
    case .incomplete: return false
    case .refused(let status):
      refuse(.plain(status))
      return false
    case .head(let request, let count):
      consume(count)
      isReadingHead = false
      let policy = loop.core.policy
      guard count <= policy.headBytes, request.contentLength <= policy.bodyBytes else {
        refuse(.plain(count <= policy.headBytes ? 413 : 431))
        return false
      }
      if let host = request.host, !loop.core.hostNames.contains(host) {
        refuse(
          .plain(421, reason: "this server accepts the host names \(loop.core.hostNames.description), with any port"))
        return false
      }
      if policy.refusesBrowsers, request.fields.contains(where: { Self.ofBrowsers.contains($0.name.lowercased()) }) {
        refuse(.plain(403, reason: "this server is not for browsers"))
        return false
      }
      loop.core.requested(request)
      answering = (request.path, .now)
      if request.expectsContinue { output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8) }
      phase = .body(request, remaining: request.contentLength)
      return output.isEmpty || flush() != .failed
    }
  }

  private func readBody(_ request: RequestHead, _ remaining: Int) -> Bool {
    let count = min(remaining, unread)
    if count > 0 {
      if loop.core.handler != nil { body += input[inputStart..<inputStart + count] }
      consume(count)
      loop.core.received(count)
    }
    if count < remaining {
      phase = .body(request, remaining: remaining - count)
      return false
    }
    let body = body
    self.body = []
    switch loop.core.plan(for: request, body) {
    case .ready(let plan): return begin(plan)
    case .background(let make):
      phase = .computing
      loop.core.background.async { [loop, weak self] in
        // The connection may have been closed in the meantime.
        guard let self else { return }
        let plan = make()
        loop.queue.async {
          guard case .computing = self.phase else { return }
          _ = self.begin(plan)
          self.run()
        }
      }
      return false
    }
  }

  private func begin(_ plan: ResponsePlan) -> Bool {
    let writer = ResponseWriter(plan)
    stream = plan.stream
    if let hold = loop.core.hold, let path = answering?.path {
      phase = .latency(writer)
      forgetHeld = hold(path, plan.latency) { [queue = loop.queue, weak self] in
        queue.async { [weak self] in self?.timeIsUp() }
      }
      return false
    }
    guard plan.latency > .zero else {
      phase = .sending(writer)
      return true
    }
    phase = .latency(writer)
    wait(plan.latency)
    return false
  }

  private func send(_ writer: ResponseWriter) -> Bool {
    // Only one piece is in memory at a time, so bodies can have any size.
    guard flush() == .all else { return false }
    var writer = writer
    switch writer.next(&output, now: .now) {
    case .more: phase = .sending(writer)
    case .finished(let ending): phase = .finishing(ending)
    case .wait(let delay):
      phase = .pacing(writer)
      wait(delay)
      return false
    }
    return true
  }

  private func finish(_ ending: ResponsePlan.Ending) -> Bool {
    guard flush() == .all else { return false }
    if let since = answering?.since { loop.core.answered(after: .now - since) }
    answering = nil
    if let stream {
      phase = .streaming(stream)
      stream.open { [queue = loop.queue, weak self] in queue.async { [weak self] in self?.run() } }
      return true
    }
    switch ending {
    case .keepAlive:
      phase = .head
      requested = .now
      return true
    case .close: if unread > 0 { drain() } else { close() }
    case .reset: close(reset: true)
    case .stall: phase = .stalled
    case .closeLater(let delay):
      phase = .lingering
      wait(delay)
    }
    return false
  }

  private func send(_ stream: any ResponseStream) -> Bool {
    guard flush() == .all else { return false }
    guard let bytes = stream.next() else {
      close()
      return false
    }
    output += bytes
    return !bytes.isEmpty
  }

  private func refuse(_ response: OriginResponse) {
    loop.core.refused()
    let request = RequestHead(
      method: .get, target: "", path: "", host: nil, understandsChunks: true, keepsAlive: false, contentLength: 0,
      expectsContinue: false)
    let plan = ResponsePlan(response, for: request)
    output.append(contentsOf: plan.head)
    _ = plan.body.append(0..<plan.limit, to: &output)
    if flush() == .all { drain() } else { close() }
  }

  private func drain() {
    socket.endSending()
    isReadingHead = false
    phase = .draining
    wait(Self.drainTime)
  }

  private var unread: Int { input.count - inputStart }

  private func wait(_ delay: Duration) { socket.after(delay) { [weak self] in self?.timeIsUp() } }

  private func consume(_ count: Int) {
    inputStart += count
    if inputStart == input.count {
      input.removeAll(keepingCapacity: input.count <= RequestLimits.readAhead)
      inputStart = 0
    } else if inputStart > RequestLimits.headBytes {
      input.removeFirst(inputStart)
      inputStart = 0
    }
  }

  /// Sends the pending bytes. Calls ``run()`` when the socket is writable again, and closes the connection if the
  /// client is gone.
  private func flush() -> ConnectionSocket.Sent {
    guard !output.isEmpty else { return .all }
    let before = outputStart
    let result = socket.send(output, from: &outputStart)
    if outputStart > before { loop.core.sent(outputStart - before, for: answering?.path) }
    switch result {
    case .all:
      output.removeAll(keepingCapacity: true)
      outputStart = 0
    case .blocked: socket.whenWritable { [weak self] in self?.run() }
    case .failed: close()
    }
    return result
  }
}
