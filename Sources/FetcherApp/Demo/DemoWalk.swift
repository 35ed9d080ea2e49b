import EventBus
import FetcherModel
import FetcherViews
import Foundation
import OriginServer
import ScenarioEngine

/// One strategy's walk through the list, as a person would go: choosing, changing the mind, leaving early.
///
/// Every wait is for an event, and a wait that lasts too long is an error.
struct DemoWalk: Sendable {
  let plan: DemoPlan
  let origin: OriginServer
  let environment: FetchEnvironment
  let journal: Journal
  private let images: [IFImage]
  private let split: SplitViewController
  private let tally: Confined<DemoSummary>

  /// - Parameters:
  ///   - strategy: the name of a registered strategy.
  ///   - onEntry: called on main for each line of the timeline.
  init(
    _ strategy: String, plan: DemoPlan, origin: OriginServer, runtime: any Runtime = DispatchRuntime.shared,
    onEntry: @escaping @Sendable (Journal.Entry) -> Void
  ) throws(FetchError) {
    let environment = try FetchEnvironment(runtime: runtime, strategy: strategy)
    let journal = Journal(runtime, onEntry: onEntry)
    let tally = Confined(runtime.main, DemoSummary(strategy: strategy))
    let detail = DetailWatcher(journal, tally).page(in: environment)
    images = plan.images(base: origin.baseURL, in: environment)
    let list = ListViewController(plan.catalogue.title, images, in: environment) { rows in
      journal.record(.view, "list of \(rows.count): \(rows.prefix(3).joined(separator: ", ")), ...")
    }
    split = SplitViewController(list, detail, layout: .collapsed, in: environment)
    self.plan = plan
    self.origin = origin
    self.environment = environment
    self.journal = journal
    self.tally = tally
  }

  /// Walks, and returns the summary.
  ///
  /// - Throws: a failure when something that had to happen did not.
  func run() async throws(CommandFailure) -> DemoSummary {
    let runtime = environment.runtime
    let begin = runtime.now
    origin.replace(plan.content(for: images))
    origin.resetCounters()
    let subscriptions = listen()
    defer { for subscription in subscriptions { subscription.cancel() } }

    await act("opens the program") { split.viewWillAppear() }
    try await check("the list appears without a fetch") {
      split.visiblePages == [.list] && origin.counters.requests == 0
    }
    try await chooseAndWait()
    try await changeTheMind()
    try await leaveEarly()
    try await meetTheFailure()
    await act("closes the program") { split.viewWillDisappear() }

    let counters = origin.counters
    var summary = await runtime.onMain {
      journal.record(.origin, "\(counters.requests) requests on \(counters.connections) connections")
      return tally.withValue { $0 }
    }
    summary.requests = counters.requests
    summary.duration = runtime.now - begin
    check(&summary, counters)
    environment.finishAndSweep()
    return summary
  }

  /// A picture is chosen, the placeholder shows, the picture arrives.
  private func chooseAndWait() async throws(CommandFailure) {
    let image = images[0]
    let here = await act("chooses \"\(image.name)\"") {
      split.select(0)
      // In the same turn of main: if the fetch had failed in between, another look would begin another one.
      journal.record(.user, "looks at it again: still one request")
      _ = image.image
    }
    try await journal.wait(for: .ended(image.id), from: here, "the end of \(image.name)")
    try await check("the picture arrived") { isShown(image) }
    await act("goes back to the list") { split.goBack() }
  }

  /// The next picture is chosen before the last one arrived; the earlier answer comes later.
  private func changeTheMind() async throws(CommandFailure) {
    let (slow, quick) = (images[1], images[2])
    let here = await act("chooses \"\(slow.name)\", which is slow") { split.select(1) }
    try await journal.wait(for: .started(slow.id), from: here, "the start of \(slow.name)")
    await act("chooses \"\(quick.name)\" instead") { split.select(2) }
    try await journal.wait(for: .ended(quick.id), from: here, "the end of \(quick.name)")
    try await journal.wait(for: .ended(slow.id), from: here, "the end of \(slow.name)")
    try await check("the last chosen picture is shown") { isShown(quick) }
    await act("goes back to the list") { split.goBack() }
  }

