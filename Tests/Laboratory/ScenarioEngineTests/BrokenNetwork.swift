import EventBus
import FetcherModel
import Foundation
import SocketStrategy

@testable import ScenarioEngine
@testable import ScenarioFormat

/// A simulated network with defects that no server can provoke.
struct BrokenNetwork: ScenarioNetwork {
  enum Mistake: Sendable {
    /// The network never ends a request, even if the request is cancelled.
    case silence
    /// The network waits for a gate that never opens.
    case deadlock
    /// The network schedules itself without end, while virtual time stands still.
    case livelock
    /// The network works on threads outside the runtime.
    case escape
  }

  let mistake: Mistake
  let simulated: SimulatedNetwork
  let runtime: any Runtime

  var base: String { simulated.base }
  var loader: any NetworkLoader { BrokenLoader(mistake: mistake, base: simulated.loader, runtime: runtime) }
  var addresses: [String: String] { simulated.addresses }
  func id(ofPicture bytes: Data, of image: String?) -> String? { simulated.id(ofPicture: bytes, of: image) }
  func perform(_ action: Scenario.Action) { simulated.perform(action) }
}

private struct BrokenLoader: NetworkLoader, SocketTasks {
  let mistake: BrokenNetwork.Mistake
  let base: any NetworkLoader
  let runtime: any Runtime

  func contents(of url: URL) throws(NetworkError) -> Data {
    guard begin() else { throw NetworkError(code: 256) }
    return try base.contents(of: url)
  }

  func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    begin() ? base.dataTask(request, delegate: delegate) : Nothing()
  }

  func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    begin() ? base.downloadTask(request, delegate: delegate) : Nothing()
  }

  func socketTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    begin() ? base.sockets.socketTask(request, delegate: delegate) : Nothing()
  }

  /// Makes the mistake, and returns whether the request continues.
  private func begin() -> Bool {
    switch mistake {
    case .silence: return false
    case .deadlock:
      runtime.gate().wait()
      return false
    case .livelock:
      again()
      return true
    case .escape:
      let outside = DispatchRuntime.shared
      let done = outside.gate()
      outside.workers.schedule { [runtime] in
        runtime.main.schedule {}
        done.open()
      }
      done.wait()
      return true
    }
  }

  private func again() { runtime.workers.schedule { again() } }
}

private struct Nothing: Cancellation {
  func cancel() {}
}
