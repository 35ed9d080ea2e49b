import EventBus
import FetcherModel
import Foundation

/// A network that writes down each request that goes to another network.
struct TracingLoader: NetworkLoader {
  let base: any NetworkLoader
  let recorder: TraceRecorder
  /// Who knows whose request it is.
  let owners: RequestOwners

  func contents(of url: URL) throws(NetworkError) -> Data {
    let values = values(of: url)
    recorder.record(.requestBegin, values)
    do throws(NetworkError) {
      let data = try base.contents(of: url)
      recorder.record(.requestEnd, values)
      return data
    } catch {
      recorder.record(.requestEnd, values.merging([.error: Self.category(error)]) { $1 })
      throw error
    }
  }

  func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    let values = values(of: request.url)
    recorder.record(.requestBegin, values)
    return base.dataTask(request, delegate: TracingDelegate(delegate, recorder, values))
  }

  func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    let values = values(of: request.url)
    recorder.record(.requestBegin, values)
    return base.downloadTask(request, delegate: TracingDelegate(delegate, recorder, values))
  }

  func sweep() { base.sweep() }

  private func values(of url: URL) -> [TraceAttribute: String] {
    var values: [TraceAttribute: String] = [.path: ScenarioPath.path(of: url).text]
    values[.image] = owners.owner(of: url)
    return values
  }

  fileprivate static func category(_ error: NetworkError) -> String {
    Scenario.ErrorCategory(error.asFetchError).rawValue
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
    values[.status] = status.withLock { $0 }.map(String.init)
    values[.error] = error.map(TracingLoader.category)
    recorder.record(.requestEnd, values)
    base.finished(error)
  }
}

extension Scenario.ErrorCategory {
  /// The category of an error.
  init(_ error: FetchError) {
    self =
      switch error {
      case .invalidURL: .invalidURL
      case .blockedByTransportPolicy: .blockedByTransportPolicy
      case .badStatus: .badStatus
      case .emptyBody: .emptyBody
      case .notAnImage: .notAnImage
      case .truncated: .truncated
      case .tooLarge: .tooLarge
      case .timedOut: .timedOut
      case .transport: .transport
      case .cancelled: .cancelled
      case .catalogue, .missingConfiguration:
        preconditionFailure("Internal inconsistency: \(error) does not come of a fetch")
      }
  }
}
