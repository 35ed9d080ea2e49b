import EventBus
import FetcherModel
import Foundation

/// A network without a network: answers come from a script, and take their time on the runtime's clock.
final class SimulatedLoader: NetworkLoader {
  private let runtime: any Runtime
  /// Where everything is told, as Foundation tells it on the one queue of a session.
  private let lane: any Scheduler
  private let answer: @Sendable (URL) -> SimulatedAnswer

  /// - Parameter answer: what becomes of the next request for an address.
  init(_ runtime: any Runtime, answer: @escaping @Sendable (URL) -> SimulatedAnswer) {
    self.runtime = runtime
    self.answer = answer
    lane = runtime.serial("network")
  }

  func contents(of url: URL) throws(NetworkError) -> Data {
    let answer = answer(url)
    let gate = runtime.gate()
    _ = lane.schedule(after: answer.duration) { gate.open() }
    gate.wait()
    // A blocking read knows no more than that it failed, and does not tell redirects from pages.
    guard answer.error == nil, let status = answer.status, status < 400 else { throw NetworkError(code: 256) }
    return answer.body
  }

  func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    start(request, delegate, isDownload: false)
  }

  func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    start(request, delegate, isDownload: true)
  }

  private func start(
    _ request: NetworkRequest, _ delegate: any NetworkTaskDelegate, isDownload: Bool
  ) -> any Cancellation {
    let task = SimulatedTask(answer(request.url), request.url, delegate, isDownload: isDownload, on: lane)
    task.begin()
    return task
  }
}

/// One task: tells its delegate one thing after the other, until the end or a cancel.
private final class SimulatedTask: Cancellation {
  private struct State {
    var timer: (any Cancellation)?
    var isOver = false
  }

  private let answer: SimulatedAnswer
  private let url: URL
  private let delegate: any NetworkTaskDelegate
  private let isDownload: Bool
  private let lane: any Scheduler
  private let state = Locked(State())

  init(
    _ answer: SimulatedAnswer, _ url: URL, _ delegate: any NetworkTaskDelegate, isDownload: Bool,
    on lane: any Scheduler
  ) {
    self.answer = answer
    self.url = url
    self.delegate = delegate
    self.isDownload = isDownload
    self.lane = lane
  }

  func begin() {
    after(answer.latency) { [self] in
      if let status = answer.status {
        delegate.received(
          NetworkResponse(
            url: url, status: status, expectedLength: answer.expectedLength, contentType: answer.contentType))
      }
      tell(piece: 0, received: 0)
    }
  }

  func cancel() {
    guard let timer = end() else { return }
    timer.cancel()
    lane.schedule { [delegate] in delegate.finished(NetworkError(code: -999)) }
  }

  private func tell(piece number: Int, received: Int) {
    guard number < answer.pieceCount else {
      return after(answer.lastWait) { [self] in finish() }
    }
    let (wait, bytes) = answer.piece(number)
    after(wait) { [self] in
      let total = received + bytes.count
      if isDownload { delegate.progressed(total) } else { delegate.received(bytes) }
      tell(piece: number + 1, received: total)
    }
  }

  private func finish() {
    guard end() != nil else { return }
    if isDownload, answer.error == nil { delegate.downloaded(DownloadedFile(answer.body)) }
    delegate.finished(answer.error.map { NetworkError(code: $0) })
  }

  /// Does something later, unless the task is over then.
  private func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) {
    let timer = lane.schedule(after: delay) { [self] in
      guard !state.withLock({ $0.isOver }) else { return }
      action()
    }
    let isOver = state.withLock { state in
      state.timer = timer
      return state.isOver
    }
    if isOver { timer.cancel() }
  }

  /// Ends the task; nil if it was over.
  private func end() -> (any Cancellation)? {
    state.withLock { state in
      guard !state.isOver else { return nil }
      state.isOver = true
      defer { state.timer = nil }
      return state.timer
    }
  }
}
