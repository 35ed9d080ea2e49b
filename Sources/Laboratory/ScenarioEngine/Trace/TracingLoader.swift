import EventBus
import FetcherModel
import Foundation
import ScenarioFormat
import SocketStrategy

/// A network that records each request and forwards it to another network.
struct TracingLoader: NetworkLoader, SocketTasks {
  let base: any NetworkLoader
  let recorder: TraceRecorder
  /// Maps requests to images.
  let owners: RequestOwners
  /// The lowercase names of the header fields that patterns mention.
  let watched: Set<String>
  let networkUse: NetworkUse?

  /// A blocking read occupies its worker from start to end, so both of its events are in the workers' lane. All other
  /// requests are in the origin's lane.
  func contents(of url: URL) throws(NetworkError) -> Data {
    var values = values(of: url)
    let number = recorder.record(.requestBegin, values, lane: .workers, request: nil)
    do throws(NetworkError) {
      let data = try base.contents(of: url)
      recorder.record(.requestEnd, values, lane: .workers, request: number)
      return data
    } catch {
      values[.error] = Self.category(error)
      recorder.record(.requestEnd, values, lane: .workers, request: number)
      throw error
    }
  }

  func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    let delegate = begin(request, delegate)
    return TracingTask(base: base.dataTask(request, delegate: delegate), delegate: delegate)
  }

  func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    let delegate = begin(request, delegate)
    return TracingTask(base: base.downloadTask(request, delegate: delegate), delegate: delegate)
  }

  func socketTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    let delegate = begin(request, delegate)
    return TracingTask(base: base.sockets.socketTask(request, delegate: delegate), delegate: delegate)
  }

  private func begin(_ request: NetworkRequest, _ delegate: any NetworkTaskDelegate) -> TracingDelegate {
    let values = values(of: request.url)
    var begin = values
    begin[.header] = lines(of: request.headers)
    let number = recorder.record(.requestBegin, begin, lane: .origin, request: nil)
    return TracingDelegate(delegate, recorder, values, number, lines: lines)
  }

  func removeTemporaryFiles() { base.removeTemporaryFiles() }

  /// The attributes of a request that starts now.
  private func values(of url: URL) -> TraceValues {
    networkUse?.use()
    var values: TraceValues = [.path: ScenarioPath.path(of: url).text]
    values[.image] = owners.owner(of: url)
    return values
  }

  /// The header fields that patterns mention, or nil if there are none.
  private func lines(of headers: HTTPHeaders) -> String? {
    let lines = headers.filter { watched.contains($0.name.lowercased()) }.map { "\($0.name.lowercased()): \($0.value)" }
    return lines.isEmpty ? nil : lines.sorted().joined(separator: "\n")
  }

  fileprivate static func category(_ error: NetworkError) -> String {
    error.asFetchError.category.rawValue
  }
}

/// A task that records its cancellation and forwards it.
private struct TracingTask: Cancellation {
  let base: any Cancellation
  let delegate: TracingDelegate

  func cancel() {
    delegate.abandon()
    base.cancel()
  }
}

/// Forwards each callback, and records when the request ends and when the client abandons it.
private final class TracingDelegate: NetworkTaskDelegate {
  private let base: any NetworkTaskDelegate
  private let recorder: TraceRecorder
  /// The attributes of the request.
  private let known: Locked<TraceValues>
  private let number: Int?
  private let lines: @Sendable (HTTPHeaders) -> String?

  /// - Parameters:
  ///   - number: the request's number.
  ///   - lines: a closure that returns the header fields of a response to record in the trace.
  init(
    _ base: any NetworkTaskDelegate, _ recorder: TraceRecorder, _ values: TraceValues, _ number: Int?,
    lines: @escaping @Sendable (HTTPHeaders) -> String?
  ) {
    self.base = base
    self.lines = lines
    self.number = number
    self.recorder = recorder
    known = Locked(values)
  }

  func abandon() { recorder.abandon(number) }

  func received(_ response: NetworkResponse) {
    let header = lines(response.headers)
    known.withLock { known in
      known[.status] = String(response.status)
      known[.header] = header
    }
    // The fetch has failed, regardless of the body that follows the head.
    if response.status >= 300 { abandon() }
    base.received(response)
  }

  func received(_ bytes: Data) { base.received(bytes) }
  func progressed(_ received: Int) { base.progressed(received) }
  func downloaded(_ file: DownloadedFile) { base.downloaded(file) }
  func shouldFollow(_ target: URL, status: Int) -> Bool { base.shouldFollow(target, status: status) }

  func challenged(status code: Int) {
    known.withLock { $0[.status] = String(code) }
    base.challenged(status: code)
  }

  func finished(_ error: NetworkError?) {
    var values = known.withLock { $0 }
    // The body of an error response is never read, so whether it arrives before the task ends is a race.
    if values[.status]?.hasPrefix("2") != false { values[.error] = error.map(TracingLoader.category) }
    recorder.record(.requestEnd, values, lane: .origin, request: number)
    base.finished(error)
  }
}

/// Maps a request to its image. If several images share an address, the request belongs to the image with the oldest
/// fetch in flight. Safe to use from any thread.
final class RequestOwners: Sendable {
  private struct Owner {
    let id: String
    weak var image: IFImage?
  }

  private struct State {
    /// The owners, in the order in which their fetches began.
    var owners: [URL: [Owner]] = [:]
    var declared: [URL: String] = [:]
  }

  private let state = Locked(State())

  /// Declares that requests for the address belong to the image, unless ``willRead(_:)`` has reported an image at the
  /// address.
  func declare(_ id: String, at address: String) {
    guard let url = URL(string: address) else { return }
    state.withLock { $0.declared[url] = id }
  }

  /// Records that the image is about to be read. If no fetch of the image is in flight, this read may start one.
  func willRead(_ image: IFImage) {
    guard !image.isFetching, let url = URL(string: image.url) else { return }
    let id = image.name
    state.withLock { state in
      state.owners[url, default: []].removeAll { $0.id == id }
      state.owners[url, default: []].append(Owner(id: id, image: image))
    }
  }

  /// The image that owns a request that starts now. If no image at the address is being fetched, this is the image that
  /// was fetched last.
  func owner(of url: URL) -> String? {
    // Return the owners from the locked section, so that their images are queried, and possibly released, outside it.
    let (owners, declared) = state.withLock { state in
      ((state.owners[url] ?? []).map { (id: $0.id, image: $0.image) }, state.declared[url])
    }
    return (owners.first { $0.image?.isFetching == true } ?? owners.last)?.id ?? declared
  }
}
