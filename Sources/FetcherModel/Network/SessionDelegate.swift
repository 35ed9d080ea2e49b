import EventBus
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a session reports of any task: redirects, challenges, the end.
///
/// Unchecked, because it is not final; all of its state is locked.
class SessionDelegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
  let exchanges = Locked<[Int: Exchange]>([:])

  func exchange(_ task: URLSessionTask) -> Exchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  /// Called with the end of each task, before its delegate.
  func ended(_ failure: NetworkError?) {}

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    // `newRequest` has its scheme rewritten to http on Linux; only the header says where the server points.
    let location = response.value(forHTTPHeaderField: "Location")
    let target = location.flatMap { URL(string: $0, relativeTo: response.url)?.absoluteURL } ?? request.url
    guard let target, let exchange = exchange(task) else { return completionHandler(nil) }
    // Foundation follows the address that was validated.
    var next = request
    next.url = target.withSmallScheme
    exchange.answer {
      completionHandler(exchange.delegate.shouldFollow(target, status: response.statusCode) ? next : nil)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard challenge.protectionSpace.authenticationMethod != "NSURLAuthenticationMethodServerTrust" else {
      return completionHandler(.performDefaultHandling, nil)
    }
    let status = (challenge.failureResponse as? HTTPURLResponse)?.statusCode ?? 401
    exchange(task)?.answer {
      exchange(task)?.delegate.challenged(status: status)
      // Anything else hangs the task forever on Linux (#5456).
      completionHandler(.cancelAuthenticationChallenge, nil)
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    exchange.close()
    exchange.announce(task.response)
    let failure = error.map { NetworkError(code: ($0 as? URLError)?.code.rawValue ?? ($0 as NSError).code) }
    ended(failure)
    exchange.delegate.finished(failure)
  }
}
