import Dispatch
import FetcherModel
import Foundation
import HTTPWire

/// A connection to a server. It handles one request at a time, and performs the actions that ``ConnectionLife``
/// returns.
///
/// `Sendable` is unchecked, because the state is confined to the loader's queue.
final class SocketConnection: @unchecked Sendable {
  /// The work that remains before other connections are served.
  ///
  /// A server can make lines and pieces of one byte, so the number of bytes alone does not bound the time.
  private struct Budget {
    var bytes = 64 * 1024
    var events = 16

    var isSpent: Bool { bytes <= 0 || events <= 0 }
  }

  let endpoint: Endpoint
  /// The time at which the connection times out if nothing is transferred.
  private var deadline: ContinuousClock.Instant?
  /// The time at which the next address is tried, unless all attempts in flight end earlier.
  private var nextAttempt: ContinuousClock.Instant?
  private weak var loader: SocketLoader?
  private let queue: DispatchQueue
  private var life = ConnectionLife()
  private var socket: ConnectionSocket?
  private var race = AddressRace([])
  /// The connection attempts in flight, keyed by their numbers in the race.
  private var attempts: [Int: ConnectionSocket] = [:]
  private var parser = ResponseParser()
  /// Received bytes that are not parsed yet.
  private var unparsed: ArraySlice<UInt8> = []
  /// The parsed bytes of the body that the task has not received yet.
  private var body = Data()
  /// Whether the loader will call ``takeTurn()``.
  private var isReadQueued = false
  private var output: [UInt8] = []
  private var sent = 0
  /// Whether the peer has reset the connection, which the system reports only once.
  private var isReset = false
  /// Whether the response is a redirect to follow when the response ends. Its body is skipped.
  private var isFollowed = false
  /// The task whose request the connection is handling.
  private var task: SocketTask?

  init(to endpoint: Endpoint, _ loader: SocketLoader) {
    self.endpoint = endpoint
    self.loader = loader
    queue = loader.queue
  }

  /// The time at which the loader must call ``timeIsUp(_:)``, or nil if no call is needed.
  var wake: ContinuousClock.Instant? { [deadline, nextAttempt].compactMap { $0 }.min() }

  /// Whether the connection is open and idle.
  var isIdle: Bool { life.isIdle }

  /// Resolves the host, connects and sends the request. Never ends the task synchronously.
  func open(for task: SocketTask) {
    self.task = task
    madeProgress()
    loader?.lookup.find(endpoint, for: self) { [weak self, queue] addresses in
      // Connect asynchronously, because `find` can call back synchronously.
      queue.async { [weak self] in self?.connect(to: addresses) }
    }
  }

  /// Sends a request over the open connection.
  func perform(_ task: SocketTask) {
    self.task = task
    life.ask(isIdempotent: task.request.isIdempotent)
    parser = ResponseParser(isForHead: task.request.method == "HEAD")
    body = Data()
    output = task.request.bytes(for: endpoint)
    sent = 0
    isFollowed = false
    madeProgress()
    send()
  }

  /// Keeps the connection idle for the next request until the deadline.
  func rest(until deadline: ContinuousClock.Instant) { self.deadline = deadline }

  /// Whether the connection can handle a request. The server may have closed the connection before the event source
  /// reports the close.
  func isReusable() -> Bool {
    read()
    return isIdle
  }

  /// Closes the connection in any state, without reporting the close to its task.
  func abandon() {
    life.abandon()
    _ = release()
    close()
  }

  func timeIsUp(_ now: ContinuousClock.Instant) {
    if let deadline, deadline <= now { return end(life.break(.silent)) }
    if let nextAttempt, nextAttempt <= now { perform(race.delayPassed()) }
  }

  // MARK: Connecting

  private func connect(to addresses: [SocketAddress]) {
    guard !life.isClosed else { return }
    guard !addresses.isEmpty else { return end(life.break(.unknownHost)) }
    race = AddressRace(addresses)
    perform(race.start())
  }

  private func perform(_ action: AddressRace.Action) {
    var action = action
    nextAttempt = nil
    while case .attempt(let number, let address, let isLast) = action {
      guard let descriptor = System.openConnection(to: address) else {
        action = race.attemptFailed()
        continue
      }
      let socket = ConnectionSocket(descriptor, queue: queue) {}
      attempts[number] = socket
      socket.whenWritable { [weak self] in self?.attemptEnded(number) }
      if !isLast, let loader {
        let next = ContinuousClock.now + loader.attemptDelay
        nextAttempt = next
        loader.watch(next)
      }
      return
    }
    if action == .refuse { end(life.break(.refused)) }
  }

