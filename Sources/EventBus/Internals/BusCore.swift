import Dispatch
import Synchronization

/// What the parts of one bus share. The bus owns it, and so does a delivery that is still on its way.
@usableFromInline
final class BusCore: Sendable {
  let runtime: any Runtime
  private let frames = FrameRegistry.shared
  @usableFromInline let channels = ChannelTable()
  @usableFromInline let isTracing: Bool
  private let trace: (@Sendable (TraceEvent) -> Void)?
  private let onFailure: (@Sendable (HandlerFailure) -> Void)?
  private let lanes = Locked(Lanes())
  @usableFromInline let idle = IdleWatch()

  init(
    runtime: any Runtime, onFailure: (@Sendable (HandlerFailure) -> Void)?, trace: (@Sendable (TraceEvent) -> Void)?
  ) {
    self.runtime = runtime
    self.onFailure = onFailure
    self.trace = trace
    isTracing = trace != nil
  }

  // MARK: Lanes

  /// The lane for a way of delivery; nil means inline.
  func lane(for delivery: Delivery) -> Lane? {
    switch delivery {
    case .posting: return nil
    case .main: return lane(on: runtime.main)
    case .queue(let queue):
      precondition(
        runtime is DispatchRuntime,
        "Delivery on a queue needs the runtime of Dispatch; subscribe with .scheduler(runtime.serial(…)) instead.")
      return lane(on: DispatchScheduler(queue, isSerial: true))
    case .scheduler(let scheduler): return lane(on: scheduler)
    }
  }

  private func lane(on scheduler: any Scheduler) -> Lane {
    let id = scheduler.place
    if scheduler.isSerial, let lane = lanes.withLock({ $0.table[id]?.lane }) { return lane }
    let made = Lane(scheduler, core: self)
    let (lane, seen) = lanes.withLock { lanes in
      // On a concurrent scheduler a lane for each subscription: no handler beside itself, no waiting for a slow neighbour.
      if made.isSerial, let lane = lanes.table[id]?.lane { return (lane, []) }
      return (made, lanes.insert(made, made.isSerial ? id : ObjectIdentifier(made)))
    }
    withExtendedLifetime(seen) {}
    return lane
  }

  // MARK: Frames

  /// A frame for a delivery on this thread; nil if the thread is delivering for this bus already.
  @usableFromInline
  func beginFrame() -> Frame? {
    let root = frames.root
    if root.storage.pointee.bus == nil {
      root.storage.pointee.bus = address
      return root
    }
    if currentFrame(from: root) != nil { return nil }
    return beginInnerFrame()
  }

  /// A frame of this thread, whatever it is doing.
  @usableFromInline
  func beginInnerFrame() -> Frame {
    var frame = frames.root
    while frame.storage.pointee.bus != nil { frame = frames.inner(of: frame) }
    frame.storage.pointee.bus = address
    return frame
  }

  /// The innermost frame in which this thread delivers for this bus.
  var currentFrame: Frame? { currentFrame(from: frames.root) }

  private func currentFrame(from root: Frame) -> Frame? {
    var found: Frame?
    var next: Frame? = root
    while let frame = next, frame.storage.pointee.bus != nil {
      if frame.storage.pointee.bus == address { found = frame }
      next = frame.storage.pointee.inner
    }
    return found
  }

  /// Delivers what was posted meanwhile, then frees the frame.
  @inlinable
  func end(_ frame: Frame) {
    if frame.storage.pointee.hasWaiting { frame.deliverWaiting() }
    free(frame)
  }

  @usableFromInline
  func free(_ frame: Frame) { frame.storage.pointee.bus = nil }

  private var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

  // MARK: Hooks

  func report(_ failure: HandlerFailure) {
    if let onFailure { return onFailure(failure) }
    StandardError.write(
      "\(failure.fileID):\(failure.line): a handler of \(type(of: failure.event)) threw: \(failure.error)\n")
  }

  @usableFromInline
  func emit(
    _ kind: TraceEvent.Kind, _ type: any Event.Type, _ subscription: UInt64?, _ fileID: StaticString, _ line: UInt
  ) {
    trace?(
      TraceEvent(
        kind: kind, time: runtime.now, thread: ThisThread.id, type: type, subscription: subscription, fileID: fileID,
        line: line))
  }

  // MARK: Draining

  /// Whether an accepted delivery is unhandled: one that waits somewhere, or a thread that is in one of the channels.
  var isBusy: Bool {
    let numbers = Set(channels.all.map(\.number))
    var isDelivering = false
    frames.forEach { frame in
      let channel = frame.channel
      if channel != 0, numbers.contains(channel) { isDelivering = true }
    }
    return isDelivering || idle.isPending
  }

  /// Returns the first time that nothing accepted is unhandled.
  func drain() async {
    await withCheckedContinuation { continuation in
      idle.add(continuation)
      // After that, so that who cancels later discards his own.
      for lane in lanes.withLock({ $0.table.values.compactMap(\.lane) }) { lane.discardDead() }
      checkIdle()
    }
    // Once more, for the thread sanitizer: it does not see that a continuation which was resumed early comes after the handlers.
    _ = isBusy
  }

  /// Something that waited was handled.
  func settle() {
    idle.settle()
    checkIdle()
  }

  /// To be called after something was handled or cancelled, with no lock held.
  @usableFromInline
  func checkIdle() { idle.resumeIfIdle(self) }
}

/// The lanes that somebody uses.
private struct Lanes: Sendable {
  struct Reference: Sendable {
    weak let lane: Lane?
  }

  private(set) var table: [ObjectIdentifier: Reference] = [:]
  private var limit = 64

  /// Returns lanes to be let go of outside the lock: nobody else may hold them any more.
  mutating func insert(_ lane: Lane, _ id: ObjectIdentifier) -> [Lane] {
    var seen: [Lane] = []
    if table.count >= limit {
      table = table.filter { entry in
        guard let lane = entry.value.lane else { return false }
        seen.append(lane)
        return true
      }
      limit = max(64, table.count * 2)
    }
    table[id] = Reference(lane: lane)
    return seen
  }
}

extension Scheduler {
  /// The same for all schedulers that run on the same queue.
  var place: ObjectIdentifier {
    (self as? DispatchScheduler).map { ObjectIdentifier($0.place) } ?? ObjectIdentifier(self)
  }
}
