import EventBus
import FetcherModel
import Foundation
import ScenarioFormat

/// A network that writes down each request that goes to another network.
struct TracingLoader: NetworkLoader {
  let base: any NetworkLoader
  let recorder: TraceRecorder
  /// Who knows whose request it is.
  let owners: RequestOwners

  /// A blocking read keeps its worker from the beginning to the end: that is where both are recorded. All other requests are the
  /// origin's business.
  func contents(of url: URL) throws(NetworkError) -> Data {
    let values = values(of: url)
    recorder.record(.requestBegin, values, lane: .workers)
    do throws(NetworkError) {
      let data = try base.contents(of: url)
      recorder.record(.requestEnd, values, lane: .workers)
      return data
    } catch {
      recorder.record(.requestEnd, values.merging([.error: Self.category(error)]) { $1 }, lane: .workers)
      throw error
    }
  }

  func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    base.dataTask(request, delegate: begin(request, delegate))
  }

  func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    base.downloadTask(request, delegate: begin(request, delegate))
  }

  func socketTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    base.socketTask(request, delegate: begin(request, delegate))
  }

  private func begin(_ request: NetworkRequest, _ delegate: any NetworkTaskDelegate) -> TracingDelegate {
    let values = values(of: request.url)
    recorder.record(.requestBegin, values, lane: .origin)
    return TracingDelegate(delegate, recorder, values)
  }

  func sweep() { base.sweep() }

  private func values(of url: URL) -> [TraceAttribute: String] {
    var values: [TraceAttribute: String] = [.path: ScenarioPath.path(of: url).text]
    values[.image] = owners.owner(of: url)
    return values
  }

  fileprivate static func category(_ error: NetworkError) -> String {
    error.asFetchError.category.rawValue
  }
}

/// Passes everything on, and writes down the end.
private final class TracingDelegate: NetworkTaskDelegate {
  private let base: any NetworkTaskDelegate
  private let recorder: TraceRecorder
  private let values: [TraceAttribute: String]
  private let status = Locked<Int?>(nil)

  init(_ base: any NetworkTaskDelegate, _ recorder: TraceRecorder, _ values: [TraceAttribute: String]) {
    self.base = base
    self.recorder = recorder
    self.values = values
  }

  func received(_ response: NetworkResponse) {
    let code = response.status
    status.withLock { $0 = code }
    base.received(response)
  }

  func received(_ bytes: Data) { base.received(bytes) }
  func progressed(_ received: Int) { base.progressed(received) }
  func downloaded(_ file: DownloadedFile) { base.downloaded(file) }
  func shouldFollow(_ target: URL, status: Int) -> Bool { base.shouldFollow(target, status: status) }

  func challenged(status code: Int) {
    status.withLock { $0 = code }
    base.challenged(status: code)
  }

  func finished(_ error: NetworkError?) {
    var values = values
    let status = status.withLock { $0 }
    values[.status] = status.map(String.init)
    // Nobody reads the page of an error: whether its last byte or the end of the task comes first is left to chance.
    if status.map({ (200..<300).contains($0) }) != false { values[.error] = error.map(TracingLoader.category) }
    recorder.record(.requestEnd, values, lane: .origin)
    base.finished(error)
  }
}