  /// The view disappears before its picture is there.
  private func leaveEarly() async throws(CommandFailure) {
    let image = images[3]
    let here = await act("chooses \"\(image.name)\"") { split.select(3) }
    try await journal.wait(for: .started(image.id), from: here, "the start of \(image.name)")
    await act("goes back to the list before it is there") { split.goBack() }
    try await journal.wait(for: .ended(image.id), from: here, "the end of \(image.name)")
    try await check("the list is shown") { split.visiblePages == [.list] }
    // Then choosing it again fetches it again, and the summary counts how that ends as well.
    let isMissing = !image.isLoaded
    let again = await act("chooses \"\(image.name)\" again: it is there already") { split.select(3) }
    try await check("the picture is there at once") { isShown(image) && journal.count > again }
    if isMissing { try await journal.wait(for: .ended(image.id), from: again, "the second end of \(image.name)") }
    await act("goes back to the list") { split.goBack() }
  }

  /// One address fails, the placeholder stays, and choosing it again tries again.
  private func meetTheFailure() async throws(CommandFailure) {
    guard let image = images.last else { return }
    let row = images.count - 1
    let here = await act("chooses \"\(image.name)\"") { split.select(row) }
    try await journal.wait(for: .ended(image.id), from: here, "the end of \(image.name)")
    try await check("a failure leaves the placeholder") { split.detail.screen.picture?.isPlaceholder == true }
    let again = await act("chooses \"\(image.name)\" again") { split.select(row) }
    try await journal.wait(for: .ended(image.id), from: again, "the second end of \(image.name)")
    try await check("the second attempt succeeds") { isShown(image) }
  }
}

extension IFImage {
  fileprivate var isLoaded: Bool { if case .loaded = state { true } else { false } }
}

extension DemoWalk {
  private func isShown(_ image: IFImage) -> Bool {
    guard case .loaded(let picture) = image.state else { return false }
    return split.detail.screen.title == image.name && split.detail.screen.picture == picture
  }

  /// Does what the user does, on main.
  ///
  /// - Returns: the position in the journal from which on the consequences stand.
  @discardableResult
  private func act(_ text: String, _ body: @escaping @Sendable () -> Void) async -> Int {
    await environment.runtime.onMain {
      let position = journal.count
      journal.record(.user, text)
      body()
      return position
    }
  }

  /// Looks at the state after everything that is already queued on main has had its turn.
  private func check(_ what: String, _ holds: @escaping @Sendable () -> Bool) async throws(CommandFailure) {
    await environment.runtime.onMain {
      guard !holds() else { return }
      tally.withValue { $0.broken.append("should be so, and is not: \(what)") }
    }
  }

  private func check(_ summary: inout DemoSummary, _ counters: OriginCounters) {
    let twice = images.dropLast().compactMap(DemoPlan.path).filter {
      (counters.requestsByPath[OriginPath($0)] ?? 0) > 1
    }
    for path in twice { summary.broken.append("two requests for \(path)") }
    if summary.fetched != DemoPlan.parts + 1 { summary.broken.append("not one ImageFetched for each picture") }
    if summary.failed != 1 { summary.broken.append("not one ImageFetchFailed for the address that fails once") }
    if summary.offMain > 0 { summary.broken.append("an event was posted elsewhere than on main") }
    if summary.drawnOutOfSight > 0 { summary.broken.append("a page drew after it had disappeared") }
  }

  /// Follows the model's events: where they are posted, and what they say.
  private func listen() -> [Subscription] {
    let bus = environment.bus
    let main = environment.runtime.main
    let names = Dictionary(images.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    let name = { @Sendable (id: ImageID) in names[id] ?? "?" }
    return [
      bus.subscribe(to: ImageFetchStarted.self, on: .main) { event in
        journal.record(.model, "ImageFetchStarted    \(name(event.imageID))", .started(event.imageID))
      },
      bus.subscribe(to: ImageFetched.self, on: .main) { event in
        tally.withValue {
          $0.fetched += 1
          $0.bytes += event.byteCount
        }
        let text = "ImageFetched         \(name(event.imageID)), \(event.byteCount) bytes"
        journal.record(.model, text, .ended(event.imageID))
      },
      bus.subscribe(to: ImageFetchFailed.self, on: .main) { event in
        tally.withValue { $0.failed += 1 }
        journal.record(.model, "ImageFetchFailed     \(event.message)", .ended(event.imageID))
      },
      bus.subscribe(to: ImageFetched.self) { _ in
        guard !main.isCurrent else { return }
        main.schedule { tally.withValue { $0.offMain += 1 } }
      },
      bus.subscribe(to: ImageFetchFailed.self) { _ in
        guard !main.isCurrent else { return }
        main.schedule { tally.withValue { $0.offMain += 1 } }
      },
    ]
  }
}
