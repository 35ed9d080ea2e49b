import Dispatch

/// What the parts of one bus share. The bus owns it, and so does a delivery that is still on its way.
final class BusCore: Sendable {
  let runtime: any Runtime
  let channels = Locked<[ObjectIdentifier: any AnyObject & Sendable]>([:])
  private let onFailure: (@Sendable (HandlerFailure) -> Void)?
  private let lanes = Locked<[ObjectIdentifier: WeakLane]>([:])

  init(runtime: any Runtime, onFailure: (@Sendable (HandlerFailure) -> Void)?) {
    self.runtime = runtime
    self.onFailure = onFailure
  }

  /// The lane for a way of delivery; nil means inline.
  func lane(for delivery: Delivery) -> Lane? {
    switch delivery {
    case .posting: return nil
    case .main: return lane(on: runtime.main, id: ObjectIdentifier(runtime.main))
    case .queue(let queue):
      precondition(
        runtime is DispatchRuntime,
        "Delivery on a queue needs the runtime of Dispatch; subscribe with .scheduler(runtime.serial(…)) instead.")
      return lane(on: DispatchScheduler(queue, isSerial: true), id: ObjectIdentifier(queue))
    case .scheduler(let scheduler): return lane(on: scheduler, id: ObjectIdentifier(scheduler))
    }
  }

  private func lane(on scheduler: any Scheduler, id: ObjectIdentifier) -> Lane {
    // On a concurrent scheduler a lane for each subscription: no handler beside itself, no waiting for a slow neighbour.
    guard scheduler.isSerial else { return Lane(scheduler, core: self) }
    return lanes.withLock { table in
      if let lane = table[id]?.lane { return lane }
      if table.count > 64 { table = table.filter { $0.value.lane != nil } }
      let lane = Lane(scheduler, core: self)
      table[id] = WeakLane(lane: lane)
      return lane
    }
  }

  func report(_ failure: HandlerFailure) {
    if let onFailure { return onFailure(failure) }
    StandardError.write(
      "\(failure.fileID):\(failure.line): a handler of \(type(of: failure.event)) threw: \(failure.error)\n")
  }
}

private struct WeakLane: Sendable {
  weak let lane: Lane?
}
