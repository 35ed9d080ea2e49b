import EventBus
import FetcherModel
import Foundation

/// A network without a network: answers come from a script, and take their time on the runtime's clock.
final class SimulatedLoader: NetworkLoader {
  /// How many redirects a blocking read follows.
  static let mostRedirects = 20

  private let runtime: any Runtime
  /// Where delegates are called, as Foundation does it on the one queue of a session.
  private let scheduler: any Scheduler
  private let names: ItemNames
  private let answer: Answering

  /// The answer to the next request for an address, which has some header fields.
  typealias Answering = @Sendable (URL, [(name: String, value: String)]) -> SimulatedAnswer

  /// - Parameters:
  ///   - completions: where requests are answered.
  ///   - names: what names the completions.
  ///   - answer: the answer to the next request for an address.
  init(
    _ runtime: any Runtime, completions: any Scheduler, _ names: ItemNames = ItemNames(), answer: @escaping Answering
  ) {
    self.runtime = runtime
    self.names = names
    self.answer = answer
    scheduler = completions
  }

  func contents(of url: URL) throws(NetworkError) -> Data {
    // A blocking read follows redirects unseen.
    let asked = url
    var (url, answer) = (url, answer(url, []))
    for _ in 0...Self.mostRedirects {
      guard let target = answer.location.flatMap({ Redirection(blocking: $0, from: url) }) else {
        return try body(of: answer, to: asked)
      }
      wait(answer.duration, for: asked)
      guard answer.error == nil, !target.leavesOrigin else { throw NetworkError(code: 256) }
      (url, answer) = (target.url, self.answer(target.url, []))
    }
    throw NetworkError(code: 256)
  }

  private func body(of answer: SimulatedAnswer, to url: URL) throws(NetworkError) -> Data {
    wait(answer.asksForCredentials ? answer.timeout : answer.duration, for: url)
    // It knows no more than that it failed, and takes the page of a server that wants a password for an answer.
    guard answer.error == nil, !answer.asksForCredentials, let status = answer.status,
      status < 400 || status == 401 || status == 407
    else { throw NetworkError(code: 256) }
    // Foundation leaves out the page of a redirect that leads nowhere; 300 is none, and those above 308 are unknown.
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
