import EventBus
import FetcherModel
import Foundation

/// Puts the load of an exhibit on a strategy and tells the end of each request.
struct ExhibitLoad: Sendable {
  let strategy: any FetchStrategy
  let base: URL
  let runtime: any Runtime

  /// Returns when all requests have ended, which for an exhibit may be never.
  ///
  /// - Parameter tell: called on any thread at the end of each request, with the time since the start.
  func run(_ exhibit: Exhibit, tell: @escaping @Sendable (Duration) -> Void) async {
    let start = runtime.now
    let fetch = { @Sendable (number: Int) in
      await end(of: number, exhibit)
      tell(runtime.now - start)
    }
    switch exhibit.load {
    case .together:
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<exhibit.requests { group.addTask { await fetch(number) } }
      }
    case .cancelled:
      for number in 0..<exhibit.requests { await fetch(number) }
    }
  }

  private func end(of number: Int, _ exhibit: Exhibit) async {
    let request = FetchRequest(url: base.appending(path: "image-\(number)"))
    await withCheckedContinuation { continuation in
      let work = strategy.fetch(request) { _ in continuation.resume() }
      guard exhibit.load == .cancelled else { return }
      // Spread around the time of the answer, so that every stage of a request meets a cancel.
      _ = runtime.main.schedule(after: exhibit.latency + .microseconds(number % 30 * 100)) { work.cancel() }
    }
  }
}