  private func attemptEnded(_ number: Int) {
    guard let task, let socket = attempts.removeValue(forKey: number) else { return }
    guard socket.hasConnected else {
      socket.close()
      return perform(race.attemptFailed())
    }
    self.socket = socket
    closeAttempts()
    socket.startReading { [weak self] in self?.queueRead() }
    perform(task)
  }

  private func closeAttempts() {
    nextAttempt = nil
    for attempt in attempts.values { attempt.close() }
    attempts = [:]
  }

  // MARK: Carrying

  private func send() {
    guard let socket else { return }
    switch socket.send(output, from: &sent) {
    case .all: output = []
    case .blocked:
      socket.whenWritable { [weak self] in
        self?.madeProgress()
        self?.send()
      }
    case .failed:
      isReset = true
      // Report the failure asynchronously, because the task has only just started.
      queue.async { [weak self] in if let self { end(life.break(.reset)) } }
    }
  }

  /// Reads behind the work that waits on the queue. Dispatch can call the handlers of an event source twice in a row.
  /// If each call read, a connection would take two turns.
  private func queueRead() {
    guard !isReadQueued else { return }
    isReadQueued = true
    loader?.queueRead(of: self)
  }

  func takeTurn() {
    isReadQueued = false
    read()
  }

  /// Reads until no bytes are left, the response is complete or the budget is spent. After a hang-up, Dispatch on Linux
  /// reports no further events.
  private func read() {
    var budget = Budget()
    while !budget.isSpent {
      guard let socket, let loader else { return }
      if !unparsed.isEmpty {
        let bytes = unparsed
        // The next request can start during `take`, and must not find these bytes.
        unparsed = []
        guard let rest = bytes.withUnsafeBytes({ take($0[...], &budget) }) else { return }
        unparsed = bytes.suffix(rest)
        continue
      }
      switch socket.receive(into: loader.scratch) {
      case .nothing: return
      case .failed: return end(life.break(.reset))
      case .end: return ended()
      case .bytes(let bytes):
        guard life.receive() else { return end(life.break(.reset)) }
        madeProgress()
        budget.bytes -= bytes.count
        guard let rest = take(bytes[...], &budget) else { return }
        unparsed = ArraySlice(bytes.suffix(rest))
      }
    }
    queueRead()
  }

  private func ended() {
    guard !isReset else { return end(life.break(.reset)) }
    switch parser.connectionEnded() {
    case .end?: finish(isReusable: false)
    case .failed(let fault)?: end(life.break(.ended(fault)))
    case .line?, .head?, .body?, nil: end(life.break(.ended(nil)))
    }
  }

  /// Parses bytes of the response within the budget. Returns the number of bytes that remain, or nil if no more
  /// bytes are expected.
  ///
  /// The task receives the pieces of one read in one call.
  private func take(_ bytes: Slice<UnsafeRawBufferPointer>, _ budget: inout Budget) -> Int? {
    var bytes = bytes
    // The end of a response can follow its last byte without a further one.
    while budget.events > 0 || bytes.isEmpty, let task, !task.isCancelled, let event = parser.next(&bytes) {
      budget.events -= 1
      switch event {
      case .line: break
      case .head(let head):
        life.readHead()
        isFollowed = !task.received(head)
      case .body(let piece): if !isFollowed { body.append(piece.assumingMemoryBound(to: UInt8.self)) }
      case .end(let staysOpen):
        deliver()
        finish(isReusable: staysOpen && bytes.isEmpty && output.isEmpty)
        return nil
      case .failed(let fault):
        deliver()
        end(life.break(.malformed(fault)))
        return nil
      }
    }
    if bytes.isEmpty { deliver() }
    return task?.isCancelled == false ? bytes.count : nil
  }

  private func deliver() {
    guard !body.isEmpty else { return }
    task?.received(body)
    body = Data()
  }

  // MARK: The end

  /// Handles the end of a complete response.
  private func finish(isReusable: Bool) {
    let task = release()
    if life.finish(isReusable: isReusable) { loader?.keep(self) } else { close() }
    if isFollowed { task?.follow() } else { task?.end(nil) }
  }

  private func end(_ verdict: ConnectionLife.Verdict) {
    let task = release()
    close()
    switch verdict {
    case .nothing: break
    case .repeatRequest: task?.repeatRequest()
    case .failed(let error): task?.end(error)
    }
  }

  private func release() -> SocketTask? {
    defer { task = nil }
    task?.connection = nil
    return task
  }

  private func close() {
    closeAttempts()
    socket?.close()
    socket = nil
    unparsed = []
    loader?.lookup.callOff(endpoint, for: self)
    loader?.forget(self)
  }

  private func madeProgress() {
    guard let task else { return }
    let deadline = ContinuousClock.now + .seconds(task.request.timeoutSeconds)
    self.deadline = deadline
    loader?.watch(deadline)
  }
}
