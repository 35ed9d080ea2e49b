package import Dispatch

/// A connected or connecting socket with its event sources. Use it only on its queue. The owner must close the
/// connection. The event sources are cancelled before the descriptor is closed.
package final class ConnectionSocket {
  package enum Received {
    case bytes(UnsafeRawBufferPointer)
    case nothing, end, failed
  }

  package enum Sent {
    case all, blocked, failed
  }

  private let descriptor: Int32
  private let queue: DispatchQueue
  private let onClosed: @Sendable () -> Void
  private let sources = DispatchGroup()
  private var readSource: (any DispatchSourceRead)?
  private var writeSource: (any DispatchSourceWrite)?
  private var timer: (any DispatchSourceTimer)?
  private var reads = false
  /// The action to call when the socket becomes writable.
  private var writer: (@Sendable () -> Void)?
  private var isClosed = false

  /// - Parameter onClosed: a closure that is called once, on any thread, after the descriptor is closed.
  package init(_ descriptor: Int32, queue: DispatchQueue, onClosed: @escaping @Sendable () -> Void) {
    self.descriptor = descriptor
    self.queue = queue
    self.onClosed = onClosed
  }

  /// Calls the action once at the start. While reading is enabled, also calls it when bytes arrive or the input ends.
  ///
  /// On Linux, Dispatch reports a reset or the end of both directions only once, and reports nothing after it. If only
  /// the write source receives that report, only the initial call can detect the event.
  package func startReading(_ action: @escaping @Sendable () -> Void) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    sources.enter()
    source.setRegistrationHandler(handler: action)
    source.setEventHandler(handler: action)
    source.setCancelHandler { [sources] in sources.leave() }
    readSource = source
    reads = true
    source.activate()
  }

  package var isReading: Bool { reads && !isClosed }

  package func setReading(_ reads: Bool) {
    guard reads != self.reads, !isClosed else { return }
    self.reads = reads
    if reads { readSource?.resume() } else { readSource?.suspend() }
  }

  /// Calls the action once when the socket is writable.
  package func whenWritable(_ action: @escaping @Sendable () -> Void) {
    guard writer == nil, !isClosed else { return }
    writer = action
    if let writeSource { return writeSource.resume() }
    let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
    sources.enter()
    source.setEventHandler { [weak self] in
      guard let self, !isClosed, let action = writer.take() else { return }
      writeSource?.suspend()
      action()
    }
    source.setCancelHandler { [sources] in sources.leave() }
    writeSource = source
    source.activate()
  }

  /// Calls the action once after the delay. Only one delay can be active at a time. All calls use the first call's
  /// action.
  package func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) {
    guard !isClosed else { return }
    let source = timer ?? makeTimer(action)
    source.schedule(deadline: .now() + delay.dispatchInterval)
  }

  private func makeTimer(_ action: @escaping @Sendable () -> Void) -> any DispatchSourceTimer {
    let source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler(handler: action)
    source.schedule(deadline: .distantFuture)
    source.activate()
    timer = source
    return source
  }

  package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Received {
    let count = System.receiveBytes(descriptor, buffer)
    if count > 0 { return .bytes(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
    if count == 0 { return .end }
    return System.wouldBlock(System.error) ? .nothing : .failed
  }

  /// Sends bytes from the offset onward, and advances the offset.
  package func send(_ bytes: [UInt8], from offset: inout Int) -> Sent {
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes { System.sendBytes(descriptor, .init(rebasing: $0[offset...])) }
      if count >= 0 {
        offset += count
      } else if System.wouldBlock(System.error) {
        return .blocked
      } else {
        return .failed
      }
    }
    return .all
  }

  /// Whether a completed connection attempt succeeded.
  package var hasConnected: Bool { System.hasConnected(descriptor) }

  package func endSending() { System.endSending(descriptor) }

  /// Closes the connection. This side stops using the connection immediately. The descriptor is closed after the event
  /// sources have released it. Later calls do nothing.
  package func close(reset: Bool = false) {
    guard !isClosed else { return }
    isClosed = true
    if reset { System.resetOnClose(descriptor) }
    timer?.cancel()
    readSource?.cancel()
    writeSource?.cancel()
    // Dispatch does not run the cancellation handler of a suspended source.
    if !reads { readSource?.resume() }
    if writer.take() == nil { writeSource?.resume() }
    sources.notify(queue: queue) { [descriptor, onClosed] in
      System.closeDescriptor(descriptor)
      onClosed()
    }
  }
}

extension Duration {
  /// The duration as a Dispatch interval. A negative duration becomes zero, and the maximum is one year.
  package var dispatchInterval: DispatchTimeInterval {
    let year = Duration.seconds(365 * 24 * 3600)
    let (seconds, attoseconds) = Swift.min(Swift.max(self, .zero), year).components
    return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
