import Dispatch

/// One connection: reads requests and answers them one after the other.
///
/// Unchecked because its state is confined to its lane's queue.
final class Connection: @unchecked Sendable {
  private enum Phase {
    /// Waiting for a whole head.
    case head
    /// Reading this many further bytes of a body, then answering.
    case body(RequestHead, remaining: Int)
    /// Waiting before the first byte.
    case latency(ResponseWriter)
    /// Sending, or waiting for room to send.
    case sending(ResponseWriter)
    /// The last bytes are on their way.
    case finishing(ResponseWriter.Ending)
    /// Waiting until the next bytes are due.
    case pacing(ResponseWriter)
    /// Doing nothing until the client gives up.
    case stalled
    /// Everything is sent; waiting before the close.
    case lingering
    /// Reading what the client still sends, because closing before it is read would reset the connection and could
    /// take the response with it.
    case draining
    case closed
  }

  private static let drainTime = Duration.milliseconds(500)

  private let socket: ConnectionSocket
  private unowned let lane: Lane
  private var phase = Phase.head
  private var input: [UInt8] = []
  private var inputStart = 0
  private var inputEnded = false
  private var output: [UInt8] = []
  private var outputStart = 0

  init(_ socket: ConnectionSocket, lane: Lane) {
    self.socket = socket
    self.lane = lane
  }

  func start() { socket.startReading { [weak self] in self?.readable() } }

  func close(reset: Bool = false) {
    if case .closed = phase { return }
    phase = .closed
    socket.close(reset: reset)
    lane.forget(self)
  }

  // MARK: Events

  private func readable() {
    switch socket.receive(into: lane.scratch) {
    case .nothing: return
    case .failed: close()
    case .end: ended()
    case .bytes(let bytes):
      if case .draining = phase { return }
      input.append(contentsOf: bytes)
      run()
      if input.count - inputStart > RequestLimits.readAhead { socket.pauseReading() }
    }
  }

  private func ended() {
    inputEnded = true
    socket.pauseReading()
    switch phase {
    case .sending, .finishing: return
    default: close()
    }
  }

  private func timeIsUp() {
    switch phase {
    case .latency(let writer), .pacing(let writer):
      phase = .sending(writer)
      run()
    case .lingering, .draining: close()
    case .head, .body, .sending, .finishing, .stalled, .closed: return
    }
  }

  // MARK: Work

  /// Goes on until it has to wait for something.
  private func run() {
    while true {
      let goesOn =
        switch phase {
        case .head: readHead()
        case .body(let request, let remaining): readBody(request, remaining)
        case .sending(let writer): send(writer)
        case .finishing(let ending): finish(ending)
        case .latency, .pacing, .stalled, .lingering, .draining, .closed: false
        }
      guard goesOn else { return }
    }
  }

  private func readHead() -> Bool {
    let outcome = input.withUnsafeBytes { RequestParser.parse($0[inputStart...]) }
    switch outcome {
    case .incomplete: return needMore()
    case .refused(let status):
      lane.core.refused()
      refuse(status)
      return false
    case .head(let request, let count):
      consume(count)
      lane.core.requested(request)
      if request.expectsContinue { output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8) }
      phase = .body(request, remaining: request.contentLength)
      return output.isEmpty || flush() != .failed
    }
  }

  private func readBody(_ request: RequestHead, _ remaining: Int) -> Bool {
    let count = min(remaining, input.count - inputStart)
    if count > 0 {
      consume(count)
      lane.core.received(count)
    }
    if count < remaining {
      phase = .body(request, remaining: remaining - count)
      return needMore()
    }
    let plan = lane.core.plan(for: request)
    let writer = ResponseWriter(plan)
    guard plan.latency > .zero else {
      phase = .sending(writer)
      return true
    }
    phase = .latency(writer)
    wait(plan.latency)
    return false
  }

  private func needMore() -> Bool {
    if inputEnded { close() } else { socket.resumeReading() }
    return false
  }

  private func send(_ writer: ResponseWriter) -> Bool {
    var writer = writer
    while true {
      // One piece in memory at a time, however large the body is.
      guard flush() == .all else {
        phase = isClosed ? .closed : .sending(writer)
        return false
      }
      switch writer.next(&output, now: .now) {
      case .more: continue
      case .finished(let ending):
        phase = .finishing(ending)
        return true
      case .wait(let delay):
        phase = .pacing(writer)
        if inputEnded { close() } else { wait(delay) }
        return false
      }
    }
  }

  private func finish(_ ending: ResponseWriter.Ending) -> Bool {
    guard flush() == .all else { return false }
    switch ending {
    case .keepAlive:
      phase = .head
      return true
    case .close: if inputStart < input.count { drain() } else { close() }
    case .reset: close(reset: true)
    case .stall: if inputEnded { close() } else { phase = .stalled }
    case .closeLater(let delay):
      phase = .lingering
      wait(delay)
    }
    return false
  }

  private func refuse(_ status: Int) {
    let request = RequestHead(
      method: .get, target: "", path: "", understandsChunks: true, keepsAlive: false, contentLength: 0,
      expectsContinue: false)
    output.append(contentsOf: ResponsePlan(.plain(status), for: request).head)
    output.append(contentsOf: "\(status) \(reasonPhrase(status))\n".utf8)
    if flush() == .all { drain() } else { close() }
  }

  private func drain() {
    guard !inputEnded else { return close() }
    socket.endSending()
    phase = .draining
    socket.resumeReading()
    wait(Self.drainTime)
  }

  // MARK: Small steps

  private var isClosed: Bool { if case .closed = phase { true } else { false } }

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

  /// Sends what there is. Comes back to ``run()`` when there is room again; closes when the client is gone.
  private func flush() -> ConnectionSocket.Sent {
    guard !output.isEmpty else { return .all }
    let before = outputStart
    let result = socket.send(output, from: &outputStart)
    if outputStart > before { lane.core.sent(outputStart - before) }
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
