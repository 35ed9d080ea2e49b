import EventBus
import FetcherModel
import Foundation

/// One task of a simulated network: tells its delegate one thing after the other, until the end or a cancel.
final class SimulatedTask: Cancellation {
  /// What becomes of the next request for an address.
  typealias Answering = @Sendable (URL) -> SimulatedAnswer

  private struct State {
    var timer: (any Cancellation)?
    var isOver = false
  }

  private let delegate: any NetworkTaskDelegate
  private let isDownload: Bool
  private let lane: any Scheduler
  private let answer: Answering
  private let state = Locked(State())

  /// - Parameter lane: where the delegate is called.
  init(
    _ delegate: any NetworkTaskDelegate, isDownload: Bool, on lane: any Scheduler, answer: @escaping Answering
  ) {
    self.delegate = delegate
    self.isDownload = isDownload
    self.lane = lane
    self.answer = answer
  }

  /// Asks for what is at the address, or for what a redirect leads to.
  func request(_ url: URL) {
    let answer = answer(url)
    after(answer.latency) { [self] in
      if let target = answer.target(from: url), delegate.shouldFollow(target) { return request(target) }
      if answer.asksForCredentials {
        delegate.challenged(status: 401)
        return finish(answer, NetworkError(code: -999))
      }
      if let status = answer.status {
        delegate.received(
          NetworkResponse(
            url: url, status: status, expectedLength: answer.expectedLength, contentType: answer.contentType))
      }
      tell(answer, piece: 0, received: 0)
    }
  }

  func cancel() {
    guard let timer = end() else { return }
    timer.cancel()
    lane.schedule { [delegate] in delegate.finished(NetworkError(code: -999)) }
  }

  private func tell(_ answer: SimulatedAnswer, piece number: Int, received: Int) {
    guard number < answer.pieceCount else {
      return after(answer.lastWait) { [self] in finish(answer, answer.error.map { NetworkError(code: $0) }) }
    }
    let (wait, bytes) = answer.piece(number)
    after(wait) { [self] in
      let total = received + bytes.count
      if isDownload { delegate.progressed(total) } else { delegate.received(bytes) }
      tell(answer, piece: number + 1, received: total)
    }
  }

  private func finish(_ answer: SimulatedAnswer, _ error: NetworkError?) {
    guard end() != nil else { return }
    if isDownload, error == nil { delegate.downloaded(DownloadedFile(answer.body)) }
    delegate.finished(error)
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
