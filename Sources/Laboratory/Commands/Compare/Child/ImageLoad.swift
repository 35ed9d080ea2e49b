import Comparison
import EventBus
import FetcherModel
import Foundation
import ScenarioEngine
import ScenarioFormat

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The result of loading one image.
struct LoadedImage: Sendable {
  let number: Int
  /// The time from the fetch's planned start to its end, in seconds.
  let latency: Double
  /// The time from the fetch's actual start to its end, in seconds.
  let service: Double
  let result: Result<Int, FetchError>

  var hasArrived: Bool { if case .success = result { true } else { false } }
}

/// Fetches the images of a plan. It either keeps a fixed number of fetches in flight, or starts each fetch at its
/// planned time.
struct ImageLoad: Sendable {
  let plan: MeasurePlan
  let source: any ImageSource
  let runtime: any Runtime
  /// The number of consecutive failures after which a load stops early, or nil for no limit.
  var mostFailuresInARow: Int?

  /// The delay, in seconds, above which a start counts as late.
  static let tolerance = 0.002

  /// Fetches all images and returns them in completion order.
  func run() async -> [LoadedImage] {
    if let rate = plan.settings.rate { return await open(rate) }
    return await closed()
  }

  /// Adds the results of the load to the contender's measurements.
  func add(_ images: [LoadedImage], to result: inout MeasureResult) {
    let arrived = images.filter(\.hasArrived)
    result[.arrived] = Double(arrived.count)
    result.latencies = arrived.map { $0.latency.rounded(to: 6) }
    if plan.settings.rate != nil {
      result.serviceTimes = arrived.map { $0.service.rounded(to: 6) }
      let late = images.count { $0.latency - $0.service > Self.tolerance }
      result[.lateStarts] = Double(late) / Double(max(1, images.count))
    }
    let errors = images.compactMap { image in if case .failure(let error) = image.result { error } else { nil } }
    if plan.settings.workload == .flaky {
      result[.kinds] = Double(Set(errors).count)
      let faulty = images.filter { FlakyAnswers.isFaulty($0.number) }.map(\.latency)
      let others = images.filter { !FlakyAnswers.isFaulty($0.number) }.map(\.latency)
      if !faulty.isEmpty, let usual = others.median {
        result[.lost] = faulty.reduce(0, +) / Double(faulty.count) - usual
      }
    }
    // The user's server can fail, and the workload `flaky` has failures.
    let toleratesFailures = [.flaky, .url].contains(plan.settings.workload)
    result.fail(with: errors.last, needed: toleratesFailures ? 1 : images.count)
    if let most = mostFailuresInARow, let error = errors.last, images.suffix(most).allSatisfy({ !$0.hasArrived }) {
      let remedy =
        error != .transport(.certificateHasUnknownRoot)
        ? ""
        : plan.hasRootCertificate
          ? "; the file of --cacert does not contain its issuer" : "; --cacert FILE trusts its certificate authority"
      result.stopped = error.message(of: "\(most) fetches in a row failed; the last error") + remedy
    }
  }

  private func closed() async -> [LoadedImage] {
    await withTaskGroup(of: LoadedImage.self) { group in
      var next = 0
      var ended: [LoadedImage] = []
      while next < min(plan.settings.inFlight, plan.settings.images) {
        add(next, to: &group)
        next += 1
      }
      for await image in group {
        ended.append(image)
        if let most = mostFailuresInARow, ended.suffix(most).count(where: { !$0.hasArrived }) == most { continue }
        guard next < plan.settings.images else { continue }
        add(next, to: &group)
        next += 1
      }
      return ended
    }
  }

  private func add(_ number: Int, to group: inout TaskGroup<LoadedImage>) {
    group.addTask { await fetch(number, planned: nil) }
  }

  private func fetch(_ number: Int, planned: Duration?) async -> LoadedImage {
    let start = runtime.now
    let result = await source.fetch(plan.address(number))
    let end = runtime.now
    return LoadedImage(
      number: number, latency: (end - (planned ?? start)).inSeconds, service: (end - start).inSeconds, result: result)
  }

  /// Starts each fetch at its planned time, regardless of how many are in flight. Users, too, arrive whether or not
  /// earlier users have finished.
  private func open(_ rate: Double) async -> [LoadedImage] {
    let begin = runtime.now
    return await withTaskGroup(of: LoadedImage.self) { group in
      let arrivals = AsyncStream<(Int, Duration)> { continuation in
        // Use a dedicated thread. A timer on a busy queue would fire late, and the measurement would not include that
        // delay.
        Thread {
          for number in 0..<plan.settings.images {
            let planned = begin + .seconds(Double(number) / rate)
            let delay = planned - runtime.now
            if delay > .zero { Thread.sleep(forTimeInterval: delay.inSeconds) }
            continuation.yield((number, planned))
          }
          continuation.finish()
        }.start()
      }
      for await (number, planned) in arrivals { group.addTask { await fetch(number, planned: planned) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }
}

/// A source of the images for a load.
protocol ImageSource: Sendable {
  /// Fetches one image and returns its size in bytes.
  func fetch(_ address: String) async -> Result<Int, FetchError>
}

/// Fetches the images through the model, with a strategy.
struct ModelSource: ImageSource {
  let environment: FetchEnvironment

  func fetch(_ address: String) async -> Result<Int, FetchError> {
    await IFImage(name: address, url: address, in: environment).result().map(\.bytes.count)
  }
}

/// Fetches directly with URLSession, with the same settings as the strategies.
///
/// The conformance is unchecked because `URLSession` is not `Sendable` on every platform. This type only creates tasks
/// with the session, which is safe on any thread.
final class BareSource: ImageSource, @unchecked Sendable {
  private let session: URLSession
  private let queue = DispatchQueue(label: "bare", qos: .userInitiated)

  init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpMaximumConnectionsPerHost = WorkloadSettings.mostConnections
    let operations = OperationQueue()
    operations.maxConcurrentOperationCount = 1
    operations.underlyingQueue = queue
    session = URLSession(configuration: configuration, delegate: nil, delegateQueue: operations)
  }

  func fetch(_ address: String) async -> Result<Int, FetchError> {
    guard let url = URL(string: address) else { return .failure(.invalidURL) }
    return await withCheckedContinuation { continuation in
      session.dataTask(with: url) { data, response, error in
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if let error {
          continuation.resume(returning: .failure(.transport(NetworkError(code: (error as NSError).code))))
        } else if !(200..<300).contains(status) {
          continuation.resume(returning: .failure(.badStatus(status)))
        } else {
          continuation.resume(returning: .success(data?.count ?? 0))
        }
      }.resume()
    }
  }
}
