import EventBus
import FetcherModel
import Foundation
import OriginServer

/// Runs a scenario with one strategy on the real clock, through a real socket.
struct ScenarioRunner: Sendable {
  let scenario: Scenario
  let origin: OriginServer
  var runtime: any Runtime = DispatchRuntime.shared

  /// - Throws: a failure when a fetch does not end in half a minute.
  func run(_ strategy: String) async throws(CommandFailure) -> ScenarioOutcome {
    let environment = FetchEnvironment(runtime: runtime, strategy: strategy)
    let trace = Confined(runtime.main, ScenarioTrace())
    origin.replace(ScenarioOrigin(scenario: scenario).content)
    origin.resetCounters()
    let images = Dictionary(
      uniqueKeysWithValues: scenario.images.map { image in
        (image.id, IFImage(image.id, origin.baseURL.absoluteString.dropLast() + image.path, in: environment))
      })
    let views = await runtime.onMain { makeViews(in: environment, trace) }
    let journal = Journal(runtime) { _ in }
    let subscriptions = listen(environment, images, trace, journal)
    defer { for subscription in subscriptions { subscription.cancel() } }

    let start = runtime.now
    for step in scenario.steps {
      await runtime.pause(step.time - (runtime.now - start))
      try await runtime.onMain { perform(step.action, views, images, environment) }.get()
    }
    for id in scenario.images.map(\.id) {
      guard let image = images[id], image.isFetching else { continue }
      try await journal.wait(for: .ended(image.id), from: 0, "the end of image \(id)", limit: .seconds(30))
    }
    let requests = origin.counters.requestsByPath
    return await runtime.onMain {
      for view in views.values { view.viewWillDisappear() }
      return trace.withValue { trace in
        for image in scenario.images {
          for _ in 0..<(requests[image.path] ?? 0) {
            trace.add(ScenarioTrace.Event(name: "origin.request", image: image.id))
          }
        }
        return ScenarioOutcome(scenario, strategy: strategy, trace)
      }
    }
  }

  private func makeViews(
    in environment: FetchEnvironment, _ trace: Confined<ScenarioTrace>
  ) -> [String: ImageViewController] {
    let bodies = Dictionary(
      ScenarioOrigin(scenario: scenario).bodies.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    return Dictionary(
      uniqueKeysWithValues: scenario.views.map { name in
        let view = ImageViewController(in: environment) { screen in
          // By its bytes, not by its title: a page could show the wrong picture under the right name.
          let id = screen.picture.map { $0.isPlaceholder ? "placeholder" : bodies[$0.bytes] ?? "unknown" }
          trace.withValue { $0.draw(name, id, image: screen.title) }
        }
        return (name, view)
      })
  }

  private func perform(
    _ action: Scenario.Action, _ views: [String: ImageViewController], _ images: [String: IFImage],
    _ environment: FetchEnvironment
  ) -> Result<Void, CommandFailure> {
    switch action {
    case .appear(let view): views[view]?.viewWillAppear()
    case .disappear(let view): views[view]?.viewWillDisappear()
    case .select(let image, let view): views[view]?.show(images[image])
    case .switchStrategy(let name):
      do {
        try environment.select(strategy: name)
      } catch {
        return .failure(.failed("\(error)"))
      }
    }
    return .success(())
  }

  private func listen(
    _ environment: FetchEnvironment, _ images: [String: IFImage], _ trace: Confined<ScenarioTrace>, _ journal: Journal
  ) -> [Subscription] {
    let bus = environment.bus
    let add = { @Sendable (name: String, image: String) in
      trace.withValue { $0.add(ScenarioTrace.Event(name: name, image: image)) }
    }
    return [
      bus.subscribe(to: ImageFetchStarted.self, on: .main) { add("image.started", $0.name) },
      bus.subscribe(to: ImageFetched.self, on: .main) { event in
        add("image.fetched", event.name)
        journal.record(.model, event.name, .ended(event.imageID))
      },
      bus.subscribe(to: ImageFetchFailed.self, on: .main) { event in
        add("image.failed", event.name)
        journal.record(.model, event.name, .ended(event.imageID))
      },
    ]
  }
}
