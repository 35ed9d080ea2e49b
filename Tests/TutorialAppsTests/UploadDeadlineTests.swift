import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import Testing
import TutorialApps
import VirtualTime

@Suite struct UploadDeadlineTests {
  /// A network that accepts every request and never responds.
  private struct SilentLoader: NetworkLoader {
    private struct Nothing: Cancellation {
      func cancel() {}
    }

    func contents(of url: URL) throws(NetworkError) -> Data { throw NetworkError(code: 256) }
    func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation { Nothing() }
    func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation { Nothing() }
    func socketTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation { Nothing() }
  }

  @Test(
    "An upload without a response ends at its deadline",
    arguments: [(nil, 60), (.seconds(5), 5), (.seconds(90), 90)] as [(Duration?, Int)])
  func deadline(limit: Duration?, seconds: Int) throws {
    let runtime = ManualRuntime()
    let environment = FetchEnvironment(
      bus: EventBus(runtime: runtime), loader: SilentLoader(), limits: FetchLimits(deadline: limit))
    let service = PhotoService.photorama(apiKey: try APIKey(variable: "K", environment: ["K": "k"]))
    let results = Locked<[PhotoUploadError?]>([])
    PhotoStore(service, in: environment).upload(
      try Picture(validating: Sample.png.bytes), to: "http://localhost/upload"
    ) { result in
      let error = if case .failure(let error) = result { error } else { nil as PhotoUploadError? }
      results.withLock { $0.append(error) }
    }
    runtime.advance(by: .seconds(seconds) - .milliseconds(1))
    #expect(results.withLock { $0 } == [])
    runtime.advance(by: .milliseconds(1))
    #expect(results.withLock { $0 } == [.fetch(.timedOut)])
  }
}
