import EventBus
import FetcherModel
import Foundation
import SocketStrategy

/// The real network. It counts the tasks that start and records how they end.
final class WatchingLoader: NetworkLoader, SocketTasks {
  private struct State {
    var begun = 0
    var ends: [NetworkError?] = []
  }

  private final class Watch: NetworkTaskDelegate {
    let base: any NetworkTaskDelegate
    let owner: WatchingLoader

    init(_ base: any NetworkTaskDelegate, _ owner: WatchingLoader) {
      self.base = base
      self.owner = owner
      owner.state.withLock { $0.begun += 1 }
    }

    func received(_ response: NetworkResponse) { base.received(response) }
    func received(_ bytes: Data) { base.received(bytes) }
    func progressed(_ received: Int) { base.progressed(received) }
    func downloaded(_ file: DownloadedFile) { base.downloaded(file) }
    func shouldFollow(_ target: URL, status: Int) -> Bool { base.shouldFollow(target, status: status) }
    func challenged(status: Int) { base.challenged(status: status) }

    func finished(_ error: NetworkError?) {
      base.finished(error)
      owner.state.withLock { $0.ends.append(error) }
    }
  }

  private let state = Locked(State())

  var begun: Int { state.withLock { $0.begun } }
  var ends: [NetworkError?] { state.withLock { $0.ends } }

  func contents(of url: URL) throws(NetworkError) -> Data { try SystemLoader.shared.contents(of: url) }

  func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    SystemLoader.shared.dataTask(request, delegate: Watch(delegate, self))
  }

  func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    SystemLoader.shared.downloadTask(request, delegate: Watch(delegate, self))
  }

  func socketTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    SocketLoader.shared.socketTask(request, delegate: Watch(delegate, self))
  }
}
