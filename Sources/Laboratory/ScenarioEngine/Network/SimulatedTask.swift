import EventBus
import FetcherModel
import Foundation

/// One task of a simulated network. The task reports to its delegate in order, until it ends or is cancelled.
final class SimulatedTask: Cancellation {
  /// A closure that returns the response to the next request for a URL.
  typealias Answering = @Sendable (URL) -> SimulatedAnswer

  private struct State {
    var timer: (any Cancellation)?
    var isOver = false
  }

  /// The kind of client. Clients differ in what they report and when.
  enum Kind: Sendable {
    /// A URLSession task.
    case data, download
    /// An exchange over a socket.
    case socket
  }

  private let delegate: any NetworkTaskDelegate
  private let kind: Kind
  private let scheduler: any Scheduler
  /// The URL of the original request, before any redirect.
  private let url: URL
  private let names: ItemNames
  private let answer: Answering
  private let state = Locked(State())

  /// - Parameter scheduler: the scheduler on which the delegate is called.
  init(
    _ url: URL, _ delegate: any NetworkTaskDelegate, _ kind: Kind, on scheduler: any Scheduler, _ names: ItemNames,
    answer: @escaping Answering
  ) {
    self.url = url
    self.names = names
    self.delegate = delegate
    self.kind = kind
    self.scheduler = scheduler
    self.answer = answer
  }

  /// Starts the task.
  func start() { request(url) }

  /// Requests a URL, which may be a redirect target.
  private func request(_ url: URL) { receive(answer(url), from: url) }

  private func receive(_ answer: SimulatedAnswer, from url: URL) {
    let head = answer.head(from: url)
    let target = answer.location.flatMap { Redirection($0, from: url) }
    // If the body may belong to a redirect or a challenge, Foundation calls the delegate only after the body's end.
    if kind != .socket, answer.isRedirect || kind == .data && answer.asksForCredentials {
      return after(answer.duration, "end") { [self] in goOn(after: answer, head, to: target) }
    }
    after(answer.latency, "") { [self] in
      if kind == .socket, let target = mayFollow(target, answer.status) {
        return after(answer.duration - answer.latency, "end") { [self] in
          if answer.error != nil { finish(answer, nil) } else { follow(target) }
        }
      }
      if kind != .download, let head { delegate.received(head) }
      report(answer, head, received: 0)
    }
  }

  /// The target that the client requests after a redirect, or nil if the client does not follow the redirect.
  private func mayFollow(_ target: Redirection?, _ status: Int?) -> Redirection? {
    guard let target, let status, delegate.shouldFollow(target.url, status: status) else { return nil }
    return target
  }

  private func follow(_ target: Redirection) {
    target.leavesOrigin ? receive(.unknownHost, from: target.url) : request(target.url)
  }

  /// Follows a redirect, or finishes the task if there is none to follow.
  private func goOn(after answer: SimulatedAnswer, _ head: NetworkResponse?, to target: Redirection?) {
    if answer.error != nil { return finish(answer, nil) }
    if let target = mayFollow(target, answer.status) { return follow(target) }
    guard !answer.asksForCredentials else {
      delegate.challenged(status: 401)
      return finish(answer, nil, NetworkError(code: -999))
    }
    if kind != .download, let head { delegate.received(head) }
    finish(answer, head)
  }

  func cancel() {
    guard let timer = end() else { return }
    timer.cancel()
    scheduler.schedule { [delegate, names, url] in
      names.name(answer: url, "cancelled")
      delegate.finished(NetworkError(code: -999))
    }
  }

  private func report(_ answer: SimulatedAnswer, _ head: NetworkResponse?, received: Int) {
    guard let (end, wait) = answer.pieces.next(after: received) else {
      return after(answer.lastWait, "end") { [self] in
        // By then, a download has already reported the progress of the body.
        if kind == .download, answer.asksForCredentials {
          goOn(after: answer, head, to: nil)
        } else {
          finish(answer, head)
        }
      }
    }
    after(wait, "bytes") { [self] in
      if kind == .download {
        delegate.progressed(end)
      } else {
        delegate.received(answer.body.subdata(in: received..<end))
      }
      report(answer, head, received: end)
    }
  }

  private func finish(_ answer: SimulatedAnswer, _ head: NetworkResponse?) {
    finish(answer, head, answer.error.map { NetworkError(code: $0) })
  }

  private func finish(_ answer: SimulatedAnswer, _ head: NetworkResponse?, _ error: NetworkError?) {
    guard end() != nil else { return }
    if kind == .download, error == nil {
      // On Linux, a download does not report its head until it has its file.
      if let head { delegate.received(head) }
      delegate.downloaded(DownloadedFile(answer.body))
    }
    delegate.finished(error)
  }

  /// Runs an action after a delay, unless the task has ended by then.
  ///
  /// - Parameter part: the name of the part of the response.
  private func after(_ delay: Duration, _ part: String, _ action: @escaping @Sendable () -> Void) {
    let timer = scheduler.schedule(after: delay) { [self] in
      names.name(answer: url, part)
      guard !state.withLock({ $0.isOver }) else { return }
      action()
    }
    let isOver = state.withLock { state in
      state.timer = timer
      return state.isOver
    }
    if isOver { timer.cancel() }
  }

  /// Ends the task and returns its timer, or returns nil if the task has already ended.
  private func end() -> (any Cancellation)? {
    state.withLock { state in
      guard !state.isOver else { return nil }
      state.isOver = true
      defer { state.timer = nil }
      return state.timer
    }
  }
}
