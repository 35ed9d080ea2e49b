import Dispatch
import EventBus

/// Every way to be called.
enum DeliveryMode: CaseIterable {
  case posting, main, queue, serial, concurrent

  static let queued = allCases.filter { $0 != .posting }

  /// A place of its own for each call, but for the main queue.
  var delivery: Delivery {
    switch self {
    case .posting: .posting
    case .main: .main
    case .queue: .queue(DispatchQueue(label: "place"))
    case .serial: .scheduler(DispatchRuntime.shared.serial("place"))
    case .concurrent: .scheduler(DispatchRuntime.shared.workers)
    }
  }
}
