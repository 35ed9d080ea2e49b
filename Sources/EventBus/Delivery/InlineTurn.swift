#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// One thread delivering one event of one bus. What its handlers post inline waits here, so that a chain of posts is breadth
/// first and needs no more stack than a single one. Confined to its thread.
final class InlineTurn {
  private let bus: BusCore
  private var waiting: [() -> Void] = []

  private init(_ bus: BusCore) { self.bus = bus }

  /// Runs `delivery` now, or after the event that this thread is delivering for this bus.
  static func deliver(_ bus: BusCore, _ delivery: @escaping () -> Void) {
    let turns = Turns.ofThisThread
    if let turn = turns.running.last(where: { $0.bus === bus }) {
      turn.waiting.append(delivery)
      return
    }
    let turn = InlineTurn(bus)
    turns.running.append(turn)
    defer { turns.running.removeLast() }
    delivery()
    turn.deliverWaiting()
  }

  private func deliverWaiting() {
    while !waiting.isEmpty {
      let batch = waiting
      waiting = []
      batch.forEach { $0() }
    }
  }

  /// Whether this thread is inside the bus's hook for unhandled events.
  static func isReportingUnhandled(_ bus: BusCore) -> Bool {
    Turns.ofThisThread.reportingUnhandled.contains { $0 === bus }
  }

  /// Calls the hook; what it posts in vain is not reported again.
  static func reportUnhandled(_ bus: BusCore, _ hook: () -> Void) {
    let turns = Turns.ofThisThread
    turns.reportingUnhandled.append(bus)
    defer { turns.reportingUnhandled.removeLast() }
    hook()
  }
}

/// The turns that a thread is in: one for each bus, innermost last.
private final class Turns {
  var running: [InlineTurn] = []
  var reportingUnhandled: [BusCore] = []

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key) { pointer in
      #if canImport(Darwin)
        Unmanaged<Turns>.fromOpaque(pointer).release()
      #else
        if let pointer { Unmanaged<Turns>.fromOpaque(pointer).release() }
      #endif
    }
    precondition(status == 0, "The process has no thread-local key left.")
    return key
  }()

  static var ofThisThread: Turns {
    if let pointer = pthread_getspecific(key) { return Unmanaged<Turns>.fromOpaque(pointer).takeUnretainedValue() }
    let turns = Turns()
    pthread_setspecific(key, Unmanaged.passRetained(turns).toOpaque())
    return turns
  }
}
