package import Dispatch

/// A connected or connecting socket with its event sources. Use it only on its queue. Its owner closes it; the
/// descriptor closes after the sources.
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
  /// The action that waits until the socket is writable.
  private var writer: (@Sendable () -> Void)?
  private var isClosed = false

  /// - Parameter onClosed: called once, on any thread, after the descriptor is closed.
  package init(_ descriptor: Int32, queue: DispatchQueue, onClosed: @escaping @Sendable () -> Void) {
    self.descriptor = descriptor
    self.queue = queue
    self.onClosed = onClosed
  }

  /// Calls the action once at the start, then for new bytes or the end, while reading is enabled.
  ///
  /// On Linux, Dispatch reports a reset or the end of both directions once, and nothing after it. If that report goes
  /// only to the write source, the call at the start is the only one that detects it.
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

  /// Calls the action once after the delay. Only one delay can run. All calls use the first call's action.
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

  /// Sends from the offset, and advances it.
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

  /// Whether a finished connection attempt succeeded.
  package var hasConnected: Bool { System.hasConnected(descriptor) }

  package func endSending() { System.endSending(descriptor) }

  /// Closes the connection. This side stops using it immediately. The descriptor closes when its event sources have
  /// released it. Later calls do nothing.
  package func close(reset: Bool = false) {
    guard !isClosed else { return }
    isClosed = true
    if reset { System.resetOnClose(descriptor) }
    timer?.cancel()
    readSource?.cancel()
    writeSource?.cancel()
    // Dispatch does not run the cancel handler of a suspended source.
    if !reads { readSource?.resume() }
    if writer.take() == nil { writeSource?.resume() }
    sources.notify(queue: queue) { [descriptor, onClosed] in
      System.closeDescriptor(descriptor)
      onClosed()
    }
  }
}

extension Duration {
  /// A time in the past counts as none. The maximum is one year.
  package var dispatchInterval: DispatchTimeInterval {
    let year = Duration.seconds(365 * 24 * 3600)
    let (seconds, attoseconds) = Swift.min(Swift.max(self, .zero), year).components
    return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
