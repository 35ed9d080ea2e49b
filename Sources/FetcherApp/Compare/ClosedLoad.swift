import EventBus
import FetcherModel
import Foundation

/// Fetches many images with always the same number in flight, and measures.
struct ClosedLoad: Sendable {
  let base: URL
  let environment: FetchEnvironment

  /// Fetches and returns when the last image has ended.
  func run(_ empty: Measurement) async -> Measurement {
    let start = environment.runtime.now
    var total = empty
    await withTaskGroup(of: Result<Picture, FetchError>.self) { group in
      var next = 0
      while next < min(total.inFlight, total.images) {
        add(next, to: &group)
        next += 1
      }
      for await result in group {
        count(result, &total)
        if next < total.images {
          add(next, to: &group)
          next += 1
        }
      }
    }
    total.seconds = (environment.runtime.now - start).inSeconds
    total.peakMemory = ProcessUsage.peakMemory
    return total
  }

  private func add(_ number: Int, to group: inout TaskGroup<Result<Picture, FetchError>>) {
    // An address for each, as two images with one address would share a request.
    let url = base.appending(path: "image-\(number)").absoluteString
    group.addTask {
      await ImageFetch(environment: environment).result(of: IFImage("image-\(number)", url, in: environment))
    }
  }

  private func count(_ result: Result<Picture, FetchError>, _ total: inout Measurement) {
    switch result {
    case .success(let picture): total.bytes += picture.bytes.count
    case .failure: total.failed += 1
    }
    guard let threads = ProcessUsage.threads else { return }
    total.peakThreads = max(total.peakThreads ?? 0, threads)
  }
}
