import Dispatch
import Foundation
import HTTPWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Accepts connections and deals them out to the lanes.
///
/// Unchecked because Dispatch declares no source `Sendable`; the rest is confined to the queue or constant.
final class Listener: @unchecked Sendable {
  private let queue = DispatchQueue(label: "origin.accept")
  private let source: any DispatchSourceRead
  private let sweeping: any DispatchSourceTimer
  private let descriptor: Int32
  private let lanes: [Lane]
  /// Everything that is open: the listening socket and each connection.
  private let open = DispatchGroup()
  private var next = 0

  init(socket: ListeningSocket, core: ServerCore) {
    let open = open
    let count = min(4, max(2, ProcessInfo.processInfo.activeProcessorCount))
    lanes = (0..<count).map { Lane(number: $0, core: core, open: open) }
    // One for all connections, and made before they can use up the descriptors: all timers of Dispatch share that of the
    // first.
    sweeping = DispatchSource.makeTimerSource(queue: queue)
    let descriptor = socket.descriptor
    self.descriptor = descriptor
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    let interval = max(.milliseconds(10), min(.seconds(1), min(core.policy.headTimeout, core.policy.idleTimeout) / 4))
    sweeping.schedule(deadline: .now() + interval.dispatchInterval, repeating: interval.dispatchInterval)
    sweeping.setEventHandler { [lanes] in for lane in lanes { lane.sweep() } }
    sweeping.activate()

    open.enter()
    source.setEventHandler { [weak self] in self?.acceptAll() }
    source.setCancelHandler {
      System.closeDescriptor(descriptor)
      open.leave()
    }
    source.activate()
  }

  /// Closes everything and waits for it.
  func stop() {
    source.cancel()
    sweeping.cancel()
    for lane in lanes { lane.stop() }
    open.wait()
  }

  private func acceptAll() {
    while !source.isCancelled {
      if let connection = System.acceptConnection(descriptor) {
        open.enter()
        lanes[next].adopt(connection)
        next = (next + 1) % lanes.count
        continue
      }
      switch System.error {
      case EINTR, ECONNABORTED: continue
      case EAGAIN: return
      default:
        // Without free descriptors, the waiting connection would raise the event again at once, and for ever. No timer:
        // on Linux, Dispatch cannot make its first one without a descriptor either.
        usleep(20_000)
        return
      }
    }
  }
}
