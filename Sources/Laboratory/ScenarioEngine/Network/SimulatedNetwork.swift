import EventBus
import FetcherModel
import Foundation
import OriginServer
import ScenarioFormat

/// A network that responds according to a scenario's script, using timers instead of sockets.
final class SimulatedNetwork: ScenarioNetwork {
  private struct State {
    var origin: ScenarioOrigin
    /// The number of requests, keyed by path.
    var requests: [ScenarioPath: Int] = [:]
  }

  let base = ScenarioOrigin.simulatedAddress
  let addresses: [String: String]
  private let state: Locked<State>
  private let runtime: any Runtime
  private let completions: any Scheduler
  private let names: ItemNames

  /// - Parameters:
  ///   - origin: the content of the origin at the start of its scenario.
  ///   - completions: the scheduler that delivers responses, or nil for a new serial scheduler of the runtime.
  ///   - names: a value that names the completions.
  init(
    _ origin: ScenarioOrigin, _ runtime: any Runtime, completions: (any Scheduler)? = nil,
    names: ItemNames = ItemNames()
  ) {
    addresses = origin.addresses
    state = Locked(State(origin: origin))
    self.runtime = runtime
    self.names = ItemNames(runtime: names.runtime, addresses: origin.addresses)
    self.completions = completions ?? runtime.serial("network")
  }

  var loader: any NetworkLoader {
    SimulatedLoader(runtime, completions: completions, names) { [self] url, headers in
      state.withLock { state in
        guard let target = state.origin.targets.target(of: url) else { return .unknownHost }
        let path: ScenarioPath
        switch target.reading {
        case .refused(let response): return state.origin.simulated(response)
        case .path(let plain): path = state.origin.path(spelledBy: target) ?? ScenarioPath(plain.text)
        }
        defer { state.requests[path, default: 0] += 1 }
        return state.origin.answer(path, number: state.requests[path] ?? 0, headers)
      }
    }
  }

  func id(ofPicture bytes: Data, of image: String?) -> String? {
    state.withLock { $0.origin.pictures.id(of: bytes, of: image) }
  }

  func perform(_ action: Scenario.Action) {
    state.withLock { state in
      let requests = state.requests
      state.origin.perform(action) { requests[$0] ?? 0 }
    }
  }
}
