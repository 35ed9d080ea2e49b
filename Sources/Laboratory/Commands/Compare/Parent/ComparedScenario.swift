import CommandLineTool
import Comparison
import EventBus
import Foundation
import OriginServer
import PlainText
import ScenarioEngine
import ScenarioFormat

/// A scenario whose steps every strategy performs on the real clock. The strategies that its file names do not matter.
struct ComparedScenario: Sendable {
  let path: String
  let scenario: Scenario

  private var folder: URL { URL(filePath: path).deletingLastPathComponent() }

  /// Reads a scenario.
  ///
  /// - Throws: a failure if the file is not a scenario, or if its steps cannot be compared on the real clock.
  init(path: String, _ notes: Output) throws {
    self.path = path
    let name = visible(path)
    if let data = try? Data(contentsOf: URL(filePath: path)),
      (try? JSONDecoder().decode(Record.self, from: data)) != nil
    {
      throw UsageError("\(name) is a saved comparison: write --load \(name)")
    }
    scenario = try ScenarioPaths.read(ScenarioPaths.file(path)).valid(notes)
    guard scenario.clocks.contains(.real) else {
      throw UsageError(
        "\(name) runs only on the virtual clock, because its expectations do not hold on the real clock "
          + "(\"clocks\": [\"virtual\"]); compare measures on the real clock")
    }
    guard !scenario.steps.contains(where: { if case .switchStrategy = $0.action { true } else { false } }) else {
      throw UsageError("the steps of \(name) switch the strategy, so they compare no strategies; remove these steps")
    }
    guard !scenario.images.isEmpty else {
      throw UsageError("\(name) has no images, so there is nothing to load")
    }
  }

  /// The start of a saved comparison.
  private struct Record: Decodable { let comparison: Int }

  /// The settings, with the mean duration that the virtual clock predicts for these strategies.
  func settings(_ strategies: [String]) -> WorkloadSettings {
    var settings = WorkloadSettings(.scenario, images: scenario.images.count, size: 0, latency: 0, inFlight: 1)
    settings.scenario = path
    let runner = VirtualScenarioRunner(scenario: scenario, folder: folder)
    let seconds = strategies.reduce(0) { $0 + runner.run($1).duration.inSeconds }
    settings.duration = seconds / Double(max(1, strategies.count))
    return settings
  }

  /// The steps that change the origin, in order.
  fileprivate var changes: [Scenario.Action] {
    scenario.steps.map(\.action).filter(\.changesNetwork)
  }

  /// Performs the steps once, with one strategy, in a measured process.
  ///
  /// - Parameters:
  ///   - base: the scheme, host and port of the origin.
  ///   - control: the address that performs the next change of the origin.
  static func run(
    _ path: String, _ strategy: String, base: String, control: String, _ runtime: any Runtime,
    begin: () -> Void
  ) async throws -> (outcome: ScenarioOutcome, record: RunRecord, scenario: Scenario) {
    let file = try ScenarioPaths.read(path)
    guard let scenario = file.scenario, let control = URL(string: control) else {
      throw CommandFailure.cannotStart("\(path): the scenario has changed since the comparison began")
    }
    let folder = URL(filePath: path).deletingLastPathComponent()
    let network = ServedNetwork(scenario, folder: folder, base: base) { _ = try? Data(contentsOf: control) }
    begin()
    let record = await ScenarioRunner(scenario: scenario, served: network, runtime: runtime).run(strategy)
    let outcome = ScenarioOutcome(of: scenario, file.source, strategy: strategy, clock: .real, record)
    return (outcome, record, scenario)
  }

  /// The servers of a scenario: the origin, and one through which the measured process asks for the changes of the origin
  /// that the steps make. The origin itself can refuse connections.
  final class Server: Sendable {
    let origin: OriginServer
    let control: OriginServer
    private let subject: ComparedScenario
    private let state: Locked<(network: OriginNetwork, changes: [Scenario.Action])>

    init(_ subject: ComparedScenario, _ context: CommandContext) throws(CommandFailure) {
      self.subject = subject
      origin = try context.startOrigin()
      control = try context.startOrigin()
      state = Locked((OriginNetwork(origin, subject.scenario, folder: subject.folder), []))
      control.replace(
        OriginContent(routes: [
          OriginRoute(path: "/", isSlow: true) { [weak self] _, _ in
            self?.change()
            return OriginResponse(status: 204)
          }
        ]))
    }

    /// Serves the scenario from the start.
    func begin() {
      let network = OriginNetwork(origin, subject.scenario, folder: subject.folder)
      state.withLock { $0 = (network, subject.changes) }
    }

    private func change() {
      let next = state.withLock { state in
        state.changes.isEmpty ? nil : (state.network, state.changes.removeFirst())
      }
      if let (network, action) = next { network.perform(action) }
    }

    /// Adds the connections, and the bytes of pictures that never arrived.
    func add(missing paths: [String], to sample: inout Sample) {
      let counters = origin.counters
      sample[.connections] = Double(counters.connections)
      sample[.wasted] = Double(paths.reduce(0) { $0 + counters.bytesSentByPath[OriginPath($1), default: 0] })
    }

    func stop() {
      origin.stop()
      control.stop()
    }
  }
}
