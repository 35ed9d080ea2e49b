import EventBus
import FetcherModel
import Foundation
import OriginServer

/// Runs a scenario with one strategy on the real clock, through a real socket.
struct ScenarioRunner: Sendable {
  let scenario: Scenario
  /// The folder of the scenario's file.
  let folder: URL
  let origin: OriginServer
  var runtime: any Runtime = DispatchRuntime.shared
  var network: any NetworkLoader = FoundationLoader.shared
  /// A run that takes longer than this, and longer than its file allows, is cut off.
  var patience = Duration.seconds(10)

  /// Runs once, and tells everything that happened.
  func run(_ strategy: String) async -> RunRecord {
    let recorder = TraceRecorder(runtime)
    let served = Locked(ScenarioOrigin(scenario, folder: folder))
    origin.replace(served.withLock { $0.content() })
    origin.resetCounters()
    let environment = environment(strategy, recorder)
    let closed = RefusedPort(of: scenario)
    let stage = ScenarioStage(
      scenario, in: environment, recorder,
      address: { [base = origin.baseURL.absoluteString.dropLast()] image in
        (closed.refuses(image.path) ? closed.base : String(base)) + image.path
      },
      changeOrigin: { [origin] route in
        let requests = origin.counters.requestsByPath
        let content = served.withLock { served in
          served.change(route, after: requests[route.path] ?? 0)
          return served.content(after: requests)
        }
        origin.replace(content)
      })
    let watch =
      scenario.expectations.contains { if case .stall = $0.kind { true } else { false } }
      ? MainWatch(runtime) : nil
    let limit = max(scenario.latestStep, patience)
    let driver = ScenarioDriver(scenario.steps, on: stage, recorder, runtime)
    var record = RunRecord()
    record.cut = await withCheckedContinuation { continuation in
      runtime.main.schedule {
        stage.open()
        driver.start(limit: limit) { continuation.resume(returning: $0) }
      }
    }
    record.duration = recorder.now
    record.events = recorder.events
    record.longestStall = await watch?.stop() ?? .zero
    (record.marks, record.final) = await runtime.onMain { (driver.marks, stage.finalState) }
    record.leaks = await leaks(stage)
    return record
  }

  private func environment(_ strategy: String, _ recorder: TraceRecorder) -> FetchEnvironment {
    let images = Dictionary(scenario.images.map { ($0.path, $0.id) }, uniquingKeysWith: { first, _ in first })
    let loader = TracingLoader(base: network, recorder: recorder, images: images)
    return FetchEnvironment(runtime: runtime, loader: loader, strategy: strategy, cache: ImageCache())
  }

  /// Lets go of everything, and waits a moment for those who only finish what they are doing.
  private func leaks(_ stage: ScenarioStage) async -> Scenario.Leaks {
    var leaks = await runtime.onMain {
      stage.close()
      return stage.leaks
    }
    for _ in 0..<100 where leaks != Scenario.Leaks() {
      await runtime.pause(.milliseconds(10))
      leaks = await runtime.onMain { stage.leaks }
    }
    return leaks
  }
}
