import EventBus
import FetcherModel
import Foundation
import SocketStrategy

/// A simulated network whose responses are scripted and take time on the runtime's clock.
final class SimulatedLoader: NetworkLoader, SocketTasks {
  /// The maximum number of redirects that a blocking read follows.
  static let maximumRedirects = 20

  private let runtime: any Runtime
  /// The scheduler that calls delegates, like the single queue of a Foundation session.
  private let scheduler: any Scheduler
  private let names: ItemNames
  private let answer: Answering

  /// A closure that returns the response to the next request for a URL with these header fields.
  typealias Answering = @Sendable (URL, HTTPHeaders) -> SimulatedAnswer

  /// - Parameters:
  ///   - completions: the scheduler that delivers responses.
  ///   - names: a value that names the completions.
  ///   - answer: a closure that returns the response to the next request for a URL with given header fields.
  init(
    _ runtime: any Runtime, completions: any Scheduler, _ names: ItemNames = ItemNames(), answer: @escaping Answering
  ) {
    self.runtime = runtime
    self.names = names
    self.answer = answer
    scheduler = completions
  }

  func contents(of url: URL) throws(NetworkError) -> Data {
    // A blocking read follows redirects without reporting them.
    let asked = url
    var (url, answer) = (url, answer(url, [:]))
    for _ in 0...Self.maximumRedirects {
      guard let target = answer.location.flatMap({ Redirection(blocking: $0, from: url) }) else {
        return try body(of: answer, to: asked)
      }
      wait(answer.duration, for: asked)
      guard answer.error == nil, !target.leavesOrigin else { throw NetworkError(code: 256) }
      (url, answer) = (target.url, self.answer(target.url, [:]))
    }
    throw NetworkError(code: 256)
  }

  private func body(of answer: SimulatedAnswer, to url: URL) throws(NetworkError) -> Data {
    wait(answer.asksForCredentials ? answer.timeout : answer.duration, for: url)
    // A blocking read reports a failure without details, and accepts the body of a 401 as a success.
    guard answer.error == nil, !answer.asksForCredentials, let status = answer.status,
      status < 400 || status == 401 || status == 407
    else { throw NetworkError(code: 256) }
    // Foundation skips the body of a redirect without a target. Foundation does not treat 300 or statuses above 308 as
    // redirects.
    return (301...308).contains(status) ? Data() : answer.body
  }

  private func wait(_ time: Duration, for url: URL) {
    let gate = runtime.gate()
    _ = scheduler.schedule(after: time) { [names] in
      names.name(answer: url, "")
      gate.open()
    }
    gate.wait()
  }

  func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    start(request, delegate, .data)
  }

  func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    start(request, delegate, .download)
  }

  func socketTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    start(request, delegate, .socket)
  }

  private func start(
    _ request: NetworkRequest, _ delegate: any NetworkTaskDelegate, _ kind: SimulatedTask.Kind
  ) -> any Cancellation {
    let task = SimulatedTask(request.url, delegate, kind, on: scheduler, names) { [answer] in
      answer($0, request.headers)
    }
    task.start()
    return task
  }
}
